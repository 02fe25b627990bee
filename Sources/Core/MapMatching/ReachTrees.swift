import RoadGraph

/// Ways from the end of a state to the states near it, kept from fix to fix and shared by all vehicles.
///
/// Where fixes are close together the same few edges are left again and again: what lies behind each is searched
/// once, over roads and turns that are decoded once for all of them. Bounded; which are kept never changes an answer.
struct ReachTrees: Sendable {
  /// A state that can be reached, and how.
  struct Label: Sendable, BitwiseCopyable {
    var state: TravelState
    /// Metres from the end of the root to the start of the state.
    var lengthM: Double
    /// Nats; short, as the next: most of the memory that new streets take is labels.
    fileprivate var penalty: Float
    fileprivate var cost: Float
    /// The number of the label before; -1 at the root.
    var parent: Int32
    /// Of `web`, while it is open; -1 where nothing cheaper will be found.
    fileprivate var road: Int32

    var penaltyNats: Double { Double(penalty) }
    /// What the way costs a driver, what `penaltyNats` says left out.
    var costM: Double { Double(cost) }
  }

  /// A part of `labels`, and of `slots`: open addressing with half of them free.
  private struct Tree: BitwiseCopyable {
    /// Metres, turns and wrong ways counted as metres, up to which it holds all ways.
    var reachM = -1.0
    var firstLabel: Int32 = 0
    var endLabel: Int32 = 0
    var firstSlot: Int32 = 0
    var slotCount: Int32 = 0
    /// The bits of its states (`hashedBit`): most that are asked for are not there.
    var sketch: UInt64 = 0
  }

  /// The label of a road of `web`, in the tree that grew in a round.
  private struct Mark: BitwiseCopyable {
    var round: UInt32 = 0
    var label: Int32 = 0
  }

  /// Ways are known at least this far, so that a tree serves slow and fast vehicles alike.
  private static let leastReachM = 90.0
  /// The farthest that a tree may be asked for.
  static let greatestReachM = 300.0

  private let greatestCount: Int
  /// Of the trees, by the states they are of.
  private var numbers = KeyNumbers()
  private var trees: [Tree] = []
  private(set) var labels: [Label] = []
  /// Number of a label of the tree plus one; 0 empty.
  private var slots: [UInt32] = []
  private var web = TurnWeb(greatestCount: 16_384)
  private var marks: [Mark] = []
  /// Of the tree that grew last; 0 for none.
  private var round: UInt32 = 0
  private var heap = CostHeap()
  /// Of the numbers that the trees are grown with.
  private var metersPerNat = 0.0
  /// Of the model that asked last; 0 before the first.
  private var number: UInt64 = 0

  /// Trees with more than `greatestCount` states together are not kept; some 45 bytes a state.
  init(greatestCount: Int = 262_144) { self.greatestCount = greatestCount }

  /// The number of the tree of `state`, grown to `reachM` at least; good until the next call.
  ///
  /// Labels whose length and metres for nats are together above `reachM` may not be the best.
  mutating func tree(of state: TravelState, reachM: Double, network: MatchingNetwork) -> Int {
    let known = number(of: state)
    guard trees[known].reachM < reachM else { return known }
    // Of a dead end there is a tree without labels.
    if max(labels.count, trees.count) > greatestCount { forget() }
    let number = number(of: state)
    trees[number] = grow(state, Double.maximum(Self.leastReachM, reachM * 1.25), network)
    return number
  }

  private mutating func number(of state: TravelState) -> Int {
    let (number, isNew) = numbers.number(of: state.code)
    if isNew { trees.append(Tree()) }
    return number
  }

  /// Forgets all where they were grown with other numbers.
  mutating func use(_ model: MatchingModel) {
    guard model.number != number else { return }
    number = model.number
    metersPerNat = model.tuning.metersPerNat
    if web.use(model.tuning, model.network) {
      marks.removeAll(keepingCapacity: true)
      forget()
    }
  }

  private mutating func forget() {
    numbers.removeAll()
    trees.removeAll(keepingCapacity: true)
    labels.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
  }

  /// The bits (`hashedBit`) of all states in a tree: one without its bit is not in reach.
  @inline(__always) func sketch(of tree: Int) -> UInt64 { trees[tree].sketch }

  /// What a metre of a lane costs a driver.
  @inline(__always) func weight(_ lane: Lane) -> Double { web.driving.weight(lane) }

