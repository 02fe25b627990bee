public import Foundations
public import RoadGraph
import Route

/// Something that obstructs traffic on pieces of road for a time.
public struct RoadIncident: Codable, Hashable, Sendable {
  public var id: String
  /// A value from Protocols/types/incident.yaml.
  public var kind: String
  public var text: String?
  public var segments: [SegmentReference]
  public var from: Instant?
  public var until: Instant?

  public init(
    id: String, kind: String, text: String?, segments: [SegmentReference], from: Instant? = nil,
    until: Instant? = nil
  ) {
    self.id = id
    self.kind = kind
    self.text = text
    self.segments = segments
    self.from = from
    self.until = until
  }

  public func holds(at now: Instant) -> Bool {
    from.map { $0 <= now } ?? true && until.map { now < $0 } ?? true
  }
}

/// All incidents reported by feeds, indexed by their pieces of road.
public struct IncidentIndex: Hashable, Sendable {
  /// Incidents by feed.
  public private(set) var feeds: [String: [RoadIncident]] = [:]
  private var bySegment: [SegmentReference: [Told]] = [:]

  struct Told: Hashable, Sendable {
    var feed: String
    var incident: RoadIncident

    /// Unique across feeds, since two feeds may use the same id; a slash in the feed's name is
    /// escaped.
    var id: String {
      let name = feed.map { $0 == "%" ? "%25" : $0 == "/" ? "%2F" : String($0) }.joined()
      return "\(name)/\(incident.id)"
    }
  }

  public init() {}

  /// Replaces the list of a feed; linear in all incidents.
  ///
  /// An id is unique within its feed: of several incidents with one id, only the first is stored.
  /// Returns how many were left out.
  @discardableResult
  public mutating func set(_ incidents: [RoadIncident], of feed: String) -> Int {
    var ids: Set<String> = []
    let each = incidents.filter { ids.insert($0.id).inserted }
    feeds[feed] = each.isEmpty ? nil : each
    index()
    return incidents.count - each.count
  }

  private mutating func index() {
    bySegment = [:]
    for (feed, list) in feeds.sorted(by: { $0.key < $1.key }) {
      for incident in list {
        for segment in Set(incident.segments) {
          bySegment[segment, default: []].append(Told(feed: feed, incident: incident))
        }
      }
    }
  }

  /// The incidents that apply on a piece of road at a moment.
  func incidents(on segment: SegmentReference, at now: Instant) -> [Told] {
    (bySegment[segment] ?? []).filter { $0.incident.holds(at: now) }
  }

  /// All incidents on a piece of road, whether they apply now or not, with the feeds that report
  /// them.
  public func all(on segment: SegmentReference) -> [(feed: String, incident: RoadIncident)] {
    (bySegment[segment] ?? []).map { ($0.feed, $0.incident) }
  }

  /// The earliest moment after `now` at which an incident on a path begins or ends; nil for none.
  func nextChange(on path: MainPath, _ graph: RoadGraph, after now: Instant) -> Instant? {
    guard !isEmpty else { return nil }
    return path.edges.flatMap { bySegment[graph.reference($0)] ?? [] }
      .flatMap { [$0.incident.from, $0.incident.until] }
      .compactMap { $0 }.filter { $0 > now }.min()
  }

  public var isEmpty: Bool { bySegment.isEmpty }
}

// Only the lists of the feeds are encoded, so that an incident on many pieces is written once.
extension IncidentIndex: Codable {
  public init(from decoder: any Decoder) throws {
    feeds = try decoder.singleValueContainer().decode([String: [RoadIncident]].self)
    index()
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(feeds)
  }
}

/// Incidents on the path, and the tail ends of traffic jams.
struct TrafficRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    guard !way.incidents.isEmpty else { return [] }
    let onEdge = way.path.edges.map {
      way.incidents.incidents(on: way.graph.reference($0), at: way.now)
    }
    var seen: Set<String> = []
    let all = onEdge.flatMap { $0 }.filter { seen.insert($0.id).inserted }
    return all.flatMap { reported in
      let (id, incident) = (reported.id, reported.incident)
      let isJam = incident.kind == "congestion"
      return way.zones(isJam ? .jamEnd : .incident) { index in
        onEdge[index].contains { $0.id == id } ? id : nil
      }.map { zone in
        var zone = zone
        zone.id = "\(zone.kind.rawValue)/\(id)"
        zone.text = incident.text
        // Drivers brake where the jam begins; what follows is visible.
        if isJam { zone.endM = nil }
        return zone
      }
    }
  }
}
