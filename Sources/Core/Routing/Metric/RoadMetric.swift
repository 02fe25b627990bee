import Foundations
public import RoadGraph
public import Route
public import Traffic

/// Everything that distinguishes two metrics of one map, apart from traffic.
public struct MetricKey: Hashable, Sendable {
  public var mode: TravelMode
  public var optimisation: Optimisation
  public var avoid: Set<Avoidance>
  public var traffic: TrafficUse
  public var avoidCountries: Set<String>
  public var speedCapMps: Double?
  public var vehicle: VehicleSize
  /// The maximum difficulty of roads that the trip accepts.
  public var difficulty: UInt8
  /// Whether the vehicle has enough occupants for car-pool roads.
  public var isCarPool: Bool
  /// Whether avoided roads are practically excluded, so that any detour is preferred.
  public var excludes = false

  public init(_ request: RouteRequest) {
    mode = request.mode
    optimisation = request.optimisation
    avoid = request.avoid
    traffic = request.traffic
    avoidCountries = request.avoidCountries
    speedCapMps = request.speedCapMps
    vehicle = request.vehicle
    difficulty =
      request.maxDifficulty.map { UInt8(clamping: $0) } ?? Difficulty.usual(request.mode)
    isCarPool = request.isCarPool
  }

  /// Whether the trip refuses a road because it is too demanding, or for car pools only.
  func refuses(_ road: RoadAttributes) -> Bool {
    RoadSuitability.refuses(road, mode, difficulty: difficulty, isCarPool: isCarPool)
  }

  /// The part of the key that the turn costs depend on: keys with equal parts share a `TurnTable`.
  public var turns: TurnKey { TurnKey(mode: mode, avoid: avoid.intersection(TurnKey.avoidances)) }
}

/// Everything that distinguishes the turn costs of two metrics.
public struct TurnKey: Hashable, Sendable {
  static let avoidances: Set<Avoidance> = [.difficultTurns, .uTurns]

  public var mode: TravelMode
  public var avoid: Set<Avoidance>
}

/// Costs and times of every edge for one mode of travel, one optimisation, and the traffic of one
/// moment.
///
/// Values are whole milliseconds, so that sums are exact. Immutable: new traffic makes a new
/// metric, and running searches keep the old one. Building it is linear in the edges.
public final class RoadMetric: Sendable {
  public let network: RoadNetwork
  public let key: MetricKey
  /// nil if traffic is ignored.
  public let traffic: TrafficView?
  /// Shape `[edgeCount]`; `UInt32.max` if the mode may not use the edge.
  let costMS: Column<UInt32>
  let freeFlowMS: Column<UInt32>
  let latestMS: Column<UInt32>
  let turns: TurnCosts
  let tuning: RoutingTuning
  let pricing: EdgeCosting
  /// The departure of a trip and the changes during it; nil if prices are those of one moment.
  public let clock: TripClock?
  /// The changes by a request's own preferences; nil for a metric that may be shared.
  let adjustments: RoadAdjustments?

  public init(
    network: RoadNetwork, key: MetricKey, traffic: TrafficView? = nil,
    tuning: RoutingTuning = RoutingTuning()
  ) {
    self.network = network
    self.key = key
    self.traffic = key.traffic == .off ? nil : traffic
    var tuning = tuning
    if key.avoid.contains(.uTurns) { tuning.uTurnMS += tuning.avoidedTurnMS }
    self.tuning = tuning
    adjustments = nil
    clock = nil
    turns = TurnCosts(
      mode: network.mode, tuning: tuning, avoidsDifficult: key.avoid.contains(.difficultTurns))
    let graph = network.graph
    let pricing = EdgeCosting(
      network: network, key: key, traffic: self.traffic, tuning: tuning)
    self.pricing = pricing
    var cost = [UInt32](repeating: .max, count: graph.edgeCount)
    var freeFlow = cost
    var latest = cost
    let traits = network.traits.records
    for index in 0..<graph.edgeCount where traits[index].isUsable {
      let price = pricing.price(of: index)
      cost[index] = price.costMS
      freeFlow[index] = pricing.freeFlowMS(of: index)
      latest[index] = price.latestMS
    }
    costMS = Column(cost)
    freeFlowMS = Column(freeFlow)
    latestMS = Column(latest)
  }

