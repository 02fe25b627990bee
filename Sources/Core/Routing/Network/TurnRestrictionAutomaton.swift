import RoadGraph

/// Turn restrictions of any length as an automaton over directed edges.
///
/// A. V. Aho and M. J. Corasick, "Efficient string matching", CACM 18 (1975): a state is the
/// longest suffix of the path that is a prefix of some forbidden sequence. States below `edgeCount`
/// stand for their edge without further history. The others stand for two or more edges of a turn
/// restriction of three or more. One automaton serves all modes: a step that only some modes must
/// not take is a rule for these modes.
struct TurnRestrictionAutomaton: Sendable {
  let edgeCount: Int
  let stateCount: Int
  /// Shape `[stateCount - edgeCount]`: the edge of the state.
  let specialEdge: Column<UInt32>
  /// Shape `[edgeCount + 1]`: the index in `special` of the first state of each edge.
  ///
  /// The states beyond `edgeCount` of edge `e` are `special[firstSpecial[e] ..< firstSpecial[e +
  /// 1]]`.
  let firstSpecial: Column<UInt32>
  let special: Column<UInt32>
  /// Shape `[stateCount + 1]`: exceptions from "the next edge is the next state".
  let firstRule: Column<UInt32>
  let ruleEdge: Column<UInt32>
  let ruleTarget: Column<UInt32>
  /// Modes for which the step is forbidden; it leads to its target for the others.
  let ruleModes: Column<TravelModes>

  /// The automaton of all turn restrictions of a map; linear in the edges and in the restrictions.
  init(graph: RoadGraph) {
    let restrictions = (0..<graph.columns.restrictionModes.count)
      .map { (edges: graph.restrictedSequence($0), modes: graph.columns.restrictionModes[$0]) }
    self.init(edgeCount: graph.edgeCount, restrictions: restrictions) { edge in
      Array(graph.edges(leaving: graph.head(edge)))
    }
  }

  init(
    edgeCount: Int, restrictions: [(edges: [EdgeID], modes: TravelModes)],
    successors: (EdgeID) -> [EdgeID]
  ) {
    let words = RestrictionSequences(edgeCount: edgeCount, restrictions: restrictions)
    var rules: [(state: Int, edge: UInt32, target: UInt32, modes: TravelModes)] = []
    for (state, path) in words.states {
      guard let last = path.last else { continue }
      for next in successors(last) {
        let (target, modes) = words.step(path, next)
        guard !modes.isEmpty || target != next.index else { continue }
        rules.append((state, next.rawValue, UInt32(target), modes))
      }
    }
    rules.sort { ($0.state, $0.edge) < ($1.state, $1.edge) }
    self.edgeCount = edgeCount
    stateCount = edgeCount + words.specials.count
    let onEdge = words.specials.map { Int($0.last?.rawValue ?? 0) }
    specialEdge = Column(onEdge.map { UInt32($0) })
    let order = onEdge.indices.sorted { (onEdge[$0], $0) < (onEdge[$1], $1) }
    special = Column(order.map { UInt32(edgeCount + $0) })
    firstSpecial = Self.firsts(of: order.map { onEdge[$0] }, count: edgeCount)
    firstRule = Self.firsts(of: rules.map(\.state), count: stateCount)
    ruleEdge = Column(rules.map(\.edge))
    ruleTarget = Column(rules.map(\.target))
    ruleModes = Column(rules.map(\.modes))
  }

  // `firsts[k]` is the number of `sorted` keys below k.
  private static func firsts(of sorted: [Int], count: Int) -> Column<UInt32> {
    var firsts = [UInt32](repeating: 0, count: count + 1)
    for key in sorted { firsts[key + 1] += 1 }
    for k in 0..<count { firsts[k + 1] += firsts[k] }
    return Column(firsts)
  }

  @inline(__always) func edge(of state: Int) -> Int {
    state < edgeCount ? state : Int(specialEdge.records[state - edgeCount])
  }

  /// The state after driving from `state` onto `edge`, and the modes for which a restriction
  /// forbids that.
  @inline(__always) func step(_ state: Int, _ edge: Int) -> (target: Int, forbidden: TravelModes) {
    var rule = Int(firstRule.records[state])
    let end = Int(firstRule.records[state + 1])
    while rule < end {
      if Int(ruleEdge.records[rule]) == edge {
        return (Int(ruleTarget.records[rule]), ruleModes.records[rule])
      }
      rule += 1
    }
    return (edge, [])
  }

  /// All states of `edge`, the one without history first.
  func states(on edge: Int) -> [Int] {
    let specials = Int(firstSpecial[edge])..<Int(firstSpecial[edge + 1])
    return [edge] + specials.map { Int(special[$0]) }
  }
}

/// The forbidden sequences as words, and their proper prefixes as states.
private struct RestrictionSequences {
  let edgeCount: Int
  var complete: [[EdgeID]: TravelModes] = [:]
  /// Prefixes of two or more edges, in the order of their states.
  var specials: [[EdgeID]] = []
  var stateOfPrefix: [[EdgeID]: Int] = [:]
  var firsts: [EdgeID] = []

  init(edgeCount: Int, restrictions: [(edges: [EdgeID], modes: TravelModes)]) {
    self.edgeCount = edgeCount
    var begun: Set<EdgeID> = []
    for (restriction, modes) in restrictions where restriction.count >= 2 {
      complete[restriction, default: []].formUnion(modes)
      if begun.insert(restriction[0]).inserted { firsts.append(restriction[0]) }
      for length in 2..<max(2, restriction.count) {
        let prefix = Array(restriction[..<length])
        guard stateOfPrefix[prefix] == nil else { continue }
        stateOfPrefix[prefix] = edgeCount + specials.count
        specials.append(prefix)
      }
    }
  }

  /// The states that have exceptions, each with the edges that it remembers.
  var states: [(Int, [EdgeID])] {
    firsts.map { ($0.index, [$0]) } + specials.enumerated().map { (edgeCount + $0.0, $0.1) }
  }

  func step(_ path: [EdgeID], _ next: EdgeID) -> (target: Int, forbidden: TravelModes) {
    let word = path + [next]
    var target: Int?
    var forbidden: TravelModes = []
    for start in 0..<(word.count - 1) {
      let end = Array(word[start...])
      if let modes = complete[end] { forbidden.formUnion(modes) }
      if target == nil { target = stateOfPrefix[end] }
    }
    return (target ?? next.index, forbidden)
  }
}
