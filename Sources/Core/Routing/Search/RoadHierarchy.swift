public import Contraction
public import RoadGraph

/// The hierarchy over the states of a map for a set of modes, which their customizations are based
/// on.
///
/// The arcs of a state are the turns that lead on from it, including those forbidden by a
/// restriction. Turns that none of the modes may take are left out. The weight of an arc is the
/// cost of its edge and of the turn.
public final class RoadHierarchy: Sendable {
  public let states: RoadStates
  /// The modes that it serves.
  public let modes: TravelModes
  let hierarchy: Hierarchy
  /// Shape `[stateCount + 1]`: the turns from state `s` are `firstTurn[s] ..< firstTurn[s + 1]`.
  let firstTurn: Column<UInt32>
  /// The state that each turn leads to.
  let target: Column<UInt32>

  /// Number of arcs of the hierarchy.
  public var arcCount: Int { hierarchy.arcCount }

  /// The hierarchy of a map in the order stored in its file, or in one computed now.
  ///
  /// The result is nil if no order keeps it small; then plain searches must suffice. It takes some
  /// tens of milliseconds for a city whose file contains an order, otherwise half a second of work.
  public static func make(
    _ states: RoadStates, for modes: TravelModes = .all, inParallel: InParallel = oneByOne
  ) -> RoadHierarchy? {
    let graph = states.graph
    if graph.order.count == graph.edgeCount {
      let stored = Array(graph.order.records)
      if let made = try? RoadHierarchy(states, for: modes, order: stored) { return made }
    }
    let order = DissectionOrder.order(of: graph, inParallel: inParallel) ?? []
    return try? RoadHierarchy(states, for: modes, order: order)
  }

  /// The modes that should share a hierarchy with `mode`.
  ///
  /// Footpaths and the lines across squares are more than a third of the edges of a city. Motor
  /// vehicles have a hierarchy without them, which new traffic customizes that much faster.
  public static func modes(with mode: TravelMode) -> TravelModes {
    mode.isMotorised ? .motorised : .unmotorised
  }

  /// The hierarchy of `modes` for an order of all edges.
  ///
  /// - Throws: `HierarchyFault` for an invalid order, or one that makes far too many arcs.
  public init(
    _ states: RoadStates, for modes: TravelModes = .all, order edges: [EdgeID]
  ) throws(HierarchyFault) {
    self.states = states
    self.modes = modes
    let graph = states.graph
    let restrictions = states.restrictions
    var firstTurn: [UInt32] = [0]
    firstTurn.reserveCapacity(restrictions.stateCount + 1)
    var target: [UInt32] = []
    target.reserveCapacity(2 * restrictions.stateCount)
    let usable = (0..<graph.edgeCount).map { states.modes(on: $0).intersection(modes) }
    for state in 0..<restrictions.stateCount {
      let edge = restrictions.edge(of: state)
      let twin = graph.columns.twin[edge]
      for next in graph.edges(leaving: graph.head(EdgeID(edge))) {
        let allowed = usable[edge].intersection(
          next == twin ? states.turnBack[edge] : usable[next.index])
        if !allowed.isEmpty { target.append(UInt32(restrictions.step(state, next.index).target)) }
      }
      firstTurn.append(UInt32(target.count))
    }
    self.firstTurn = Column(firstTurn)
    self.target = Column(target)
    var order: [UInt32] = []
    order.reserveCapacity(restrictions.stateCount)
    for edge in edges {
      guard edge.index < graph.edgeCount else { throw .notAPermutation(place: order.count) }
      for special in restrictions.states(on: edge.index).reversed() {
        order.append(UInt32(special))
      }
    }
    hierarchy = try Hierarchy(order: order, firstArc: self.firstTurn, arcHead: self.target)
  }
}

/// The cost of each turn of a hierarchy for one mode, independent of traffic and the vehicle's
/// size.
public struct TurnTable: Sendable {
  /// Milliseconds; `UInt32.max` if the turn is not allowed for the mode.
  let costMS: Column<UInt32>

  /// The turns for the mode of `metric`, one of those of `roads`; linear in the turns.
  public init(_ roads: RoadHierarchy, metric: RoadMetric) {
    precondition(roads.modes.contains(metric.network.mode), "a hierarchy of other modes")
    let restrictions = roads.states.restrictions
    let graph = roads.states.graph
    let search = EdgeSearch(metric: metric)
    var costs = [UInt32](repeating: .max, count: roads.target.count)
    for state in 0..<restrictions.stateCount {
      let turns = Int(roads.firstTurn[state])..<Int(roads.firstTurn[state + 1])
      guard !turns.isEmpty else { continue }
      let edge = restrictions.edge(of: state)
      let head = graph.head(EdgeID(edge)).index
      for turn in turns {
        let next = restrictions.edge(of: Int(roads.target[turn]))
        guard metric.network.isUsable(EdgeID(edge)), metric.network.isUsable(EdgeID(next)),
          let step = search.transition(state, edge, next, head)
        else { continue }
        let refusalMS = metric.refusalMS(from: edge, onto: next)
        costs[turn] = UInt32(clamping: step.costMS - refusalMS)
      }
    }
    costMS = Column(costs)
  }
}

