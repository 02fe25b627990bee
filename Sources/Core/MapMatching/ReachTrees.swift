import RoadGraph

/// Ways from the end of a state to the states near it, kept from fix to fix and shared by all vehicles.
///
/// Where fixes are close together the same few edges are left again and again: what lies behind each is searched
/// once, over roads and turns that are decoded once for all of them. Bounded; which are kept never changes an answer.
struct ReachTrees: ~Copyable {
  /// How a state is reached; short, since most of the memory that new streets take is labels.
  struct Label: Sendable, BitwiseCopyable {
    /// From the end of the root to the start of the state, in millimetres, as the map has the lengths of roads.
    fileprivate var lengthMM: UInt32
    /// Nats.
    fileprivate var penalty: Float
    fileprivate var cost: Float
    /// The label before, as labels of the tree from its first on, plus one; 0 at the root.
    fileprivate var origin: UInt32

    /// Metres from the end of the root to the start of the state.
    var lengthM: Double { Double(lengthMM) * 0.001 }
    var penaltyNats: Double { Double(penalty) }
    /// What the way costs a driver, what `penaltyNats` says left out.
    var costM: Double { Double(cost) }
    /// It leaves the root for the state, and no more is between.
    var isNext: Bool { origin == 0 }
  }

  /// A part of `labels`.
  struct Tree: BitwiseCopyable {
    /// Metres, turns and wrong ways counted as metres, up to which it holds all ways.
    var reachM = -1.0
    var firstLabel: Int32 = 0
    var endLabel: Int32 = 0
  }

  /// A state that a tree which grows has come to.
  struct Open: BitwiseCopyable {
    /// Metres from the end of the root to its start.
    var lengthM: Double
    var nats: Double
    var costM: Double
    /// The number of the one before; -1 at the root.
    var parent: Int32
    /// Of `web`.
    var road: Int32
    /// Nothing cheaper will be found.
    var isSettled = false
  }

  /// What a road of `web` is in the tree that grew in a round.
  struct Mark: BitwiseCopyable {
    var round: UInt32 = 0
    /// Of `open`.
    var number: Int32 = 0
  }

  /// Ways are known at least this far, so that a tree serves slow and fast vehicles alike.
  private static let leastReachM = 75.0
  /// The farthest that a tree may be asked for.
  static let greatestReachM = 300.0

  private let greatestCount: Int
  /// Of the trees, by the states they are of.
  private var numbers = KeyNumbers()
  private var trees = Arena<Tree>()
  private(set) var labels = Arena<Label>()
  /// Those that the labels are of.
  private var states = Arena<TravelState>()
  private var web = TurnWeb(greatestCount: 16_384)
  private var marks = Arena<Mark>()
  /// Of the tree that grew last; 0 for none.
  private var round: UInt32 = 0
  private var open = Arena<Open>()
  private var heap = CostHeap()
  /// Of the numbers that the trees are grown with.
  private var metersPerNat = 0.0
  /// Of the model that asked last; 0 before the first.
  private var number: UInt64 = 0

  /// Trees with more than `greatestCount` states together are not kept; some 30 bytes a state.
  init(greatestCount: Int = 262_144) { self.greatestCount = greatestCount }

