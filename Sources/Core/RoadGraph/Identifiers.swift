/// A directed edge of a road graph: an index into its columns.
///
/// It is meaningless in another process or another map; there a `SegmentReference` identifies the
/// road.
@frozen
public struct EdgeID: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable public init(_ index: Int) { self.rawValue = UInt32(truncatingIfNeeded: index) }
  @inlinable public var index: Int { Int(rawValue) }
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A node of a road graph: a junction, a dead end, or a place where a way's properties change.
@frozen
public struct NodeID: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable public init(_ index: Int) { self.rawValue = UInt32(truncatingIfNeeded: index) }
  @inlinable public var index: Int { Int(rawValue) }
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A text of the map's text table; 0 is the empty text.
@frozen
public struct TextID: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let empty = TextID(rawValue: 0)
  @inlinable public var isEmpty: Bool { rawValue == 0 }
}

/// A directed piece of an OSM way between two nodes of the graph, which identifies an edge outside
/// its process.
@frozen
public struct SegmentReference: Codable, Hashable, Sendable {
  /// OSM way id.
  public var way: Int64
  /// OSM id of the node where the piece begins in the direction of travel.
  public var from: Int64
  /// OSM id of the node where it ends.
  public var to: Int64

  @inlinable public init(way: Int64, from: Int64, to: Int64) {
    self.way = way
    self.from = from
    self.to = to
  }

  /// The same piece in the opposite direction.
  public var reversed: SegmentReference { SegmentReference(way: way, from: to, to: from) }
}

/// A position on the network: metres along a directed edge.
@frozen
public struct RoadPosition: Hashable, Sendable {
  public var edge: EdgeID
  /// Metres from the edge's tail, 0 to its length.
  public var offsetM: Double

  @inlinable public init(edge: EdgeID, offsetM: Double) {
    self.edge = edge
    self.offsetM = offsetM
  }
}

/// A path through the network: consecutive directed edges, cut at both ends.
public struct RoadPath: Hashable, Sendable {
  /// At least one edge; the head of each is the tail of the next.
  public var edges: [EdgeID]
  /// Metres along the first edge where the path begins.
  public var startOffsetM: Double
  /// Metres along the last edge where it ends.
  public var endOffsetM: Double

  public init(edges: [EdgeID], startOffsetM: Double, endOffsetM: Double) {
    self.edges = edges
    self.startOffsetM = startOffsetM
    self.endOffsetM = endOffsetM
  }
}
