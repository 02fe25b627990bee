import RoadGraph

/// Cache of the shortest paths from the end of a state to nearby states, shared by all vehicles.
///
/// With dense fixes, the same few edges are left again and again. What follows each edge is
/// searched once, over roads and turns that are decoded once for all of them. The cache is bounded,
/// and its content never changes an answer.
struct ShortestPathTreeCache: ~Copyable {
  /// How a state is reached; it is compact, since labels take most of the memory of new streets.
  struct Label: Sendable, BitwiseCopyable {
    /// Length from the end of the root to the start of the state in millimetres, the unit of road
    /// lengths in the map.
    fileprivate var lengthMM: UInt32
    /// Penalty in nats.
    fileprivate var penalty: Float
    fileprivate var cost: Float
    /// The previous label, relative to the first label of the tree, plus one; 0 at the root.
    fileprivate var origin: UInt32

    /// Metres from the end of the root to the start of the state.
    var lengthM: Double { Double(lengthMM) * 0.001 }
    var penaltyNats: Double { Double(penalty) }
    /// Driving cost of the path, without `penaltyNats`.
    var costM: Double { Double(cost) }
    /// Whether the path leads directly from the root to the state.
    var isNext: Bool { origin == 0 }
  }

  /// A range of `labels`.
  struct Tree: BitwiseCopyable {
    /// Metres up to which it contains all paths, with turns and wrong-way travel counted as metres.
    var reachM = -1.0
    var firstLabel: Int32 = 0
    var endLabel: Int32 = 0
  }

  /// A state that a growing tree has reached.
  struct Open: BitwiseCopyable {
    /// Metres from the end of the root to its start.
    var lengthM: Double
    var nats: Double
    var costM: Double
    /// The number of the previous state; -1 at the root.
    var parent: Int32
    /// Index in `turnGraph`.
    var road: Int32
    /// No cheaper path will be found.
    var isSettled = false
  }

  /// The state of a road of `turnGraph` in the tree that grew in a round.
  struct Mark: BitwiseCopyable {
    var round: UInt32 = 0
    /// Index in `open`.
    var number: Int32 = 0
  }

  /// Minimum reach of every tree, so that it serves slow and fast vehicles alike.
  private static let leastReachM = 75.0
  /// Maximum reach that may be requested.
  static let greatestReachM = 300.0

  private let greatestCount: Int
  /// Tree numbers by the states of their roots.
  private var numbers = KeyIndexTable()
  private var trees = Arena<Tree>()
  private(set) var labels = Arena<Label>()
  /// The states of the labels.
  private var states = Arena<TravelState>()
  private var turnGraph = TurnExpandedGraphCache(greatestCount: 16_384)
  private var marks = Arena<Mark>()
  /// The round of the newest tree; 0 for none.
  private var round: UInt32 = 0
  private var open = Arena<Open>()
  private var heap = CostHeap()
  /// The `metersPerNat` with which the trees were built.
  private var metersPerNat = 0.0
  /// Number of the model that used the trees last; 0 before the first.
  private var number: UInt64 = 0

  /// Trees with more than `greatestCount` states in total are not kept; a state takes about 30
  /// bytes.
  init(greatestCount: Int = 262_144) { self.greatestCount = greatestCount }

  /// Returns the number of the tree of `state`, grown to at least `reachM`; valid until the next
  /// call.
  ///
  /// Labels whose length plus penalty in metres exceeds `reachM` may not be optimal.
  mutating func tree(of state: TravelState, reachM: Double, network: MatchingNetwork) -> Int {
    var number = number(of: state)
    guard trees[number].reachM < reachM else { return number }
    // A dead end has a tree without labels.
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

  /// Drops all trees if they were built with other parameters.
  mutating func use(_ model: MatchingModel) {
    guard model.number != number else { return }
    number = model.number
    metersPerNat = model.tuning.metersPerNat
    if turnGraph.use(model.tuning, model.network) {
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

  /// Returns the driving cost per metre of a directed edge.
  @inline(__always) func weight(_ directed: DirectedEdge) -> Double {
    turnGraph.driving.weight(directed)
  }

  /// Returns the labels of a tree as indices of `labels`.
  @inline(__always) func labels(of tree: Int) -> Range<Int> {
    Int(trees[tree].firstLabel)..<Int(trees[tree].endLabel)
  }

  /// Calls `visit` with the number and the state of each of the given labels.
  @inline(__always) func forEachState(of labels: Range<Int>, _ visit: (Int, TravelState) -> Void) {
    states.withElements { states in
      for number in labels { visit(number, states[number]) }
    }
  }

  /// Returns the label of `state` among the given labels; nil if it is out of reach.
  @inline(__always) func label(of state: TravelState, among labels: Range<Int>) -> Int? {
    states.withElements { states in labels.first { states[$0] == state } }
  }

  /// Returns the states from the one after the root of a tree to that of a label, both included.
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

  /// Runs Dijkstra's algorithm from the end of `state`, by length plus penalty in metres.
  private mutating func grow(
    _ state: TravelState, _ reachM: Double, _ network: MatchingNetwork
  ) -> Tree {
    if turnGraph.forgetExcess() || round == .max {
      marks.removeAll()
      round = 0
    }
    round += 1
    heap.clear()
    open.removeAll()
    let root = turnGraph.number(of: state, network)
    spread(from: root, lengthM: 0, nats: 0, costM: 0, parent: -1, reachM, network)
    while let number = heap.pop() {
      let known = open[number]
      guard !known.isSettled else { continue }
      open[number].isSettled = true
      let road = turnGraph.roads[Int(known.road)]
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
    let turns = turnGraph.turns(from: road, network)
    marks.fill(to: turnGraph.roads.count, with: Mark())
    for index in turns {
      let turn = turnGraph.turns[index]
      let penalty = nats + turn.nats
      let cost = cost(lengthM, penalty)
      // Nothing beyond the reach is needed.
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
        costM: costM + turnGraph.costM(ofTurn: index, from: road, network), parent: parent,
        road: turn.road)
      if isKnown {
        open[number] = found
      } else {
        number = open.count
        marks[next] = Mark(round: round, number: Int32(number))
        open.append(found)
      }
      // By cost, not by length, so that the paths of a tree within a reach do not depend on its own
      // reach. Most roads end beyond it and are not expanded.
      guard self.cost(lengthM + turnGraph.roads[next].lengthM, penalty) <= reachM else { continue }
      heap.push(cost: cost, number: number)
    }
  }

  /// Creates the labels of the grown tree.
  private mutating func label(_ reachM: Double) -> Tree {
    reserve()
    var tree = Tree(reachM: reachM, firstLabel: Int32(labels.count))
    for number in 0..<open.count {
      let known = open[number]
      let state = turnGraph.roads[Int(known.road)].state
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