  /// `base` under the traffic of another moment: roads without traffic in both keep their prices.
  ///
  /// Equal to a newly made metric. Linear in the traffic of the two moments, in addition to a copy
  /// of the prices. `base` must not belong to a request.
  public init(_ base: RoadMetric, traffic: TrafficView?) {
    network = base.network
    key = base.key
    turns = base.turns
    tuning = base.tuning
    adjustments = base.adjustments
    clock = nil
    freeFlowMS = base.freeFlowMS
    let traffic = base.key.traffic == .off ? nil : traffic
    self.traffic = traffic
    pricing = EdgeCosting(base.pricing, traffic: traffic)
    let (costs, times) = (CopiedMemory(base.costMS.records), CopiedMemory(base.latestMS.records))
    let (pricing, cost, time) = (self.pricing, costs.buffer, times.buffer)
    let traits = network.traits.records
    base.traffic?.withStates { edges, _ in
      for edge in edges where !(traffic?.knows(edge) ?? false) {
        guard traits[edge.index].isUsable else { continue }
        let price = pricing.price(of: edge.index, under: nil)
        (cost[edge.index], time[edge.index]) = (price.costMS, price.latestMS)
      }
    }
    traffic?.withStates { edges, states in
      for k in edges.indices where traits[edges[k].index].isUsable {
        let edge = edges[k].index
        let price = pricing.price(of: edge, under: states[k])
        (cost[edge], time[edge]) = (price.costMS, price.latestMS)
      }
    }
    costMS = Column(records: UnsafeBufferPointer(costs.buffer), owner: costs)
    latestMS = Column(records: UnsafeBufferPointer(times.buffer), owner: times)
  }

  /// `base` with other adjustments, clock or prices.
  private init(
    _ base: RoadMetric, _ adjustments: RoadAdjustments?, clock: TripClock?, cost: Column<UInt32>,
    latest: Column<UInt32>
  ) {
    network = base.network
    key = base.key
    traffic = base.traffic
    freeFlowMS = base.freeFlowMS
    turns = base.turns
    tuning = base.tuning
    pricing = base.pricing
    self.adjustments = adjustments
    self.clock = clock
    costMS = cost
    latestMS = latest
  }

  /// `base` for a trip whose roads are priced by a clock; free of cost, since all prices are
  /// shared.
  public convenience init(_ base: RoadMetric, clock: TripClock?) {
    self.init(base, base.adjustments, clock: clock, cost: base.costMS, latest: base.latestMS)
  }

  /// The minimum cost of each edge at any moment of a timeline: a lower bound for all trips within
  /// it.
  ///
  /// `liveShare` is the minimum weight on these trips of live values without an end. Linear in the
  /// edges that change, in their changes and in the traffic, in addition to a copy of the prices.
  public init(least base: RoadMetric, over timeline: RoadTimeline, liveShare: Double = 1) {
    network = base.network
    key = base.key
    traffic = base.traffic
    freeFlowMS = base.freeFlowMS
    latestMS = base.latestMS
    turns = base.turns
    tuning = base.tuning
    pricing = base.pricing
    adjustments = base.adjustments
    clock = nil
    let costs = CopiedMemory(base.costMS.records)
    for edge in timeline.changing where base.network.isUsable(edge) {
      costs.buffer[edge.index] = base.leastMS(of: edge, over: timeline, liveShare: liveShare)
    }
    if liveShare < 1 {
      let (pricing, cost, traits) = (base.pricing, costs.buffer, network.traits.records)
      traffic?.withStates { edges, states in
        for k in edges.indices where states[k].isOpenEnded && traits[edges[k].index].isUsable {
          let edge = edges[k]
          guard !timeline.changes(edge.index) else { continue }
          if states[k].hidesDelay {
            cost[edge.index] = base.leastMS(of: edge, over: timeline, liveShare: liveShare)
            continue
          }
          // The time is monotonic in the share.
          let faded = pricing.price(of: edge.index, under: states[k].faded(to: liveShare))
          cost[edge.index] = min(cost[edge.index], faded.costMS)
        }
      }
    }
    costMS = Column(records: UnsafeBufferPointer(costs.buffer), owner: costs)
  }

  /// Prices equal to `base`'s if these times `share` are at most `least`'s, and lower on all other
  /// edges.
  ///
  /// The metric's distances times `share` are therefore lower bounds for the distances of `least`.
  /// Linear in the edges.
  init(base: RoadMetric, least: RoadMetric, share: Double) {
    network = base.network
    key = base.key
    traffic = base.traffic
    freeFlowMS = base.freeFlowMS
    latestMS = base.latestMS
    turns = base.turns
    tuning = base.tuning
    pricing = base.pricing
    adjustments = base.adjustments
    clock = nil
    let costs = CopiedMemory(base.costMS.records)
    let lowest = least.costMS.records
    for edge in lowest.indices where Double(lowest[edge]) < Double(costs.buffer[edge]) * share {
      costs.buffer[edge] = UInt32(Double(lowest[edge]) / share)
    }
    costMS = Column(records: UnsafeBufferPointer(costs.buffer), owner: costs)
  }

