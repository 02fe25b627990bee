public import ExternalRouting
import Foundation
import Foundations
import Maneuvers
import MapMatching
import Places
import RoadFile
public import RoadGraph
import Route
import Routing
import Stage
import Synchronization
import Traffic
import TrafficFeeds

/// The data shared by all vehicles of a router: the map, and what is derived from it and cached.
public final class RouterShared: Sendable {
  package let graph: RoadGraph
  let index: SegmentIndex
  let tuning: RoutingTuning
  let leaseS: Double
  let leaseCount: Int
  /// Rules that hold only at certain times.
  let rules: RuleBook
  private let headings: HeadingTable
  private let store = Mutex(Store())
  /// The traffic of each vehicle, for threads outside the stages.
  let snapshots: TrafficSnapshotStore
  /// Typical speeds by time of week; nil if none were given.
  let typical: TypicalSpeedCache?
  /// Changes on the roads during trips.
  let timelines: TimelineCache
  /// The server that may answer in addition to the built-in engine.
  let outside: ExternalEngine
  /// The metrics and engines for finding routes.
  let engines: EngineCache
  /// The routing policy of the stack, the same for all vehicles.
  let policy: PolicyStore
  /// Held while the map of a moment is built, so that simultaneous requests for it build it once.
  private let making = Mutex(())
  private let moments = Mutex(Moments())
  let workspaces = SearchSpacePool()
  /// How long speeds without an end count.
  let ages: TrafficAges
  let snapper: IncidentSnapper
  let watch: FeedFaultReporter

  /// The map at moments at which it differs from the usual one.
  private struct Moments {
    /// Rules change at full minutes: the state of a minute, the newest last.
    var minutes: [(minute: Int, vehicle: VehicleSize, moment: RuleBook.Moment)] = []
    var views: [(moment: RuleBook.Moment, shared: RouterShared)] = []
  }

  private struct Store {
    var matching: [TravelMode: MatchingNetwork] = [:]
    var places: PlaceIndex?
  }

  private static let minuteLimit = 64
  /// Maximum number of cached maps of other moments, each with its own metrics.
  private static let viewLimit = 4

  /// Creates the shared part for an open map, for tests and embedding.
  public convenience init(graph: RoadGraph) {
    self.init(graph: graph, tuning: RoutingTuning(), leaseS: 86_400, leaseCount: 64)
  }

  convenience init(graph: RoadGraph, typical: TypicalSpeeds) {
    self.init(
      graph: graph, tuning: RoutingTuning(), leaseS: 86_400, leaseCount: 64, typical: typical)
  }

  init(
    graph: RoadGraph, tuning: RoutingTuning, leaseS: Double, leaseCount: Int,
    outside: ExternalEngine = ExternalEngine(ExternalEngineSettings()),
    typical: TypicalSpeeds? = nil,
    policy: PolicyStore = PolicyStore(), ages: TrafficAges = TrafficAges()
  ) {
    self.policy = policy
    self.ages = ages
    watch = FeedFaultReporter()
    self.outside = outside
    self.graph = graph
    self.tuning = tuning
    self.leaseS = leaseS
    self.leaseCount = leaseCount
    snapshots = TrafficSnapshotStore()
    timelines = TimelineCache()
    let index = SegmentIndex(graph, isHashed: true)
    self.index = index
    snapper = IncidentSnapper(graph, index: index)
    self.typical = typical.map {
      TypicalSpeedCache($0.placed(on: graph, index: index), edgeCount: graph.edgeCount)
    }
    rules = RuleBook(graph)
    let headings = HeadingTable(graph)
    self.headings = headings
    engines = EngineCache(
      graph: graph, headings: headings, states: RoadStates(graph), tuning: tuning,
      snapshots: snapshots)
  }

  /// Creates the same map with other access and other restrictions.
  private init(_ usual: RouterShared, graph: RoadGraph) {
    self.graph = graph
    tuning = usual.tuning
    leaseS = usual.leaseS
    leaseCount = usual.leaseCount
    snapshots = usual.snapshots
    index = usual.index
    rules = usual.rules
    outside = usual.outside
    typical = usual.typical
    timelines = usual.timelines
    policy = usual.policy
    ages = usual.ages
    snapper = usual.snapper
    watch = usual.watch
    headings = usual.headings
    engines = EngineCache(
      graph: graph, headings: headings, states: RoadStates(graph), tuning: tuning,
      snapshots: snapshots)
  }

  /// Creates the shared part for the map that the parameters name.
  ///
  /// With `old` the map was replaced: its server stays in use, and the data that its requests
  /// needed is built before any request arrives.
  convenience init(
    _ parameters: Parameters, replacing old: RouterShared? = nil
  ) throws(StageFailure) {
    let graph: RoadGraph
    do {
      graph = try RoadFile.open(path: parameters.string("map") ?? "")
    } catch {
      throw StageFailure("map: \(error)")
    }
    var tuning = RoutingTuning()
    tuning.originRadiusM = parameters.double("origin_radius_m")
    tuning.destinationRadiusM = parameters.double("destination_radius_m")
    tuning.matchingRadiusM = parameters.double("matching_radius_m")
    self.init(
      graph: graph, tuning: tuning, leaseS: parameters.double("handle_lease_h") * 3600,
      leaseCount: parameters.int("leases"),
      outside: old?.outside ?? ExternalEngine(ExternalEngineSettings(parameters: parameters)),
      typical: try Self.typicalSpeeds(parameters.string("typical_speeds")),
      policy: try Self.policy(parameters.string("policy"), old?.policy),
      ages: Self.ages(parameters))
    if let old { engines.prepare(as: old.engines) }
  }

