public import RoadGraph
public import Route
public import Traffic

/// What makes two metrics of one map different, traffic aside.
public struct MetricKey: Hashable, Sendable {
  public var mode: TravelMode
  public var optimisation: Optimisation
  public var avoid: Set<Avoidance>
  public var traffic: TrafficUse

  public init(_ request: RouteRequest) {
    mode = request.mode
    optimisation = request.optimisation
    avoid = request.avoid
    traffic = request.traffic
  }
}

/// Costs and times of every edge for one way of travelling, one aim, and the traffic of one moment.
///
/// Whole milliseconds, so that sums are exact. Immutable: new traffic makes a new metric, and searches
/// under way keep theirs. Building it is linear in the edges.
public final class RoadMetric: Sendable {
  public let network: RoadNetwork
  public let key: MetricKey
  /// nil where no traffic counts.
  public let traffic: TrafficView?
  /// Shape `[edgeCount]`; `UInt32.max` where the mode may not go.
  let costMS: Column<UInt32>
  let freeFlowMS: Column<UInt32>
  let latestMS: Column<UInt32>
  let turns: TurnCosts
  let tuning: RoutingTuning

  public init(
    network: RoadNetwork, key: MetricKey, traffic: TrafficView? = nil,
    tuning: RoutingTuning = RoutingTuning()
  ) {
    self.network = network
    self.key = key
    self.traffic = key.traffic == .off ? nil : traffic
    self.tuning = tuning
    turns = TurnCosts(mode: network.mode, tuning: tuning)
    let graph = network.graph
    let pricing = EdgePricing(
      network: network, key: key, traffic: self.traffic, tuning: tuning)
    var cost = [UInt32](repeating: .max, count: graph.edgeCount)
    var freeFlow = cost
    var latest = cost
    for index in 0..<graph.edgeCount where network.traits[index].isUsable {
      let price = pricing.price(of: EdgeID(index))
      cost[index] = price.costMS
      freeFlow[index] = price.freeFlowMS
      latest[index] = price.latestMS
    }
    costMS = Column(cost)
    freeFlowMS = Column(freeFlow)
    latestMS = Column(latest)
  }

  /// Milliseconds that the turn from one edge onto the next takes; at the same price whatever the aim.
  func turnMS(from e: Int, onto f: Int) -> UInt64 {
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

  /// What entering `f` from `e` costs beside time, for want of a right to drive through.
  func entryMS(from e: Int, onto f: Int) -> UInt64 {
    let old = network.traits[e].level
    let new = network.traits[f].level
    guard new > old else { return 0 }
    return (old < 1 ? tuning.enterDestinationMS : 0) + (new > 1 ? tuning.enterPrivateMS : 0)
  }
}

/// How an edge comes by its costs and times.
struct EdgePricing {
  let network: RoadNetwork
  let key: MetricKey
  let traffic: TrafficView?
  let tuning: RoutingTuning

  struct Price {
    var costMS: UInt32
    var freeFlowMS: UInt32
    var latestMS: UInt32
  }

  func price(of edge: EdgeID) -> Price {
    let graph = network.graph
    let road = graph.attributes(edge)
    let lengthM = graph.lengthM(edge)
    let freeFlowMps = road.freeFlowMps(key.mode)
    let crossingS = Double(road.crossingS)
    let freeFlowS = crossingS > 0 ? crossingS : freeFlowMps > 0 ? lengthM / freeFlowMps : 0
    var latestS = freeFlowS
    var isClosed = false
    if let state = traffic?.state(of: edge), key.mode.isMotorised, crossingS == 0 {
      isClosed = state.isClosed && key.traffic == .flowAndClosures
      if !state.isClosed {
        latestS = lengthM / state.speedMps(freeFlowMps: freeFlowMps, mode: key.mode)
      }
    }
    let timeMS = Self.ms(latestS)
    // Metres count as the time that they take at 50 km/h (on foot and by bicycle at 15 km/h).
    let lengthMS = Self.ms(lengthM / (key.mode.isMotorised ? 50 : 15) * 3.6)
    var cost: UInt64 =
      switch key.optimisation {
      case .fastest: UInt64(timeMS)
      case .shortest: UInt64(lengthMS)
      case .balanced: (UInt64(timeMS) + UInt64(lengthMS)) / 2
      }
    if isAvoided(road) { cost *= tuning.avoidFactor }
    if isClosed { cost = cost * tuning.closedFactor + tuning.closedMS }
    return Price(
      costMS: UInt32(min(cost, UInt64(UInt32.max - 1))), freeFlowMS: Self.ms(freeFlowS),
      latestMS: timeMS)
  }

  private func isAvoided(_ road: RoadAttributes) -> Bool {
    key.avoid.contains { $0.applies(to: road) }
  }

  // A step of no length still costs something, so that no circle is free.
  private static func ms(_ seconds: Double) -> UInt32 {
    UInt32(Double.maximum(1, Double.minimum(4e9, (seconds * 1000).rounded())))
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
    }
  }
}