  /// This metric with other costs on some edges, and whether none of them is lower than before.
  func adjusted(by adjustments: RoadAdjustments) -> (metric: RoadMetric, isDearer: Bool) {
    var costs: [(EdgeID, UInt32)] = []
    var times: [(EdgeID, UInt32)] = []
    var isDearer = true
    for (edge, change) in adjustments.changes {
      let price = pricing.price(
        of: edge.index, speedFactor: change.speedFactor, isAvoided: change.isAvoided,
        isClosed: change.costsAsClosed)
      if price.costMS < costMS[edge.index] { isDearer = false }
      costs.append((edge, price.costMS))
      if price.latestMS != latestMS[edge.index] { times.append((edge, price.latestMS)) }
    }
    let changed = RoadMetric(
      self, adjustments, clock: clock, cost: costMS.with(costs),
      latest: times.isEmpty ? latestMS : latestMS.with(times))
    return (changed, isDearer)
  }

  /// Whether an edge is closed by traffic, and closures count.
  public func isClosed(_ edge: EdgeID) -> Bool {
    key.traffic == .flowAndClosures && traffic?.state(of: edge)?.isClosed ?? false
  }

  /// Whether an edge is closed by traffic at a moment of the metric's trip; nil for the moment of
  /// its prices.
  func isClosed(_ edge: EdgeID, at moment: Instant?) -> Bool {
    guard let moment, let clock, changes(edge, clock) else { return isClosed(edge) }
    return key.traffic == .flowAndClosures && state(of: edge, at: moment)?.isClosed ?? false
  }

  /// Whether a time-dependent rule forbids an edge at a moment of the metric's trip.
  func isForbidden(_ edge: EdgeID, at moment: Instant?) -> Bool {
    guard let moment, let rules = clock?.timeline.rules else { return false }
    let road = rules.value(of: edge, at: moment)?.road
    return road.map { !EdgeTraits(attributes: $0, mode: key.mode).isUsable } ?? false
  }

  /// Whether an edge is for car pools only at a moment of the metric's trip, and the vehicle is not
  /// one; nil for the moment of its prices.
  func isClosedToLone(_ edge: EdgeID, at moment: Instant?) -> Bool {
    RoadSuitability.isClosedToLone(
      road(edge, at: moment), key.mode, isCarPool: key.isCarPool)
  }

  /// The attributes of an edge at a moment of the metric's trip; nil for the moment of its prices.
  func road(_ edge: EdgeID, at moment: Instant?) -> RoadAttributes {
    let timed = moment.flatMap { clock?.timeline.rules?.value(of: edge, at: $0)?.road }
    return timed ?? network.graph.attributes(edge)
  }

  /// Whether the edge is open only to trips that begin or end there, at a moment of the metric's
  /// trip.
  func isRestricted(_ edge: EdgeID, at moment: Instant?) -> Bool {
    guard let moment, let road = clock?.timeline.rules?.value(of: edge, at: moment)?.road else {
      return network.isRestricted(edge)
    }
    let traits = EdgeTraits(attributes: road, mode: key.mode)
    // A road that is forbidden at the moment is closed, not private.
    return traits.isUsable ? traits.level > 0 : network.isRestricted(edge)
  }

  /// The traffic on an edge at a moment of the metric's trip; nil for the moment of its prices.
  func state(of edge: EdgeID, at moment: Instant?) -> TrafficState? {
    guard let moment, let clock, changes(edge, clock) else {
      return traffic?.state(of: edge)
    }
    return key.traffic == .off ? nil : value(of: edge.index, at: moment, clock).state
  }

  /// Milliseconds that the turn from one edge onto the next takes, including the wait for a ferry.
  ///
  /// The price is the same for each optimisation.
  func turnMS(from e: Int, onto f: Int) -> UInt64 {
    angleMS(from: e, onto: f) + boardingMS(from: e, onto: f)
  }

  /// Milliseconds that the turn from one edge onto the next takes, without any wait for a ferry.
  func angleMS(from e: Int, onto f: Int) -> UInt64 {
    let graph = network.graph
    if graph.columns.twin[e].index == f { return tuning.uTurnMS }
    let node = network.nodes[graph.columns.head[e].index]
    var cost: UInt64 = 0
    if node.contains(.junction) {
      let angle = Int(network.headings.atTail[f] &- network.headings.atHead[e])
      let table = network.traits[e].contains(.leftHand) ? turns.onLeft : turns.onRight
      cost = UInt64(table[angle])
    }
    if node.contains(.signals) { cost += tuning.signalMS }
    return cost
  }

