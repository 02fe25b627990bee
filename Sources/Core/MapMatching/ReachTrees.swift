import RoadGraph

/// Ways from the end of a state to the states near it, kept from fix to fix and shared by all vehicles.
///
/// Where fixes are close together the same few edges are left again and again: what lies behind each is searched
/// once. At most `count` trees are kept; which of them never changes an answer.
struct ReachTrees: Sendable {
  /// A state that can be reached, and how.
  struct Label: BitwiseCopyable {
    var state: TravelState
    /// Metres from the end of the root to the start of the state.
    var lengthM: Double
    var penaltyNats: Double
    /// What the way costs a driver; what `penaltyNats` says left out.
    var costM: Double
    /// The label before; -1 at the root.
    var parent: Int32
    var isSettled: Bool
  }

  private struct Tree {
    var code = UInt64.max
    var reachM = -1.0
    var labels: [Label] = []
    /// Open addressing: index of a label plus one; 0 empty.
    var slots: [UInt32] = []
  }

  private struct Open {
    var cost: Double
    var label: Int32
  }

  private static let count = 8192
  /// Ways are known at least this far, so that a tree serves slow and fast vehicles alike.
  private static let leastReachM = 90.0
  /// The farthest that a tree may be asked for.
  static let greatestReachM = 300.0

  private var trees: [Tree] = Array(repeating: Tree(), count: count)
  private var heap: [Open] = []
  private var driving = DrivingCost()
  /// The numbers that the trees were grown with.
  private var tuning = MatcherTuning()
  /// Of the model that asked last; 0 before the first.
  private var number: UInt64 = 0

  /// The number of the tree of `state`, grown to `reachM` at least; good until the next call.
  ///
  /// Labels whose length and metres for nats are together above `reachM` may not be the best.
  mutating func tree(
    of state: TravelState, reachM: Double, network: MatchingNetwork, tuning: MatcherTuning
  ) -> Int {
    let index = hashedSlot(of: state.code, among: Self.count)
    if trees[index].code != state.code || trees[index].reachM < reachM {
      grow(index, state, reachM: Double.maximum(Self.leastReachM, reachM * 1.25), network, tuning)
    }
    return index
  }

  /// Forgets all where they were grown with other numbers.
  mutating func use(_ model: MatchingModel) {
    guard model.number != number else { return }
    // The weights are those of the map, which the first use brings.
    defer { number = model.number }
    guard number == 0 || !model.tuning.hasWays(of: tuning) else { return }
    driving.use(model.tuning, model.network)
    tuning = model.tuning
    for index in trees.indices { trees[index].code = .max }
  }

  /// What a metre of an edge costs a driver.
  @inline(__always) func weight(_ state: TravelState, _ network: MatchingNetwork) -> Double {
    driving.weight(state, network)
  }

  /// One tree, to be asked many times over.
  struct View {
    fileprivate let slots: UnsafeBufferPointer<UInt32>
    fileprivate let labels: UnsafeBufferPointer<Label>

    /// The way from the root to the start of `state`; nil where it is not in reach.
    @inline(__always) func label(_ state: TravelState) -> Label? {
      guard !slots.isEmpty else { return nil }
      var at = hashedSlot(of: state.code, among: slots.count)
      while slots[at] != 0 {
        let label = labels[Int(slots[at]) - 1]
        if label.state == state { return label }
        at = (at + 1) & (slots.count - 1)
      }
      return nil
    }
  }

  /// Lets `body` ask a tree; one that knows nothing for -1.
  @inline(__always) mutating func withView<Result>(of tree: Int, _ body: (View) -> Result) -> Result
  {
    guard tree >= 0 else {
      return body(
        View(
          slots: UnsafeBufferPointer(start: nil, count: 0),
          labels: UnsafeBufferPointer(start: nil, count: 0)))
    }
    return trees[tree].slots.withUnsafeBufferPointer { slots in
      trees[tree].labels.withUnsafeBufferPointer { labels in
        body(View(slots: slots, labels: labels))
      }
    }
  }

  /// The states from behind the root to `state`, both as far as the tree knows; empty where it does not.
  mutating func path(to state: TravelState, in tree: Int) -> [TravelState] {
    guard var label = withView(of: tree, { $0.label(state) }) else { return [] }
    var states = [label.state]
    while label.parent >= 0 {
      label = trees[tree].labels[Int(label.parent)]
      states.append(label.state)
    }
    return states.reversed()
  }