  private static func ages(_ parameters: Parameters) -> TrafficAges {
    var ages = TrafficAges()
    ages.liveHoldS = parameters.double("live_hold_s")
    ages.liveFadeS = parameters.double("live_fade_s")
    ages.liveHorizonS = parameters.double("live_horizon_s")
    ages.forecastHoldS = parameters.double("forecast_hold_s")
    ages.forecastFadeS = ages.forecastHoldS
    return ages
  }

  /// Returns the policy of the previous router, or the one of a file.
  private static func policy(
    _ path: String?, _ old: PolicyStore?
  ) throws(StageFailure) -> PolicyStore {
    if let old { return old }
    guard let path else { return PolicyStore() }
    return PolicyStore(try PolicyFile.read(path))
  }

  private static func typicalSpeeds(_ path: String?) throws(StageFailure) -> TypicalSpeeds? {
    guard let path else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StageFailure("typical_speeds: \(path) cannot be read")
    }
    do throws(TypicalSpeedsFault) {
      return try TypicalSpeeds(csv: String(decoding: data, as: UTF8.self))
    } catch {
      throw StageFailure("typical_speeds: \(path): \(error)")
    }
  }

  /// Provides the function that sends requests to the server; without it the server is not
  /// reachable.
  public func connect(_ fetch: @escaping EngineFetch) { outside.connect(fetch) }

  /// The address of the optional server and its timeout in seconds; nil for none.
  public var server: (url: String, timeoutS: Double)? {
    outside.setting.url.map { ($0, outside.setting.timeoutS) }
  }

  /// Returns the data derived from the map for a departure at a moment with a vehicle, usually this
  /// object itself.
  ///
  /// If time-dependent rules change the map, the first request at such a moment costs as much as
  /// the very first one.
  func at(_ departure: Instant, _ vehicle: VehicleSize = VehicleSize()) -> RouterShared {
    guard !rules.isEmpty else { return self }
    return map(at: moment(departure, vehicle))
  }

  /// Returns the map with the roads opened that a mode may use at other times only, and these
  /// roads; nil if there are none.
  ///
  /// Its metrics are built like those of any moment.
  func opened(
    at departure: Instant, _ vehicle: VehicleSize, for mode: TravelMode
  ) -> (map: RouterShared, closed: [EdgeID])? {
    guard !rules.isEmpty else { return nil }
    let opened = rules.opened(moment(departure, vehicle), for: mode, vehicle.circumstances)
    return opened.edges.isEmpty ? nil : (map(at: opened.moment), opened.edges)
  }

  private func moment(_ departure: Instant, _ vehicle: VehicleSize) -> RuleBook.Moment {
    let minute = Int((departure.seconds / 60).rounded(.down))
    let known = moments.withLock {
      $0.minutes.last { $0.minute == minute && $0.vehicle == vehicle }?.moment
    }
    if let known { return known }
    let moment = rules.moment(at: departure, vehicle.circumstances)
    moments.withLock { moments in
      moments.minutes.append((minute, vehicle, moment))
      if moments.minutes.count > Self.minuteLimit { moments.minutes.removeFirst() }
    }
    return moment
  }

  /// Returns the map as it is, or is at its best, at a moment of the rules.
  func map(at moment: RuleBook.Moment) -> RouterShared {
    if moment.isUsual { return self }
    if let view = view(at: moment) { return view }
    return making.withLock { _ in
      if let view = view(at: moment) { return view }
      guard let graph = try? rules.graph(at: moment) else { return self }
      let made = RouterShared(self, graph: graph)
      moments.withLock { moments in
        moments.views.append((moment, made))
        if moments.views.count > Self.viewLimit { moments.views.removeFirst() }
      }
      return made
    }
  }

  private func view(at moment: RuleBook.Moment) -> RouterShared? {
    moments.withLock { $0.views.last { $0.moment == moment }?.shared }
  }

  /// Returns the names of the map; built on first use.
  func places() -> PlaceIndex {
    if let known = store.withLock({ $0.places }) { return known }
    let made = PlaceIndex(graph)
    store.withLock { $0.places = made }
    return made
  }

  /// Returns the roads of a mode for the matcher; built on first use.
  func matchingNetwork(_ mode: TravelMode) -> MatchingNetwork {
    if let known = store.withLock({ $0.matching[mode] }) { return known }
    let made = MatchingNetwork(graph: graph, mode: mode)
    store.withLock { $0.matching[mode] = made }
    return made
  }

  /// Returns the traffic that a vehicle's stage has received; nil for none.
  func traffic(of vehicle: String, at now: Instant) -> RequestTraffic? {
    snapshots.counted(of: vehicle, at: now, index: index, graph: graph)
  }
}
