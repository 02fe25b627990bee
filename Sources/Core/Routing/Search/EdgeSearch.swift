import RoadGraph

/// Where a search begins: partway along the edge of a state, with the cost so far.
struct SearchSource {
  var state: Int
  var offsetM: Double
  var costMS: UInt64
  /// Milliseconds since the departure of the metric's trip; only time-dependent values depend on
  /// it.
  var timeMS: UInt64 = 0
  /// Whether its edge was entered on the path to it, so that the trip does not begin on it.
  var isEntered = false
}

/// Where a search may end: partway along the edge of a state, with a cost for ending there.
struct SearchTarget {
  var state: Int
  var offsetM: Double
  var costMS: UInt64
}

/// The cheapest path from one of the sources to one of the targets.
struct SearchResult {
  var costMS: UInt64
  var source: Int
  var target: Int
  /// Whether it stays within the edge on which it begins.
  var isDirect: Bool
  /// States from the one after the source's to the target's; only that one for a direct path.
  var states: [Int]
  /// Milliseconds from the departure to the target, if the metric has a clock.
  var timeMS: UInt64 = 0
}

/// Exact search for the cheapest path between positions within edges, with turns and restrictions.
///
/// Bidirectional Dijkstra search over the states of the turn restriction automaton; T. A. J.
/// Nicholson, "Finding the shortest route between two points in a network", Computer J. 9 (1966). A
/// label is the cost up to the *start* of a state's edge, including the turn into it. Positions
/// within edges are not states: the sources give labels to the states that follow them, so that an
/// edge can be reached again.
struct EdgeSearch {
  let metric: RoadMetric
  /// Whether forbidden turns cost `RoutingTuning.restrictedTurnMS` instead of being forbidden.
  let relaxesRestrictions: Bool
  let isCancelled: () -> Bool
  /// If the costs are customized, the hierarchy finds the path.
  private let customized: CustomizedMetric?
  /// Lower bounds of the costs of this search, to guide it.
  let guide: SearchBound?

  /// Whether edges are priced for the moment at which they are reached.
  let isTimed: Bool
  private let costs: Column<UInt32>
  // Flat views of the data read in the loops; `metric` and `costs` own the memory.
  private let cost: UnsafeBufferPointer<UInt32>
  private let head: UnsafeBufferPointer<NodeID>
  private let tail: UnsafeBufferPointer<NodeID>
  private let twin: UnsafeBufferPointer<EdgeID>
  private let firstOut: UnsafeBufferPointer<UInt32>
  private let firstIn: UnsafeBufferPointer<UInt32>
  private let inEdge: UnsafeBufferPointer<EdgeID>
  private let traits: UnsafeBufferPointer<EdgeTraits>
  private let nodes: UnsafeBufferPointer<NodeTraits>
  private let atTail: UnsafeBufferPointer<UInt8>
  private let atHead: UnsafeBufferPointer<UInt8>
  private let onRight: UnsafeBufferPointer<UInt32>
  private let onLeft: UnsafeBufferPointer<UInt32>
  private let restrictions: TurnRestrictionAutomaton
  private let mode: TravelMode
  private let refusesAny: Bool
  /// Whether a sign may bar the vehicle from any road; otherwise only demanding roads are refused.
  private let refusesBySize: Bool
  private let tuning: RoutingTuning

  /// A search on the costs of `metric`, or on other costs for its edges.
  init(
    metric: RoadMetric, costs: Column<UInt32>? = nil, customized: CustomizedMetric? = nil,
    guide: SearchBound? = nil, relaxesRestrictions: Bool = false,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.metric = metric
    self.customized = customized
    self.guide = guide
    self.costs = costs ?? metric.costMS
    isTimed = costs == nil && metric.clock != nil
    self.relaxesRestrictions = relaxesRestrictions
    self.isCancelled = isCancelled
    let network = metric.network
    let columns = network.graph.columns
    cost = self.costs.records
    head = columns.head.records
    tail = columns.tail.records
    twin = columns.twin.records
    firstOut = columns.firstOut.records
    firstIn = columns.firstIn.records
    inEdge = columns.inEdge.records
    traits = network.traits.records
    nodes = network.nodes.records
    atTail = network.headings.atTail.records
    atHead = network.headings.atHead.records
    onRight = metric.turns.onRight.records
    onLeft = metric.turns.onLeft.records
    restrictions = network.restrictions
    mode = network.mode
    refusesAny = metric.refusesAny
    refusesBySize = metric.key.vehicle != VehicleSize()
    tuning = metric.tuning
  }

  // MARK: Costs

