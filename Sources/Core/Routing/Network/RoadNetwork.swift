public import RoadGraph

/// The part of a road graph that one mode of travel may use: usable edges, access levels,
/// restrictions.
///
/// Built once for a map and a mode, linear in the edges; contains nothing that traffic changes.
public final class RoadNetwork: Sendable {
  public let graph: RoadGraph
  public let mode: TravelMode
  /// The data shared with the networks of the other modes.
  public let states: RoadStates
  var restrictions: TurnRestrictionAutomaton { states.restrictions }
  let traits: Column<EdgeTraits>
  /// Directions at the two ends of the edges, in 256ths of a circle clockwise from north.
  let headings: HeadingTable
  /// Nodes where three or more pieces of road meet, and those with signals.
  let nodes: Column<NodeTraits>
  /// Turns by which motor vehicles leave a road only to join it again.
  private let offAndOn: Set<RampEnds.Turn>
  /// Shows which places certainly cannot be reached from each other.
  let parts: NetworkComponents

  /// The network of `mode`; `headings` and `states` of the same graph are valid for every mode and
  /// save much work.
  public init(
    graph: RoadGraph, mode: TravelMode, headings: HeadingTable? = nil, states: RoadStates? = nil
  ) {
    self.graph = graph
    self.mode = mode
    self.headings = headings ?? HeadingTable(graph)
    let states = states ?? RoadStates(graph)
    self.states = states
    let levels = graph.columns.attributes.records.map { EdgeTraits(attributes: $0, mode: mode) }
    var traits = (0..<graph.edgeCount).map { levels[Int(graph.columns.attributeIndex[$0])] }
    var nodes: [NodeTraits] = []
    nodes.reserveCapacity(graph.nodeCount)
    for node in 0..<graph.nodeCount {
      nodes.append(NodeTraits(graph, NodeID(node), traits))
    }
    for edge in 0..<graph.edgeCount where states.turnBack[edge].contains(mode) {
      traits[edge].insert(.turnBack)
    }
    for node in states.barriers.nodes.records {
      for edge in graph.edges(entering: node) { traits[edge.index].insert(.guarded) }
    }
    offAndOn = mode.isMotorised ? RampEnds(graph, traits).turns : []
    for turn in offAndOn { traits[turn.entry.index].insert(.ramp) }
    self.traits = Column(traits)
    self.nodes = Column(nodes)
    parts = NetworkComponents(graph: graph, traits: traits)
  }

  public func isUsable(_ edge: EdgeID) -> Bool { traits[edge.index].isUsable }

  /// Whether the edge is open only to trips that begin or end there.
  public func isRestricted(_ edge: EdgeID) -> Bool { traits[edge.index].level > 0 }

  /// Whether a turn leaves a motorway, trunk or primary road only to join it again.
  func rejoins(from e: Int, onto f: Int) -> Bool {
    offAndOn.contains(RampEnds.Turn(exit: EdgeID(e), entry: EdgeID(f)))
  }

  /// The access level of the barrier between two edges, 0 to 2 as in `EdgeTraits`; 0 if there is
  /// none, and for turning back.
  func barrierLevel(from e: Int, onto f: Int) -> UInt8 {
    guard traits[e].contains(.guarded), graph.columns.twin[e].index != f else { return 0 }
    return states.barriers.level(at: graph.columns.head[e], mode)
  }

  /// The index of the attributes of the barrier between two edges; nil if there is none, and for
  /// turning back.
  func barrierAttribute(from e: Int, onto f: Int) -> Int? {
    guard traits[e].contains(.guarded), graph.columns.twin[e].index != f else { return nil }
    return states.barriers.attribute(at: graph.columns.head[e])
  }
}