  /// The cost of entering `f` from `e` in addition to time, if the right to drive through is
  /// missing.
  func entryMS(from e: Int, onto f: Int) -> UInt64 {
    landMS(from: e, onto: f) + refusalMS(from: e, onto: f) + detourMS(from: e, onto: f)
  }

  /// The cost of entering `f` from `e` in addition to time, because no driver does that to gain
  /// seconds.
  func detourMS(from e: Int, onto f: Int) -> UInt64 {
    let (from, onto) = (network.traits[e], network.traits[f])
    if onto.contains(.service), !from.contains(.service) { return tuning.enterServiceMS }
    return onto.contains(.ramp) && network.rejoins(from: e, onto: f) ? tuning.offAndOnMS : 0
  }

  /// Whether the trip refuses some road of the map: a sign bars the vehicle, or the road does not
  /// suit it.
  var refusesAny: Bool { pricing.refusesAny }

  /// Whether a sign at the node between two edges, or on the second one, bars the vehicle.
  func refuses(from e: Int, onto f: Int) -> Bool {
    pricing.isRefused(f)
      || network.barrierAttribute(from: e, onto: f).map { pricing.isRefused(attribute: $0) }
        ?? false
  }

  /// The cost of entering `f` from `e`, if `f` or the node is the first where a sign bars the
  /// vehicle.
  func refusalMS(from e: Int, onto f: Int) -> UInt64 {
    guard refusesAny, !pricing.isRefused(e), refuses(from: e, onto: f) else { return 0 }
    return tuning.refusedMS
  }

  /// The cost of entering `f` from `e`, in addition to its time, at a time in milliseconds after
  /// the departure.
  func entryMS(from e: Int, onto f: Int, atMS timeMS: UInt64) -> UInt64 {
    guard let clock, let rules = clock.timeline.rules else { return entryMS(from: e, onto: f) }
    let moment = clock.moment(atMS: timeMS)
    func level(_ edge: Int) -> UInt8 {
      let road = rules.value(of: EdgeID(edge), at: moment)?.road
      // If the road is forbidden at the moment, the vehicle waits for it to open.
      let level = road.map { EdgeTraits(attributes: $0, mode: key.mode).level }
      return level.flatMap { $0 < 3 ? $0 : nil } ?? network.traits[edge].level
    }
    let onto = max(level(f), network.barrierLevel(from: e, onto: f))
    return landMS(from: level(e), onto: onto) + refusalMS(from: e, onto: f)
      + detourMS(from: e, onto: f)
  }

  private func landMS(from e: Int, onto f: Int) -> UInt64 {
    landMS(
      from: network.traits[e].level,
      onto: max(network.traits[f].level, network.barrierLevel(from: e, onto: f)))
  }

  private func landMS(from old: UInt8, onto new: UInt8) -> UInt64 {
    guard new > old else { return 0 }
    return (old < 1 ? tuning.enterDestinationMS : 0) + (new > 1 ? tuning.enterPrivateMS : 0)
  }
}

extension Avoidance {
  /// Whether a road is of the kind to be avoided.
  public func applies(to road: RoadAttributes) -> Bool {
    switch self {
    case .tolls: road.flags.contains(.toll)
    case .motorways: road.roadClass == .motorway
    case .ferries: road.flags.contains(.ferry)
    case .tunnels: road.flags.contains(.tunnel)
    case .unpaved: road.flags.contains(.unpaved)
    case .carPool: road.flags.contains(.carPool)
    case .lowEmissionZones: road.flags.contains(.lowEmissionZone)
    case .difficultTurns, .uTurns: false
    }
  }
}

extension Column<UInt32> {
  /// A copy with other records at some indices.
  fileprivate func with(_ changes: [(EdgeID, UInt32)]) -> Column {
    let memory = CopiedMemory(records)
    for (edge, value) in changes { memory.buffer[edge.index] = value }
    return Column(records: UnsafeBufferPointer(memory.buffer), owner: memory)
  }
}

private final class CopiedMemory {
  let buffer: UnsafeMutableBufferPointer<UInt32>

  init(_ records: UnsafeBufferPointer<UInt32>) {
    buffer = .allocate(capacity: records.count)
    _ = buffer.initialize(from: records)
  }

  deinit { buffer.deallocate() }
}