  /// Cost of the turn from `e` onto `f` at node `v`, including entry into restricted land; nil if
  /// it is not allowed.
  @inline(__always) private func turn(_ e: Int, _ f: Int, _ v: Int) -> UInt64? {
    var total: UInt64 = 0
    let from = traits[e]
    if Int(twin[e].rawValue) == f {
      guard from.contains(.turnBack) else { return nil }
      total = tuning.uTurnMS
    } else {
      let node = nodes[v]
      if node.contains(.junction) {
        let angle = Int(atTail[f] &- atHead[e])
        total = UInt64(from.contains(.leftHand) ? onLeft[angle] : onRight[angle])
      }
      if node.contains(.signals) { total += tuning.signalMS }
    }
    let onto = traits[f]
    if onto.contains(.boarding), !from.contains(.ferry) { total += metric.boardingMS(of: f) }
    let mayRefuse = refusesAny && (refusesBySize || onto.contains(.demanding))
    if mayRefuse || onto.level > from.level || from.contains(.guarded)
      || !onto.isDisjoint(with: [.ramp, .service])
    {
      total += metric.entryMS(from: e, onto: f)
    }
    return total
  }

  /// The state after `state` onto edge `f`; nil if a restriction forbids it.
  @inline(__always) private func step(_ state: Int, _ f: Int, _ extra: inout UInt64) -> Int? {
    let (target, forbidden) = restrictions.step(state, f)
    if forbidden.contains(mode) {
      guard relaxesRestrictions else { return nil }
      extra += tuning.restrictedTurnMS
    }
    return target
  }

  /// The state after driving from `state` on edge `e` onto `f` at node `v`, and its cost; nil if it
  /// is not allowed.
  func transition(_ state: Int, _ e: Int, _ f: Int, _ v: Int) -> (state: Int, costMS: UInt64)? {
    guard var turnMS = turn(e, f, v), let next = step(state, f, &turnMS) else { return nil }
    return (next, turnMS)
  }

  /// Cost of the first `offsetM` metres of an edge.
  func partMS(_ edge: Int, _ offsetM: Double) -> UInt64 {
    let lengthM = metric.network.graph.lengthM(EdgeID(edge))
    guard lengthM > 0 else { return 0 }
    let part = Double.minimum(1, Double.maximum(0, offsetM / lengthM))
    return UInt64((Double(cost[edge]) * part).rounded())
  }

  /// Cost of an edge after its first `offsetM` metres.
  func restMS(_ edge: Int, _ offsetM: Double) -> UInt64 {
    UInt64(cost[edge]) - partMS(edge, offsetM)
  }

  // MARK: Search

  /// The cheapest path; nil if no source reaches a target, or the search was cancelled.
  func run(
    from sources: [SearchSource], to targets: [SearchTarget], in space: inout SearchSpace
  ) -> SearchResult? {
    guard mayReach(targets, from: sources) else { return nil }
    if isTimed { return runTimed(from: sources, to: targets, in: &space) }
    // Costs that exceed the hierarchy's range are left to the plain search.
    if let customized, let found = run(on: customized, from: sources, to: targets, in: &space.climb)
    {
      return found
    }
    if let guide = guide?.customized,
      let found = run(guidedBy: guide, from: sources, to: targets, in: &space)
    {
      return found
    }
    space.reset(stateCount: restrictions.stateCount)
    var best = direct(sources, targets)
    var bestMS = best?.costMS ?? .max
    var meeting: Int?
    for (index, target) in targets.enumerated() {
      let edge = restrictions.edge(of: target.state)
      guard cost[edge] != .max else { continue }
      _ = space.backward.relax(
        target.state, target.costMS + partMS(edge, target.offsetM),
        parent: SearchHalf.firstRoot + UInt32(index))
    }
    for (index, source) in sources.enumerated() {
      let edge = restrictions.edge(of: source.state)
      guard cost[edge] != .max else { continue }
      let restMS = restMS(edge, source.offsetM)
      expandForward(
        source.state, edge, source.costMS + restMS, parent: SearchHalf.firstRoot + UInt32(index),
        &space, &bestMS, &meeting)
    }
    var steps = 0
    while let forwardMS = space.forward.topMS, let backwardMS = space.backward.topMS,
      forwardMS + backwardMS < bestMS
    {
      steps += 1
      if steps & 0xfff == 0, isCancelled() { return nil }
      if forwardMS <= backwardMS {
        guard let (state, costMS) = space.forward.pop() else { continue }
        let edge = restrictions.edge(of: state)
        expandForward(
          state, edge, costMS + UInt64(cost[edge]), parent: UInt32(state), &space, &bestMS, &meeting
        )
      } else {
        guard let (state, costMS) = space.backward.pop() else { continue }
        expandBackward(state, costMS, &space, &bestMS, &meeting)
      }
    }
    if let meeting { best = path(through: meeting, costMS: bestMS, space) }
    return best
  }