/// The properties of an edge that a search needs for one mode.
struct EdgeTraits: OptionSet, BitwiseCopyable, Sendable {
  let rawValue: UInt16
  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Two bits: 0 open to through traffic, 1 to local traffic only, 2 private, 3 not usable.
  @inline(__always) var level: UInt8 { UInt8(truncatingIfNeeded: rawValue & 3) }
  @inline(__always) var isUsable: Bool { level < 3 }
  static let leftHand = EdgeTraits(rawValue: 1 << 2)
  /// The vehicle may turn back at its end.
  static let turnBack = EdgeTraits(rawValue: 1 << 3)
  /// A ferry or car train.
  static let ferry = EdgeTraits(rawValue: 1 << 4)
  /// Vehicles coming from a road wait here for the ferry to leave.
  static let boarding = EdgeTraits(rawValue: 1 << 5)
  /// The first piece of a ramp onto a road that some ramp to the same place leaves: see `RampEnds`.
  static let ramp = EdgeTraits(rawValue: 1 << 6)
  /// A service road, such as an aisle of a car park or a forecourt, for motor vehicles.
  static let service = EdgeTraits(rawValue: 1 << 7)
  /// Some requests refuse it: it is demanding, or for car pools.
  static let demanding = EdgeTraits(rawValue: 1 << 8)
  /// A barrier that not all vehicles may pass, or a size limit, is at its end.
  static let guarded = EdgeTraits(rawValue: 1 << 9)

  init(attributes: RoadAttributes, mode: TravelMode) {
    let usable = attributes.crossingS > 0 || attributes.freeFlowMps(mode) > 0
    let level: UInt8 =
      switch attributes.access(mode) {
      case .yes, .dismount: 0
      case .destination, .customers, .delivery: 1
      case .private: 2
      case .no: 3
      }
    self.init(rawValue: usable ? UInt16(level) : 3)
    if attributes.flags.contains(.leftHand) { insert(.leftHand) }
    if attributes.flags.contains(.ferry) { insert(.ferry) }
    if attributes.boardingCode > 0 { insert(.boarding) }
    if RoadSuitability.mayRefuse(attributes, mode) { insert(.demanding) }
    guard mode.isMotorised else { return }
    if attributes.roadClass == .service, !attributes.flags.contains(.ferry) { insert(.service) }
  }
}

/// The properties of a node that a search needs for one mode.
struct NodeTraits: OptionSet, BitwiseCopyable, Sendable {
  let rawValue: UInt8
  init(rawValue: UInt8) { self.rawValue = rawValue }

  static let junction = NodeTraits(rawValue: 1 << 0)
  static let signals = NodeTraits(rawValue: 1 << 1)

  init(_ graph: RoadGraph, _ node: NodeID, _ traits: [EdgeTraits]) {
    self.init(rawValue: 0)
    var pieces: [UInt32] = []
    func add(_ edge: EdgeID) {
      let piece = graph.columns.piece[edge.index] >> 1
      guard traits[edge.index].isUsable else { return }
      if !pieces.contains(piece) { pieces.append(piece) }
    }
    for edge in graph.edges(leaving: node) { add(edge) }
    for edge in graph.edges(entering: node) { add(edge) }
    if pieces.count > 2 { insert(.junction) }
    if graph.columns.nodeFlags[node.index].contains(.trafficSignals) { insert(.signals) }
  }
}

/// The directions in which edges start and end, in 256ths of a circle clockwise from north.
public struct HeadingTable: Sendable {
  let atTail: Column<UInt8>
  let atHead: Column<UInt8>

  /// Linear in the points of the graph.
  public init(_ graph: RoadGraph) {
    var atTail = [UInt8](repeating: 0, count: graph.edgeCount)
    var atHead = atTail
    for index in 0..<graph.edgeCount {
      let ends = EdgeEndBearings(graph, EdgeID(index))
      atTail[index] = Self.unit(ends.startBearingDeg)
      atHead[index] = Self.unit(ends.endBearingDeg)
    }
    self.atTail = Column(atTail)
    self.atHead = Column(atHead)
  }

  private static func unit(_ degrees: Double) -> UInt8 {
    UInt8(truncatingIfNeeded: Int((degrees * 256 / 360).rounded()))
  }
}
