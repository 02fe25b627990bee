import Foundations
import RoadGraph
public import Route

extension RoadAheadMonitor {
  /// A warning that was issued and has not ended yet.
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

  /// The state that must survive a crash: the warnings that were issued.
  public var memory: [Told] {
    activeWarnings.active.map {
      Told(id: $0.object.id, kind: $0.object.kind, key: $0.object.key, isReached: $0.isReached)
    }
  }

  /// Continues after a crash, without issuing the same warnings again.
  public mutating func recall(_ reported: [Told]) {
    activeWarnings = ActiveWarnings(
      active: reported.map { reported in
        ActiveWarnings.Active(
          object: RoadObject(
            id: reported.id, kind: reported.kind, key: reported.key,
            startM: .greatestFiniteMagnitude,
            place: nil, segment: nil), isReached: reported.isReached)
      })
  }
}

extension RoadAheadMonitor: Codable {
  private enum CodingKeys: CodingKey {
    case incidents, activeWarnings, objects, objectsUntil, mapHash, path, tree, window, startM,
      lastSeen,
      seen
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    incidents = try container.decode(IncidentIndex.self, forKey: .incidents)
    activeWarnings = try container.decode(ActiveWarnings.self, forKey: .activeWarnings)
    // Earlier releases encoded them in another order.
    objects = try container.decodeIfPresent([RoadObject].self, forKey: .objects)
      .map(RoadObject.inOrder)
    objectsUntil = try container.decodeIfPresent(Instant.self, forKey: .objectsUntil)
    mapHash = try container.decode(UInt64.self, forKey: .mapHash)
    path = try container.decodeIfPresent(MainPath.self, forKey: .path)
    reportedTree = try container.decode([UInt32].self, forKey: .tree).map { EdgeID(rawValue: $0) }
    reportedWindow = try container.decodeIfPresent(MainPath.Window.self, forKey: .window)
    startM = try container.decodeIfPresent(Double.self, forKey: .startM) ?? 0
    lastSeen = try container.decodeIfPresent(Instant.self, forKey: .lastSeen)
    seen = try container.decodeIfPresent(Seen.self, forKey: .seen)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(incidents, forKey: .incidents)
    try container.encode(activeWarnings, forKey: .activeWarnings)
    try container.encodeIfPresent(objects, forKey: .objects)
    try container.encodeIfPresent(objectsUntil, forKey: .objectsUntil)
    try container.encode(mapHash, forKey: .mapHash)
    try container.encodeIfPresent(path, forKey: .path)
    try container.encode(reportedTree.map(\.rawValue), forKey: .tree)
    try container.encodeIfPresent(reportedWindow, forKey: .window)
    try container.encode(startM, forKey: .startM)
    try container.encodeIfPresent(lastSeen, forKey: .lastSeen)
    try container.encodeIfPresent(seen, forKey: .seen)
  }
}