  /// Whether any target lies in the same part of the network as a source; otherwise there is
  /// certainly no path.
  private func mayReach(_ targets: [SearchTarget], from sources: [SearchSource]) -> Bool {
    let parts = metric.network.parts
    func part(_ state: Int) -> UInt32 { parts.number(of: tail[restrictions.edge(of: state)]) }
    return targets.contains { target in
      let there = part(target.state)
      return sources.contains { part($0.state) == there }
    }
  }

  /// Labels the states after `state`; `costMS` is the cost up to the end of its edge.
  @inline(__always) private func expandForward(
    _ state: Int, _ e: Int, _ costMS: UInt64, parent: UInt32, _ space: inout SearchSpace,
    _ bestMS: inout UInt64, _ meeting: inout Int?
  ) {
    let v = head[e].index
    for f in Int(firstOut[v])..<Int(firstOut[v + 1]) where cost[f] != .max {
      guard var turnMS = turn(e, f, v), let next = step(state, f, &turnMS) else { continue }
      let labelMS = costMS + turnMS
      guard space.forward.relax(next, labelMS, parent: parent) else { continue }
      if let restMS = space.backward.cost(next), labelMS + restMS < bestMS {
        bestMS = labelMS + restMS
        meeting = next
      }
    }
  }

  /// Labels the states before `state`; `costMS` is the cost from the start of its edge on.
  @inline(__always) private func expandBackward(
    _ state: Int, _ costMS: UInt64, _ space: inout SearchSpace, _ bestMS: inout UInt64,
    _ meeting: inout Int?
  ) {
    let f = restrictions.edge(of: state)
    let v = tail[f].index
    for slot in Int(firstIn[v])..<Int(firstIn[v + 1]) {
      let e = inEdge[slot].index
      guard cost[e] != .max, let turnMS = turn(e, f, v) else { continue }
      let labelMS = costMS + turnMS + UInt64(cost[e])
      relaxBackward(e, f, state, labelMS, &space, &bestMS, &meeting)
      let first = restrictions.firstSpecial.records
      for k in Int(first[e])..<Int(first[e + 1]) {
        let special = Int(restrictions.special.records[k])
        relaxBackward(special, f, state, labelMS, &space, &bestMS, &meeting)
      }
    }
  }

  @inline(__always) private func relaxBackward(
    _ before: Int, _ f: Int, _ state: Int, _ costMS: UInt64, _ space: inout SearchSpace,
    _ bestMS: inout UInt64, _ meeting: inout Int?
  ) {
    var labelMS = costMS
    guard step(before, f, &labelMS) == state else { return }
    guard space.backward.relax(before, labelMS, parent: UInt32(state)) else { return }
    if let startMS = space.forward.cost(before), labelMS + startMS < bestMS {
      bestMS = labelMS + startMS
      meeting = before
    }
  }

  /// The best path that stays within one edge.
  func direct(_ sources: [SearchSource], _ targets: [SearchTarget]) -> SearchResult? {
    var best: SearchResult?
    for (s, source) in sources.enumerated() {
      for (t, target) in targets.enumerated() where target.state == source.state {
        let edge = restrictions.edge(of: source.state)
        guard cost[edge] != .max, target.offsetM >= source.offsetM else { continue }
        let onMS = partMS(edge, target.offsetM) - partMS(edge, source.offsetM)
        let costMS = source.costMS + target.costMS + onMS
        guard costMS < best?.costMS ?? .max else { continue }
        best = SearchResult(
          costMS: costMS, source: s, target: t, isDirect: true, states: [source.state])
      }
    }
    return best
  }

  private func path(
    through meeting: Int, costMS: UInt64, _ space: borrowing SearchSpace
  ) -> SearchResult {
    var states = [meeting]
    var parent = space.forward.parent(meeting)
    while parent < SearchHalf.firstRoot {
      states.append(Int(parent))
      parent = space.forward.parent(Int(parent))
    }
    let source = Int(parent - SearchHalf.firstRoot)
    states.reverse()
    parent = space.backward.parent(meeting)
    while parent < SearchHalf.firstRoot {
      states.append(Int(parent))
      parent = space.backward.parent(Int(parent))
    }
    return SearchResult(
      costMS: costMS, source: source, target: Int(parent - SearchHalf.firstRoot),
      isDirect: false, states: states)
  }
}