  /// The number of the label of `state` in a tree; nil where it is not in reach.
  @inline(__always) func label(of state: TravelState, in tree: Int) -> Int? {
    let tree = trees[tree]
    guard tree.slotCount > 0 else { return nil }
    var slot = hashedSlot(of: state.code, among: Int(tree.slotCount))
    while true {
      let entry = slots[Int(tree.firstSlot) + slot]
      guard entry != 0 else { return nil }
      let number = Int(tree.firstLabel) + Int(entry) - 1
      if labels[number].state == state { return number }
      slot = (slot + 1) & (Int(tree.slotCount) - 1)
    }
  }

  /// The states from behind the root to that of a label, both included.
  func path(to number: Int) -> [TravelState] {
    var label = labels[number]
    var states = [label.state]
    while label.parent >= 0 {
      label = labels[Int(label.parent)]
      states.append(label.state)
    }
    return states.reversed()
  }

  /// Dijkstra's search from the end of `state`, by length and metres for nats.
  private mutating func grow(
    _ state: TravelState, _ reachM: Double, _ network: MatchingNetwork
  ) -> Tree {
    reserve()
    if web.forgetExcess() || round == .max {
      marks.removeAll(keepingCapacity: true)
      round = 0
    }
    round += 1
    heap.clear()
    let first = labels.count
    let root = web.number(of: state, network)
    spread(from: root, lengthM: 0, nats: 0, costM: 0, parent: -1, first, reachM, network)
    while let number = heap.pop() {
      let label = labels[first + number]
      guard label.road >= 0 else { continue }
      labels[first + number].road = -1
      let road = web.roads[Int(label.road)]
      spread(
        from: Int(label.road), lengthM: label.lengthM + road.lengthM, nats: label.penaltyNats,
        costM: label.costM + road.costM, parent: Int32(first + number), first, reachM, network)
    }
    return addSlots(
      Tree(reachM: reachM, firstLabel: Int32(first), endLabel: Int32(labels.count)))
  }

  /// Keeps address space for all that may come: what is not written costs nothing, and nothing is ever moved.
  private mutating func reserve() {
    guard labels.capacity == 0 else { return }
    labels.reserveCapacity(greatestCount)
    slots.reserveCapacity(3 * greatestCount)
  }

  private func cost(_ lengthM: Double, _ nats: Double) -> Double {
    lengthM + nats * metersPerNat
  }

  private mutating func spread(
    from road: Int, lengthM: Double, nats: Double, costM: Double, parent: Int32, _ first: Int,
    _ reachM: Double, _ network: MatchingNetwork
  ) {
    let turns = web.turns(from: road, network)
    while marks.count < web.roads.count { marks.append(Mark()) }
    for index in turns {
      let turn = web.turns[index]
      let penalty = nats + turn.nats
      let cost = cost(lengthM, penalty)
      // Nobody asks for what lies beyond the reach.
      guard cost <= reachM else { continue }
      let next = Int(turn.road)
      let label = Label(
        state: web.roads[next].state, lengthM: lengthM, penalty: Float(penalty),
        cost: Float(costM + web.costM(ofTurn: index, from: road, network)), parent: parent,
        road: turn.road)
      if marks[next].round == round {
        let known = labels[Int(marks[next].label)]
        guard known.road >= 0, cost < self.cost(known.lengthM, known.penaltyNats) else { continue }
        labels[Int(marks[next].label)] = label
      } else {
        marks[next] = Mark(round: round, label: Int32(labels.count))
        labels.append(label)
      }
      // By the cost and not by the length, so that what a tree knows within a reach does not depend on its own. Most
      // roads end beyond it, and nothing is looked for behind them.
      guard self.cost(lengthM + web.roads[next].lengthM, Double(Float(penalty))) <= reachM else {
        continue
      }
      heap.push(cost: cost, number: Int(marks[next].label) - first)
    }
  }

  /// Lets the labels of a tree be found.
  private mutating func addSlots(_ grown: Tree) -> Tree {
    var tree = grown
    var count = 2
    while count < 2 * Int(tree.endLabel - tree.firstLabel) { count *= 2 }
    tree.firstSlot = Int32(slots.count)
    tree.slotCount = Int32(count)
    slots.append(contentsOf: repeatElement(0, count: count))
    for number in Int(tree.firstLabel)..<Int(tree.endLabel) {
      tree.sketch |= hashedBit(of: labels[number].state.code)
      var slot = hashedSlot(of: labels[number].state.code, among: count)
      while slots[Int(tree.firstSlot) + slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[Int(tree.firstSlot) + slot] = UInt32(number - Int(tree.firstLabel) + 1)
    }
    return tree
  }
}
