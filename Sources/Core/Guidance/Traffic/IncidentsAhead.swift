public import Foundations
public import RoadAhead
import RoadGraph
public import Route

/// An incident on a stretch of a route.
public struct RouteIncident: Codable, Hashable, Sendable {
  public var feed: String
  public var incident: RoadIncident
  /// Metres from the route's start.
  public var startM: Double
  public var endM: Double
  /// The section in which it begins, and all spans that it covers.
  public var section: Int
  public var spans: [Int]
}

/// Maintains the list of incidents on the rest of a route, and reports when it changes.
public struct IncidentsAhead: Codable, Hashable, Sendable {
  // All incidents on the route, in its order; nil if they must be searched for.
  private var all: [RouteIncident]?
  private var routeID: String?
  private var reported: [RouteIncident] = []
  private var reportedRouteID: String?
  // After a crash it is not known what was reported, so the list is reported in any case.
  private var mustReport = false

  public init() {}

  /// Whether a non-empty list is shown.
  public var isShowing: Bool { !reported.isEmpty || mustReport }

  /// Continues after a crash before which a list was shown.
  public mutating func recallShown() { mustReport = true }

  /// Marks the list as outdated because a feed reported other incidents.
  public mutating func changed() { all = nil }

  /// The list for a position on the route if it differs from the last one; nil if it does not.
  ///
  /// Linear in the route if the route or the feeds have changed, otherwise in the incidents on it.
  public mutating func moved(
    on route: Route?, travelledM: Double, _ book: IncidentIndex, at now: Instant
  ) -> [RouteIncident]? {
    if route?.id != routeID {
      routeID = route?.id
      all = nil
    }
    let found = all ?? route.map { Self.find(on: $0, book) } ?? []
    all = found
    let left = found.filter { $0.endM > travelledM && $0.incident.holds(at: now) }
    // A route without incidents needs no report, unless the previous route had some.
    let isSame = left == reported && (left.isEmpty || reportedRouteID == routeID)
    guard !isSame || mustReport else { return nil }
    mustReport = false
    reported = left
    reportedRouteID = routeID
    return left
  }

  // Two feeds may use the same id.
  private struct Key: Hashable {
    var feed: String
    var id: String
  }

  private static func find(on route: Route, _ book: IncidentIndex) -> [RouteIncident] {
    guard !book.isEmpty else { return [] }
    var found: [RouteIncident] = []
    // Index in `found` of the stretch that extends to the end of the previous segment.
    var open: [Key: Int] = [:]
    for segment in route.segments {
      var stillOpen: [Key: Int] = [:]
      for (feed, incident) in book.all(on: segment.reference) {
        let key = Key(feed: feed, id: incident.id)
        let endM = segment.startM + segment.lengthM
        if let index = open[key] {
          found[index].endM = endM
          stillOpen[key] = index
        } else {
          stillOpen[key] = found.count
          found.append(
            RouteIncident(
              feed: feed, incident: incident, startM: segment.startM, endM: endM, section: 0,
              spans: []))
        }
      }
      open = stillOpen
    }
    for index in found.indices {
      let (from, to) = (found[index].startM, found[index].endM)
      found[index].section = max(0, route.sections.lastIndex(by: \.startM, atMost: from))
      let first = max(0, route.spans.lastIndex(by: \.startM, atMost: from))
      found[index].spans = route.spans.indices[first...].prefix { route.spans[$0].startM < to }
        .filter { route.spans[$0].startM + route.spans[$0].lengthM > from }
    }
    return found
  }
}

extension Array {
  /// Index of the last element whose metres are at most `metres`, -1 for none.
  ///
  /// The metres never fall from element to element. Logarithmic.
  fileprivate func lastIndex(by metres: (Element) -> Double, atMost limit: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if metres(self[middle]) <= limit { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}
