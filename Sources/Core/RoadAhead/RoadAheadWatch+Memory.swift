import EventTime
import RoadGraph

extension RoadAheadWatch {
  /// A warning that was told of and has not ended.
  public struct Told: Hashable, Sendable {
    public var id: String
    public var kind: WarningKind
    public var key: String
    public var isReached: Bool

    public init(id: String, kind: WarningKind, key: String, isReached: Bool) {
      self.id = id
      self.kind = kind
      self.key = key
      self.isReached = isReached
    }
  }

  /// What must outlive a crash: what was told of.
  public var memory: [Told] {
    board.active.map {
      Told(id: $0.object.id, kind: $0.object.kind, key: $0.object.key, isReached: $0.isReached)
    }
  }

  /// Goes on after a crash; what was told is told no second time.
  public mutating func recall(_ told: [Told]) {
    board = WarningBoard(
      active: told.map { told in
        WarningBoard.Active(
          object: RoadObject(
            id: told.id, kind: told.kind, key: told.key, startM: .greatestFiniteMagnitude,
            place: nil, segment: nil), isReached: told.isReached)
      })
  }
}

extension RoadAheadWatch: Codable {
  private enum CodingKeys: CodingKey {
    case incidents, board, objects, mapHash, edges, startsM, current, positionM, endM
    case routeStart, tree, window, startM, lastSeen
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    incidents = try container.decode(IncidentBook.self, forKey: .incidents)
    board = try container.decode(WarningBoard.self, forKey: .board)
    objects = try container.decodeIfPresent([RoadObject].self, forKey: .objects)
    mapHash = try container.decode(UInt64.self, forKey: .mapHash)
    toldTree = try container.decode([UInt32].self, forKey: .tree).map { EdgeID(rawValue: $0) }
    toldWindow = try container.decodeIfPresent(MainPath.Window.self, forKey: .window)
    startM = try container.decodeIfPresent(Double.self, forKey: .startM) ?? 0
    lastSeen = try container.decodeIfPresent(Instant.self, forKey: .lastSeen)
    let edges = try container.decode([UInt32].self, forKey: .edges)
    let starts = try container.decode([Double].self, forKey: .startsM)
    let current = try container.decode(Int.self, forKey: .current)
    guard let first = edges.first else { return }
    guard starts.count == edges.count + 1, edges.indices.contains(current) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a way without its metres"))
    }
    var way = MainPath(
      EdgeID(rawValue: first), offsetM: 0, at: 0, lengthM: 0,
      routeStart: try container.decodeIfPresent(Int.self, forKey: .routeStart))
    way.edges = edges.map { EdgeID(rawValue: $0) }
    way.startsM = starts
    way.current = current
    way.positionM = try container.decode(Double.self, forKey: .positionM)
    way.endM = try container.decodeIfPresent(Double.self, forKey: .endM)
    path = way
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(incidents, forKey: .incidents)
    try container.encode(board, forKey: .board)
    try container.encodeIfPresent(objects, forKey: .objects)
    try container.encode(mapHash, forKey: .mapHash)
    try container.encode(toldTree.map(\.rawValue), forKey: .tree)
    try container.encodeIfPresent(toldWindow, forKey: .window)
    try container.encode(startM, forKey: .startM)
    try container.encodeIfPresent(lastSeen, forKey: .lastSeen)
    try container.encode(path?.edges.map(\.rawValue) ?? [], forKey: .edges)
    try container.encode(path?.startsM ?? [], forKey: .startsM)
    try container.encode(path?.current ?? 0, forKey: .current)
    try container.encode(path?.positionM ?? 0, forKey: .positionM)
    try container.encodeIfPresent(path?.endM, forKey: .endM)
    try container.encodeIfPresent(path?.routeStart, forKey: .routeStart)
  }
}
