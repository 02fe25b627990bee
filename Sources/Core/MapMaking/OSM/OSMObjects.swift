/// An OSM node: a place with an id.
public struct OSMNode: Hashable, Sendable {
  public var id: Int64
  /// Degrees times 10^7.
  public var latitudeE7: Int32
  public var longitudeE7: Int32
  public var tags: OSMTags

  public init(id: Int64, latitudeE7: Int32, longitudeE7: Int32, tags: OSMTags = [:]) {
    self.id = id
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
    self.tags = tags
  }
}

/// An OSM way: a line through nodes.
public struct OSMWay: Hashable, Sendable {
  public var id: Int64
  public var nodes: [Int64]
  public var tags: OSMTags

  public init(id: Int64, nodes: [Int64], tags: OSMTags) {
    self.id = id
    self.nodes = nodes
    self.tags = tags
  }
}

/// An OSM relation: members with their roles.
public struct OSMRelation: Hashable, Sendable {
  public var id: Int64
  public var members: [OSMMember]
  public var tags: OSMTags

  public init(id: Int64, members: [OSMMember], tags: OSMTags) {
    self.id = id
    self.members = members
    self.tags = tags
  }
}

/// One member of a relation.
public struct OSMMember: Hashable, Sendable {
  public enum Kind: UInt8, Hashable, Sendable {
    case node
    case way
    case relation
  }

  public var kind: Kind
  public var id: Int64
  public var role: String

  public init(_ kind: Kind, _ id: Int64, role: String) {
    self.kind = kind
    self.id = id
    self.role = role
  }
}

/// A whole OSM map in memory, for towns, drawn maps and tests; files are streamed.
public struct OSMData: Hashable, Sendable {
  public var nodes: [OSMNode]
  public var ways: [OSMWay]
  public var relations: [OSMRelation]

  public init(nodes: [OSMNode] = [], ways: [OSMWay] = [], relations: [OSMRelation] = []) {
    self.nodes = nodes
    self.ways = ways
    self.relations = relations
  }
}
