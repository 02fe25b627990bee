import Foundations
import RoadGraph
import Route
import Routing
import Synchronization
import Traffic

/// Cache of the changes on the roads of a map in time spans, collected once for all trips in the
/// same span.
final class TimelineCache: Sendable {
  /// A span of whole quarters of an hour: trips that depart in the same one share the collected
  /// changes.
  struct Span: Hashable {
    /// Indices as returned by `PlacedSpeeds.slot`.
    let slots: Range<Int>

    /// Creates the shortest span of 1, 2, 4, … quarters of an hour that covers the time between two
    /// moments.
    init(from: Instant, until: Instant) {
      let first = PlacedSpeeds.slot(from)
      let needed = max(1, PlacedSpeeds.slot(until) + 1 - first)
      var count = 1
      while count < needed, count < Self.longest { count *= 2 }
      slots = first..<(first + count)
    }

    /// Maximum number of quarters of an hour in a span, about 43 days.
    private static let longest = 4096

    var from: Instant { Instant(seconds: Double(slots.lowerBound) * PlacedSpeeds.slotS) }
    var until: Instant { Instant(seconds: Double(slots.upperBound) * PlacedSpeeds.slotS) }
  }

  struct Changes: Sendable {
    var timeline: RoadTimeline
    /// The rules at the best moment of the span; nil if they do not change within it.
    var best: RuleBook.Moment?
  }

  private struct Name: Hashable {
    var span: Span
    /// Number of the traffic snapshot; 0 for no traffic.
    var snapshot: Int
    var includesForecast: Bool
    /// Time since which live values without an end have had their current weights.
    var since: Instant?
    var isTypical: Bool
    /// The vehicle, if rules change within the span.
    var vehicle: VehicleSize?
  }

  private struct Store {
    /// The changes, the newest last.
    var changes: [(name: Name, changes: Changes)] = []
    var rules: [(span: Span, vehicle: VehicleSize, rules: RuleTimeline)] = []
  }

  /// Maximum number of cached timelines; one of a city in which every edge changes takes about
  /// thirty megabytes.
  private static let limit = 3
  private static let ruleLimit = 8
  private let store = Mutex(Store())

  /// Returns the changes that rules make to the map within a span.
  func rules(_ span: Span, _ vehicle: VehicleSize, _ shared: RouterShared) -> RuleTimeline {
    let known = store.withLock {
      $0.rules.last { $0.span == span && $0.vehicle == vehicle }?.rules
    }
    if let known { return known }
    let made = shared.rules.timeline(from: span.from, until: span.until, vehicle.circumstances)
    store.withLock { store in
      store.rules.append((span, vehicle, made))
      if store.rules.count > Self.ruleLimit { store.rules.removeFirst() }
    }
    return made
  }

  /// Returns all changes within a span for the values of a traffic snapshot; fading values keep the
  /// weights of the counted traffic.
  func changes(
    _ span: Span, snapshot: TrafficSnapshot?, counted: RequestTraffic, typical: TypicalShares?,
    rules: RuleTimeline?, _ vehicle: VehicleSize, _ shared: RouterShared
  ) -> Changes {
    let rules = rules.flatMap { $0.isConstant ? nil : $0 }
    let includesForecast = counted.name.includesForecast
    let name = Name(
      span: span, snapshot: snapshot?.number ?? 0, includesForecast: includesForecast,
      since: counted.name.since,
      isTypical: typical != nil, vehicle: rules == nil ? nil : vehicle)
    if let known = store.withLock({ $0.changes.last { $0.name == name }?.changes }) { return known }
    let reports = snapshot?.reports(includesForecast: includesForecast) ?? TrafficReports()
    let traffic = reports.timeline(
      from: span.from, until: span.until, fadedTo: counted.now, typical: typical,
      index: shared.index, graph: shared.graph)
    let made = Changes(
      timeline: RoadTimeline(
        from: span.from, until: span.until,
        traffic: snapshot == nil && typical == nil ? nil : traffic, rules: rules,
        edgeCount: shared.graph.edgeCount),
      best: rules?.best)
    return store.withLock { store in
      // Another thread may have been faster: all use the same result.
      if let known = store.changes.last(where: { $0.name == name }) { return known.changes }
      store.changes.append((name, made))
      if store.changes.count > Self.limit { store.changes.removeFirst() }
      return made
    }
  }
}
