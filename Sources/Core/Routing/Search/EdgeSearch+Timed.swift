import Contraction
import RoadGraph
import Route

extension EdgeSearch {
  /// The cheapest path if prices depend on when a road is reached; nil if no source reaches a
  /// target.
  ///
  /// Labels of cost and time are settled in the order of their cost plus a lower bound for the
  /// rest. This is A* guided by a hierarchy whose metric has the lowest price of each edge (B.
  /// Strasser, T. Zeitz, "A fast and tight heuristic for A* in road networks", SEA 2021). Without a
  /// guide the bound is zero. A label is dropped if another one at the same state is no later and
  /// would cost no more after waiting for it. That is exact, since a later departure never arrives
  /// earlier. If the bounds are valid only for short trips and the result may take longer, the
  /// search is repeated without them.
  func runTimed(
    from sources: [SearchSource], to targets: [SearchTarget], in space: inout SearchSpace
  ) -> SearchResult? {
    let found = runTimed(from: sources, to: targets, guide: guide, in: &space)
    guard let found, let untilMS = guide?.untilMS else { return found }
    // Time is part of the cost, so no cheaper path arrives later than this.
    let latestMS = sources.map { $0.timeMS + (found.costMS - min(found.costMS, $0.costMS)) }.max()
    return latestMS ?? 0 <= untilMS
      ? found : runTimed(from: sources, to: targets, guide: nil, in: &space)
  }

  private func runTimed(
    from sources: [SearchSource], to targets: [SearchTarget], guide: SearchBound?,
    in space: inout SearchSpace
  ) -> SearchResult? {
    if let customized = guide?.customized {
      let below = EdgeSearch(metric: customized.metric)
      space.potential.reset(customized.weights, to: targets.map { below.seed($0) })
    }
    let restrictions = metric.network.restrictions
    let graph = metric.network.graph
    space.timed.reset(stateCount: restrictions.stateCount)
    var best = timedDirect(sources, targets)
    var bestMS = best?.costMS ?? .max
    var last: (label: Int, target: Int, timeMS: UInt64)?
    for (index, source) in sources.enumerated() where isUsable(source.state) {
      for step in steps(from: source) {
        enter(step.source, from: ~Int32(index), guide, &space)
      }
    }
    var count = 0
    while let keyMS = space.timed.topMS, keyMS < bestMS {
      count += 1
      if count & 0xfff == 0, isCancelled() { return nil }
      guard let (number, label) = space.timed.popFirst() else { continue }
      let state = Int(label.state)
      let edge = restrictions.edge(of: state)
      for (index, target) in targets.enumerated() where target.state == state {
        let share = share(of: edge, target.offsetM)
        guard
          let driven = metric.traversal(of: edge, share: share, atMS: label.timeMS, mayWait: true)
        else { continue }
        let totalMS = label.costMS + target.costMS + driven.costMS
        guard totalMS < bestMS else { continue }
        bestMS = totalMS
        last = (number, index, label.timeMS + driven.timeMS)
      }
      guard let driven = metric.traversal(of: edge, atMS: label.timeMS, mayWait: true) else {
        continue
      }
      let head = graph.head(EdgeID(edge)).index
      let (endMS, timeMS) = (label.costMS + driven.costMS, label.timeMS + driven.timeMS)
      for next in graph.edges(leaving: NodeID(head)) where isUsable(next.index) {
        guard let step = transition(state, edge, next.index, head, atMS: timeMS) else { continue }
        enter(
          SearchSource(
            state: step.state, offsetM: 0, costMS: endMS + step.costMS,
            timeMS: timeMS + step.timeMS), from: Int32(number), guide, &space)
      }
    }
    guard let last else { return best }
    let (states, root) = space.timed.path(to: last.label)
    best = SearchResult(
      costMS: bestMS, source: Int(~root), target: last.target, isDirect: false, states: states,
      timeMS: last.timeMS)
    return best
  }

  /// The share of an edge that its first `offsetM` metres make up.
  func share(of edge: Int, _ offsetM: Double) -> Double {
    let lengthM = metric.network.graph.lengthM(EdgeID(edge))
    return lengthM > 0 ? Double.minimum(1, Double.maximum(0, offsetM / lengthM)) : 0
  }

  /// The state after driving from `state` on edge `e` onto `f` at node `v` at a time, with its cost
  /// and duration.
  ///
  /// The result is nil if that is not allowed.
  func transition(
    _ state: Int, _ e: Int, _ f: Int, _ v: Int, atMS timeMS: UInt64
  ) -> (state: Int, costMS: UInt64, timeMS: UInt64)? {
    guard let (next, costMS) = transition(state, e, f, v) else { return nil }
    guard isTimed, let clock = metric.clock else { return (next, costMS, 0) }
    let boardingMS = metric.boardingMS(from: e, onto: f, atMS: timeMS)
    let turnMS = metric.angleMS(from: e, onto: f) + boardingMS
    guard let rules = clock.timeline.rules else { return (next, costMS, turnMS) }
    var cost = costMS - metric.entryMS(from: e, onto: f)
    cost = cost - metric.boardingMS(from: e, onto: f) + boardingMS
    cost += metric.entryMS(from: e, onto: f, atMS: timeMS)
    let forbidden = rules.forbidden(
      from: EdgeID(e), onto: EdgeID(f), at: clock.moment(atMS: timeMS))
    if forbidden.contains(metric.network.mode) {
      guard relaxesRestrictions else { return nil }
      cost += metric.tuning.restrictedTurnMS
    }
    return (next, cost, turnMS)
  }