  /// The number of the tree of `state`, grown to `reachM` at least; good until the next call.
  ///
  /// Labels whose length and metres for nats are together above `reachM` may not be the best.
  mutating func tree(of state: TravelState, reachM: Double, network: MatchingNetwork) -> Int {
    var number = number(of: state)
    guard trees[number].reachM < reachM else { return number }
    // Of a dead end there is a tree without labels.
    if max(labels.count, trees.count) > greatestCount {
      forget()
      number = self.number(of: state)
    }
    trees[number] = grow(state, Double.maximum(Self.leastReachM, reachM * 1.1), network)
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
      marks.removeAll()
      forget()
    }
  }

  private mutating func forget() {
    numbers.removeAll()
    trees.removeAll()
    labels.removeAll()
    states.removeAll()
  }

  /// What a metre of a lane costs a driver.
  @inline(__always) func weight(_ lane: Lane) -> Double { web.driving.weight(lane) }

  /// The labels of a tree, as numbers in `labels`.
  @inline(__always) func labels(of tree: Int) -> Range<Int> {
    Int(trees[tree].firstLabel)..<Int(trees[tree].endLabel)
  }

  /// Calls `visit` with the number of each of some labels and the state that it is of.
  @inline(__always) func forEachState(of labels: Range<Int>, _ visit: (Int, TravelState) -> Void) {
    states.withElements { states in
      for number in labels { visit(number, states[number]) }
    }
  }

  /// The one of some labels that is of `state`; nil where it is not in reach.
  @inline(__always) func label(of state: TravelState, among labels: Range<Int>) -> Int? {
    states.withElements { states in labels.first { states[$0] == state } }
  }

  /// The states from behind the root of a tree to that of one of its labels, both included.
  func path(to number: Int, among labels: Range<Int>) -> [TravelState] {
    var path = [states[number]]
    var at = number
    while !self.labels[at].isNext {
      at = labels.lowerBound + Int(self.labels[at].origin) - 1
      path.append(states[at])
    }
    return path.reversed()
  }

  // MARK: Growing

  /// Dijkstra's search from the end of `state`, by length and metres for nats.
  private mutating func grow(
    _ state: TravelState, _ reachM: Double, _ network: MatchingNetwork
  ) -> Tree {
    if web.forgetExcess() || round == .max {
      marks.removeAll()
      round = 0
    }
    round += 1
    heap.clear()
    open.removeAll()
    let root = web.number(of: state, network)
    spread(from: root, lengthM: 0, nats: 0, costM: 0, parent: -1, reachM, network)
    while let number = heap.pop() {
      let known = open[number]
      guard !known.isSettled else { continue }
      open[number].isSettled = true
      let road = web.roads[Int(known.road)]
      spread(
        from: Int(known.road), lengthM: known.lengthM + road.lengthM, nats: known.nats,
        costM: known.costM + road.costM, parent: Int32(number), reachM, network)
    }
    return label(reachM)
  }

  private func cost(_ lengthM: Double, _ nats: Double) -> Double {
    lengthM + nats * metersPerNat
  }

  private mutating func spread(
    from road: Int, lengthM: Double, nats: Double, costM: Double, parent: Int32,
    _ reachM: Double, _ network: MatchingNetwork
  ) {
    let turns = web.turns(from: road, network)
    marks.fill(to: web.roads.count, with: Mark())
    for index in turns {
      let turn = web.turns[index]
      let penalty = nats + turn.nats
      let cost = cost(lengthM, penalty)
      // Nobody asks for what lies beyond the reach.
      guard cost <= reachM else { continue }
      let next = Int(turn.road)
      var number = Int(marks[next].number)
      let isKnown = marks[next].round == round
      if isKnown {
        let known = open[number]
        guard !known.isSettled, cost < self.cost(known.lengthM, known.nats) else { continue }
      }
      let found = Open(
        lengthM: lengthM, nats: penalty,
        costM: costM + web.costM(ofTurn: index, from: road, network), parent: parent,
        road: turn.road)
      if isKnown {
        open[number] = found
      } else {
        number = open.count
        marks[next] = Mark(round: round, number: Int32(number))
        open.append(found)
      }
      // By the cost and not by the length, so that what a tree knows within a reach does not depend on its own. Most
      // roads end beyond it, and nothing is looked for behind them.
      guard self.cost(lengthM + web.roads[next].lengthM, penalty) <= reachM else { continue }
      heap.push(cost: cost, number: number)
    }
  }

  /// Labels what has grown.
  private mutating func label(_ reachM: Double) -> Tree {
    reserve()
    var tree = Tree(reachM: reachM, firstLabel: Int32(labels.count))
    for number in 0..<open.count {
      let known = open[number]
      let state = web.roads[Int(known.road)].state
      states.append(state)
      labels.append(
        Label(
          lengthMM: UInt32((known.lengthM * 1000).rounded()), penalty: Float(known.nats),
          cost: Float(known.costM), origin: UInt32(known.parent + 1)))
    }
    tree.endLabel = Int32(labels.count)
    return tree
  }

  private mutating func reserve() {
    guard labels.capacity < greatestCount else { return }
    labels.reserve(greatestCount)
    states.reserve(greatestCount)
    trees.reserve(greatestCount / 4)
  }
}