  /// Dijkstra's search from the end of `state`, by length and metres for nats.
  private mutating func grow(
    _ index: Int, _ state: TravelState, reachM: Double, _ network: MatchingNetwork,
    _ tuning: MatcherTuning
  ) {
    // Taken out while it grows, so that it is written in place.
    var tree = Tree()
    swap(&tree, &trees[index])
    tree.code = state.code
    tree.reachM = reachM
    tree.labels.removeAll(keepingCapacity: true)
    if tree.slots.isEmpty {
      tree.slots = Array(repeating: 0, count: 64)
      tree.labels.reserveCapacity(16)
    }
    for slot in tree.slots.indices { tree.slots[slot] = 0 }
    heap.removeAll(keepingCapacity: true)
    spread(from: state, lengthM: 0, nats: 0, costM: 0, parent: -1, &tree, network, tuning)
    while let open = pop() {
      let number = Int(open.label)
      guard !tree.labels[number].isSettled else { continue }
      tree.labels[number].isSettled = true
      let label = tree.labels[number]
      let lengthM = label.lengthM + network.lengthM(label.state)
      // By the cost and not by the length, so that what a tree knows within a reach does not depend on its own.
      guard lengthM + label.penaltyNats * tuning.metersPerNat <= reachM else { continue }
      spread(
        from: label.state, lengthM: lengthM, nats: label.penaltyNats,
        costM: label.costM + driving.weight(label.state, network) * network.lengthM(label.state),
        parent: open.label, &tree, network, tuning)
    }
    swap(&tree, &trees[index])
  }

  @inline(__always) private mutating func spread(
    from state: TravelState, lengthM: Double, nats: Double, costM: Double, parent: Int32,
    _ tree: inout Tree,
    _ network: MatchingNetwork, _ tuning: MatcherTuning
  ) {
    network.forEachSuccessor(of: state, tuning: tuning) { next, extra in
      let penalty = nats + extra
      let cost = lengthM + penalty * tuning.metersPerNat
      // Nobody asks for what lies beyond the reach.
      guard cost <= tree.reachM else { return }
      let number = Self.slot(for: next, &tree)
      let known = tree.labels[number]
      guard !known.isSettled, cost < known.lengthM + known.penaltyNats * tuning.metersPerNat
      else { return }
      tree.labels[number].lengthM = lengthM
      tree.labels[number].penaltyNats = penalty
      tree.labels[number].costM =
        costM + driving.turnM(from: state, to: next, network, tuning)
      tree.labels[number].parent = parent
      push(Open(cost: cost, label: Int32(number)))
    }
  }

  private static func slot(for state: TravelState, _ tree: inout Tree) -> Int {
    if 2 * (tree.labels.count + 1) > tree.slots.count { enlarge(&tree) }
    var at = hashedSlot(of: state.code, among: tree.slots.count)
    while tree.slots[at] != 0 {
      let number = Int(tree.slots[at]) - 1
      if tree.labels[number].state == state { return number }
      at = (at + 1) & (tree.slots.count - 1)
    }
    tree.labels.append(
      Label(
        state: state, lengthM: .infinity, penaltyNats: 0, costM: 0, parent: -1, isSettled: false))
    tree.slots[at] = UInt32(tree.labels.count)
    return tree.labels.count - 1
  }

  private static func enlarge(_ tree: inout Tree) {
    tree.slots = Array(repeating: 0, count: tree.slots.count * 2)
    for (number, label) in tree.labels.enumerated() {
      var at = hashedSlot(of: label.state.code, among: tree.slots.count)
      while tree.slots[at] != 0 { at = (at + 1) & (tree.slots.count - 1) }
      tree.slots[at] = UInt32(number + 1)
    }
  }

  // MARK: The heap: few are open at a time

  private mutating func push(_ open: Open) {
    heap.append(open)
    heap.withUnsafeMutableBufferPointer { heap in
      var at = heap.count - 1
      while at > 0 {
        let parent = (at - 1) / 2
        guard Self.isBefore(open, heap[parent]) else { break }
        heap[at] = heap[parent]
        at = parent
      }
      heap[at] = open
    }
  }

  private mutating func pop() -> Open? {
    guard let top = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return top }
    heap.withUnsafeMutableBufferPointer { heap in
      var at = 0
      while 2 * at + 1 < heap.count {
        var child = 2 * at + 1
        if child + 1 < heap.count, Self.isBefore(heap[child + 1], heap[child]) { child += 1 }
        guard Self.isBefore(heap[child], last) else { break }
        heap[at] = heap[child]
        at = child
      }
      heap[at] = last
    }
    return top
  }

  @inline(__always) private static func isBefore(_ a: Open, _ b: Open) -> Bool {
    a.cost != b.cost ? a.cost < b.cost : a.label < b.label
  }
}
