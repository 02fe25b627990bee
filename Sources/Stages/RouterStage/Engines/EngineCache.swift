import Foundations
import RoadFile
import RoadGraph
import Route
import Routing
import Synchronization
import Traffic

/// The metrics and engines of one map, built on first use and cached.
final class EngineCache: Sendable {
  private let graph: RoadGraph
  private let headings: HeadingTable
  private let states: RoadStates
  private let tuning: RoutingTuning
  private let snapshots: TrafficSnapshotStore
  private let limits: VehicleLimits
  private let store = Mutex(Store())
  private let singleFlight: SingleFlight

  private struct MetricName: Hashable {
    var key: MetricKey
    var traffic: TrafficKey
  }

  /// The inputs from which an engine was built.
  private struct Priced {
    var metric: RoadMetric
    var traffic: TrafficKey
    /// The time until which that traffic holds.
    var until: Instant?
  }

  private struct Store {
    var networks: [TravelMode: RoadNetwork] = [:]
    /// Cached metrics; one of a city takes some megabytes.
    var metrics = PartitionedLRUCache<MetricName, RoadMetric>(drivers: 8, visitors: 4)
    /// Customized metrics; one of a city takes about fifteen megabytes.
    var engines = PartitionedLRUCache<Priced, RoutingEngine>(drivers: 4, visitors: 2)
    /// A value of nil means that no order keeps the hierarchy of these modes small.
    var roads: [TravelModes: RoadHierarchy?] = [:]
    var turns: [TurnKey: TurnTable] = [:]
    /// Lower bounds for trips during which something changes, the newest last.
    var bounds: [Bound] = []
  }

  /// Lower bounds for trips by a metric over a timeline.
  private struct Bound {
    var metric: RoadMetric
    var timeline: RoadTimeline
    var liveShare: Double
    var bound: SearchBound
  }

  private static let boundLimit = 3
  /// Held while a lower bound is computed.
  private let bounding = Mutex(())

  init(
    graph: RoadGraph, headings: HeadingTable, states: RoadStates, tuning: RoutingTuning,
    snapshots: TrafficSnapshotStore, singleFlight: SingleFlight = SingleFlight()
  ) {
    self.singleFlight = singleFlight
    self.graph = graph
    self.headings = headings
    self.states = states
    self.tuning = tuning
    self.snapshots = snapshots
    limits = VehicleLimits(graph)
  }

  /// Builds immediately what was built for the previous map.
  func prepare(as old: EngineCache) {
    let (modes, groups) = old.store.withLock { (Array($0.networks.keys), Array($0.roads.keys)) }
    guard !groups.isEmpty else { return }
    for mode in modes { _ = network(mode) }
    for group in groups { _ = roads(for: group) }
  }

  /// Returns costs and times for a request under the applicable traffic; built on first use.
  ///
  /// Two simultaneous requests for the same metric build it once. While an engine is being built, a
  /// request does not wait if prices that were the newest until a moment ago are available.
  func metric(
    _ key: MetricKey, _ traffic: RequestTraffic, for requester: RequestOrigin = .driver
  ) -> RoadMetric {
    let (key, traffic) = rounded(key, traffic)
    if let known = known(key, traffic, requester) {
      singleFlight.rest()
      return known
    }
    return singleFlight.run({ [self] in made(key, traffic, requester) }) { graceS in
      recent(key, traffic, graceS, requester)?.metric
    }
  }

  /// Returns the engine for a request under the applicable traffic, priced and customized on first
  /// use.
  ///
  /// A request that arrives during this work gets the newest finished engine if its traffic was the
  /// newest until a moment ago. Otherwise it waits and uses the result. Under a high load the work
  /// is done in the background. `reached` receives the completed share of the work, 0 to 1, if
  /// there is any.
  func engine(
    _ key: MetricKey, _ traffic: RequestTraffic, for requester: RequestOrigin = .driver,
    reached: @escaping @Sendable (Double) -> Void = { _ in }
  ) -> RoutingEngine {
    let (key, traffic) = rounded(key, traffic)
    let metric = known(key, traffic, requester)
    if let engine = metric.flatMap({ known($0, requester) }) {
      singleFlight.rest()
      return engine
    }
    return singleFlight.run({ [self] in
      let metric = made(key, traffic, requester)
      reached(0.3)
      return made(metric, traffic, requester, reached)
    }) { graceS in recent(key, traffic, graceS, requester) }
  }