/// A metric's costs on the hierarchy: searches on it take microseconds.
///
/// Immutable, like the metric: while new traffic is customized, searches continue with the old one.
public final class CustomizedMetric: Sendable {
  public let metric: RoadMetric
  public let roads: RoadHierarchy
  let weights: HierarchyWeights

  /// Customizes `roads` for `metric`; tens of milliseconds for a city.
  ///
  /// `base` is another metric on the same hierarchy with the same turn costs. If it differs on few
  /// roads, only the parts that depend on these are computed, in some milliseconds. The result is
  /// bit-identical.
  public init(
    _ metric: RoadMetric, on roads: RoadHierarchy, turns: TurnTable,
    base: CustomizedMetric? = nil, inParallel: InParallel = oneByOne
  ) {
    precondition(roads.modes.contains(metric.network.mode), "a hierarchy of other modes")
    self.metric = metric
    self.roads = roads
    if let base, let few = Self.weights(metric, roads, turns, base) {
      weights = few
      return
    }
    let restrictions = roads.states.restrictions
    let (cost, turn) = (metric.costMS.records, turns.costMS.records)
    let firstTurn = roads.firstTurn.records
    var given = [UInt32](repeating: .max, count: roads.target.count)
    for state in 0..<restrictions.stateCount {
      let edgeMS = cost[restrictions.edge(of: state)]
      guard edgeMS != .max else { continue }
      for k in Int(firstTurn[state])..<Int(firstTurn[state + 1]) {
        given[k] = Self.sum(edgeMS, turn[k])
      }
    }
    // Turns onto the few refused roads, and past refused barriers, cost more.
    let (graph, pricing) = (roads.states.graph, metric.pricing)
    func refuse(turnsAt node: NodeID, where isRefused: (Int) -> Bool) {
      for before in graph.edges(entering: node) {
        for state in restrictions.states(on: before.index) {
          for k in Int(firstTurn[state])..<Int(firstTurn[state + 1])
          where isRefused(restrictions.edge(of: Int(roads.target[k]))) {
            given[k] = Self.sum(given[k], Self.refusalMS(metric, roads, state, k))
          }
        }
      }
    }
    for edge in pricing.refused {
      refuse(turnsAt: graph.tail(edge)) { $0 == edge.index }
    }
    for node in pricing.refusedBarriers {
      refuse(turnsAt: node) { !pricing.isRefused($0) }
    }
    weights = HierarchyWeights(roads.hierarchy, inParallel: inParallel) { given[$0] }
  }

  private static func sum(_ edgeMS: UInt32, _ turnMS: UInt32) -> UInt32 {
    let (sum, isTooMuch) = edgeMS.addingReportingOverflow(turnMS)
    return isTooMuch ? .max : sum
  }

  /// The cost of a turn in addition to that for all sizes, if a sign bars the vehicle from the road
  /// it leads to.
  private static func refusalMS(
    _ metric: RoadMetric, _ roads: RoadHierarchy, _ state: Int, _ turn: Int
  ) -> UInt32 {
    let restrictions = roads.states.restrictions
    let next = restrictions.edge(of: Int(roads.target[turn]))
    return UInt32(clamping: metric.refusalMS(from: restrictions.edge(of: state), onto: next))
  }

  /// The weights of `base` with the changes for `metric`; nil if there are too many.
  private static func weights(
    _ metric: RoadMetric, _ roads: RoadHierarchy, _ turns: TurnTable, _ base: CustomizedMetric
  ) -> HierarchyWeights? {
    guard base.roads === roads, base.metric.network === metric.network,
      base.metric.key.turns == metric.key.turns,
      base.metric.key.vehicle == metric.key.vehicle,
      base.metric.key.difficulty == metric.key.difficulty,
      base.metric.key.isCarPool == metric.key.isCarPool
    else { return nil }
    let restrictions = roads.states.restrictions
    let (cost, old) = (metric.costMS.records, base.metric.costMS.records)
    let firstTurn = roads.firstTurn.records
    var arcs: [Int] = []
    for edge in cost.indices where cost[edge] != old[edge] {
      for state in restrictions.states(on: edge) {
        arcs += Int(firstTurn[state])..<Int(firstTurn[state + 1])
      }
      if arcs.count > max(16, roads.target.count / worthwhileShare) { return nil }
    }
    let turn = turns.costMS.records
    return base.weights.changed(arcs) { k, state in
      let edgeMS = cost[restrictions.edge(of: state)]
      guard edgeMS != .max else { return .max }
      return sum(sum(edgeMS, turn[k]), metric.refusesAny ? refusalMS(metric, roads, state, k) : 0)
    }
  }

  /// If more than one in this many turns has changed, computing everything again is faster.
  private static let worthwhileShare = 1000
}