  private func enter(
    _ place: SearchSource, from parent: Int32, _ guide: SearchBound?, _ space: inout SearchSpace
  ) {
    var aheadMS: UInt64 = 0
    if let guide {
      guard let cost = space.potential.cost(guide.customized.weights, from: place.state) else {
        return
      }
      aheadMS = guide.scaled(cost)
    }
    space.timed.enter(
      TimedLabel(
        state: UInt32(place.state), parent: parent, costMS: place.costMS, timeMS: place.timeMS),
      aheadMS: aheadMS, waitingShare: waitingShare)
  }

  /// The cost of a second for the optimisation, in 256ths of a second.
  private var waitingShare: UInt64 {
    switch metric.key.optimisation {
    case .fastest: 256
    case .balanced: 128
    case .shortest: 0
    }
  }

  /// The best path that stays within one edge, by the time at which the edge is entered.
  private func timedDirect(
    _ sources: [SearchSource], _ targets: [SearchTarget]
  ) -> SearchResult? {
    var best: SearchResult?
    for (s, source) in sources.enumerated() {
      for (t, target) in targets.enumerated() where target.state == source.state {
        let edge = metric.network.restrictions.edge(of: source.state)
        let share = share(of: edge, target.offsetM) - share(of: edge, source.offsetM)
        guard isUsable(source.state), target.offsetM >= source.offsetM,
          let driven = metric.traversal(
            of: edge, share: share, atMS: source.timeMS, mayWait: source.isEntered)
        else { continue }
        let costMS = source.costMS + target.costMS + driven.costMS
        guard costMS < best?.costMS ?? .max else { continue }
        best = SearchResult(
          costMS: costMS, source: s, target: t, isDirect: true, states: [source.state],
          timeMS: source.timeMS + driven.timeMS)
      }
    }
    return best
  }
}

/// A path by which the start of a state's edge was reached.
struct TimedLabel: BitwiseCopyable {
  var state: UInt32
  /// The previous label; for the first, the bitwise complement of its source's number.
  var parent: Int32
  var costMS: UInt64
  var timeMS: UInt64
  /// Another label at the same state; -1 for none.
  var next: Int32 = -1
  var isDominated = false
}

/// The labels of a search with several relevant labels per state, and the queue of labels to be
/// settled.
struct TimedLabels {
  private var labels: [TimedLabel] = []
  /// The newest label of each state; -1 for none.
  private var first: [Int32] = []
  private var heap: [(keyMS: UInt64, label: Int32)] = []

  /// Linear in the labels of the last search.
  mutating func reset(stateCount: Int) {
    if first.count < stateCount {
      first = [Int32](repeating: -1, count: stateCount)
    } else {
      for label in labels { first[Int(label.state)] = -1 }
    }
    labels.removeAll(keepingCapacity: true)
    heap.removeAll(keepingCapacity: true)
  }

  /// The lowest key in the queue.
  var topMS: UInt64? { heap.first?.keyMS }

  /// Adds a label and queues it, unless another dominates it.
  mutating func enter(_ label: TimedLabel, aheadMS: UInt64, waitingShare: UInt64) {
    var other = first[Int(label.state)]
    while other >= 0 {
      let known = labels[Int(other)]
      if !known.isDominated {
        if Self.dominates(known, label, waitingShare) { return }
        if Self.dominates(label, known, waitingShare) { labels[Int(other)].isDominated = true }
      }
      other = known.next
    }
    var label = label
    label.next = first[Int(label.state)]
    first[Int(label.state)] = Int32(labels.count)
    push((label.costMS + aheadMS, Int32(labels.count)))
    labels.append(label)
  }

  private static func dominates(_ a: TimedLabel, _ b: TimedLabel, _ waitingShare: UInt64) -> Bool {
    a.timeMS <= b.timeMS && a.costMS + (b.timeMS - a.timeMS) * waitingShare / 256 <= b.costMS
  }

  /// Removes the label at the front of the queue; nil if another one dominates it by now.
  mutating func popFirst() -> (number: Int, label: TimedLabel)? {
    let number = Int(removeFirst())
    let label = labels[number]
    return label.isDominated ? nil : (number, label)
  }

  /// The states on the path to a label, and the parent of the first one.
  func path(to number: Int) -> (states: [Int], root: Int32) {
    var states: [Int] = []
    var at = Int32(number)
    while at >= 0 {
      states.append(Int(labels[Int(at)].state))
      at = labels[Int(at)].parent
    }
    return (states.reversed(), at)
  }

  private static func precedes(
    _ a: (keyMS: UInt64, label: Int32), _ b: (keyMS: UInt64, label: Int32)
  ) -> Bool {
    (a.keyMS, a.label) < (b.keyMS, b.label)
  }

  private mutating func push(_ entry: (keyMS: UInt64, label: Int32)) {
    heap.append(entry)
    var at = heap.count - 1
    while at > 0 {
      let parent = (at - 1) / 2
      guard Self.precedes(entry, heap[parent]) else { break }
      heap[at] = heap[parent]
      at = parent
    }
    heap[at] = entry
  }

  private mutating func removeFirst() -> Int32 {
    let first = heap[0].label
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    var at = 0
    while true {
      var child = 2 * at + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, Self.precedes(heap[child + 1], heap[child]) { child += 1 }
      guard Self.precedes(heap[child], last) else { break }
      heap[at] = heap[child]
      at = child
    }
    heap[at] = last
    return first
  }
}