  /// Returns lower bounds for the costs of trips by a metric over a timeline.
  ///
  /// Live values without an end have at least `liveShare` of their weight. The result is nil if the
  /// map has no hierarchy, or while bounds for another trip are being computed. No search waits for
  /// the bounds: without them a search takes longer and has the same result.
  func bound(
    _ metric: RoadMetric, over timeline: RoadTimeline, liveShare: Double
  ) -> SearchBound? {
    func known() -> SearchBound? {
      store.withLock { store in
        store.bounds.last {
          $0.metric === metric && $0.timeline === timeline && $0.liveShare == liveShare
        }?.bound
      }
    }
    if let known = known() { return known }
    return bounding.withLockIfAvailable { _ -> SearchBound? in
      if let known = known() { return known }
      guard let roads = roads(for: RoadHierarchy.modes(with: metric.key.mode)) else { return nil }
      let (base, before) = store.withLock { store in
        (
          store.engines.newest { $0.key.metric === metric }?.customized,
          store.bounds.last { $0.metric.key == metric.key }?.bound.customized
            ?? store.engines.newest { $0.key.metric.key == metric.key }?.customized
        )
      }
      let made = SearchBound.make(
        least: RoadMetric(least: metric, over: timeline, liveShare: liveShare), base: base,
        before: before, on: roads, turns: turns(metric, roads), inParallel: Processors.inParallel)
      store.withLock { store in
        store.bounds.append(
          Bound(metric: metric, timeline: timeline, liveShare: liveShare, bound: made))
        store.bounds.removeAll { bound in
          bound.metric !== metric && bound.metric.key == metric.key
            && !store.metrics.entries.contains { $0.value === bound.metric }
        }
        if store.bounds.count > Self.boundLimit { store.bounds.removeFirst() }
      }
      return made
    } ?? nil
  }

  // MARK: Cached values

  /// Returns the same request with rounded sizes, which are the key of the cache.
  private func rounded(
    _ key: MetricKey, _ traffic: RequestTraffic
  ) -> (MetricKey, RequestTraffic) {
    var key = key
    key.vehicle = limits.rounded(key.vehicle)
    return (key, key.traffic == .off ? .none : traffic)
  }

  private func known(
    _ key: MetricKey, _ traffic: RequestTraffic, _ requester: RequestOrigin
  ) -> RoadMetric? {
    let name = MetricName(key: key, traffic: traffic.name)
    return store.withLock { $0.metrics.use(requester) { $0.key == name } }
  }

  private func known(_ metric: RoadMetric, _ requester: RequestOrigin) -> RoutingEngine? {
    store.withLock { $0.engines.use(requester) { $0.key.metric === metric } }
  }

  /// Returns the cached engine with the newest acceptable traffic.
  private func recent(
    _ key: MetricKey, _ traffic: RequestTraffic, _ graceS: Double, _ requester: RequestOrigin
  ) -> RoutingEngine? {
    store.withLock { store in
      store.engines.use(
        requester,
        leastBy: { entry in
          entry.key.metric.key == key
            ? traffic.pastS(of: entry.key.traffic, until: entry.key.until, graceS: graceS) : nil
        })
    }
  }

  // MARK: Building; one at a time, by `shift`

  private func made(
    _ key: MetricKey, _ traffic: RequestTraffic, _ requester: RequestOrigin
  ) -> RoadMetric {
    if let known = known(key, traffic, requester) { return known }
    let view = traffic.view()
    let metric: RoadMetric
    if let base = store.withLock({ $0.metrics.newest { $0.key.key == key } }) {
      metric = RoadMetric(base, traffic: view)
    } else {
      metric = RoadMetric(network: network(key.mode), key: key, traffic: view, tuning: tuning)
    }
    store.withLock { store in
      store.metrics.drop { $0.key.key == key && !snapshots.isLive($0.key.traffic) }
      store.metrics.put(MetricName(key: key, traffic: traffic.name), metric, requester)
    }
    return metric
  }

  /// Returns the engine of a metric, based on another engine of its kind if there is one.
  ///
  /// Then only the changes of traffic since that engine are applied.
  private func made(
    _ metric: RoadMetric, _ traffic: RequestTraffic, _ requester: RequestOrigin,
    _ reached: (Double) -> Void
  ) -> RoutingEngine {
    if let known = known(metric, requester) { return known }
    guard let roads = roads(for: RoadHierarchy.modes(with: metric.key.mode)) else {
      return RoutingEngine(metric: metric)
    }
    reached(0.7)
    let base = store.withLock { $0.engines.newest { $0.key.metric.key == metric.key } }
    let engine = RoutingEngine(
      CustomizedMetric(
        metric, on: roads, turns: turns(metric, roads), base: base?.customized,
        inParallel: Processors.inParallel))
    store.withLock { store in
      // Engines of traffic that no request can use any more are dropped.
      store.engines.drop { entry in
        entry.key.metric.key == metric.key
          && !store.metrics.entries.contains { $0.value === entry.key.metric }
      }
      store.engines.put(
        Priced(metric: metric, traffic: traffic.name, until: traffic.until), engine, requester)
    }
    reached(1)
    return engine
  }

  private func network(_ mode: TravelMode) -> RoadNetwork {
    if let known = store.withLock({ $0.networks[mode] }) { return known }
    let made = RoadNetwork(graph: graph, mode: mode, headings: headings, states: states)
    store.withLock { $0.networks[mode] = made }
    return made
  }

  private func roads(for modes: TravelModes) -> RoadHierarchy? {
    if let known = store.withLock({ $0.roads[modes] }) { return known }
    let made = RoadHierarchy.make(states, for: modes, inParallel: Processors.inParallel)
    store.withLock { $0.roads[modes] = .some(made) }
    return made
  }

  private func turns(_ metric: RoadMetric, _ roads: RoadHierarchy) -> TurnTable {
    let key = metric.key.turns
    if let known = store.withLock({ $0.turns[key] }) { return known }
    let made = TurnTable(roads, metric: metric)
    store.withLock { $0.turns[key] = made }
    return made
  }
}
