public import RoadGraph

/// The part of a road graph that a travel mode may use.
///
/// It is shared by all vehicles and stores one byte for each distinct set of attributes.
public struct MatchingNetwork: Sendable {
  public let graph: RoadGraph
  public let mode: TravelMode
  private let traits: Column<RoadTraits>
  let scratchPools = ScratchPools()
  /// One bit for each edge at which a turn restriction over several edges starts.
  private let startsRestriction: Column<UInt64>

  /// Takes time linear in the distinct attributes and turn restrictions, and one bit per edge.
  public init(graph: RoadGraph, mode: TravelMode) {
    self.graph = graph
    self.mode = mode
    let attributes = graph.columns.attributes
    traits = Column(
      (0..<attributes.count).map { index in
        let road = attributes[index]
        var traits = RoadTraits(road, mode: mode)
        if !traits.isUsable, !road.rules.isEmpty,
          RoadRule.opens(graph.text(road.rules), to: mode)
        {
          traits.use = .atTimes
        }
        return traits
      })
    var bits = [UInt64](repeating: 0, count: graph.edgeCount / 64 + 1)
    for restriction in 0..<graph.columns.restrictionModes.count {
      let edge = graph.columns.restrictionEdge[Int(graph.columns.firstRestriction[restriction])]
        .index
      bits[edge / 64] |= 1 << UInt64(edge % 64)
    }
    startsRestriction = Column(bits)
  }

  @inline(__always) func traits(_ edge: EdgeID) -> RoadTraits {
    traits[Int(graph.columns.attributeIndex[edge.index])]
  }

  func traits(ofAttributes index: Int) -> RoadTraits { traits[index] }

  /// Whether the mode may use an edge, at some times at least.
  @inline(__always) func isUsable(_ edge: EdgeID) -> Bool {
    switch traits(edge).use {
    case .always: true
    case .never: false
    case .atTimes: opensAsRoad(edge)
    }
  }

  /// Whether a road opens to the mode at times, and not only its second direction.
  ///
  /// Against a road that is one-way at most times, travel is in the wrong direction.
  private func opensAsRoad(_ edge: EdgeID) -> Bool {
    graph.twin(edge).map { !traits($0).isUsable } ?? true
  }

  @inline(__always) fileprivate func mayStartRestriction(_ edge: EdgeID) -> Bool {
    startsRestriction[edge.index / 64] >> UInt64(edge.index % 64) & 1 == 1
  }

  /// Returns the usable edge of the same road in the opposite direction.
  @inline(__always) func usableTwin(_ edge: EdgeID) -> EdgeID? {
    guard let twin = graph.twin(edge), isUsable(twin) else { return nil }
    return twin
  }

  /// Whether an edge is one-way for the mode, so that it can be driven in the wrong direction.
  @inline(__always) func isOneWay(_ edge: EdgeID) -> Bool {
    traits(edge).isOneWay && usableTwin(edge) == nil
  }
}

/// The attributes of a road that the matcher needs, in eight bytes.
struct RoadTraits: BitwiseCopyable {
  /// When the mode may use a road.
  enum Use: UInt8 {
    case never
    case atTimes
    case always
  }

  var use: Use
  var isOneWay: Bool
  var isMinor: Bool
  /// Whether the mode may use the road although it was not made for it, such as a track through
  /// fields or a park.
  var isByway: Bool
  /// Usual speed, m/s.
  var speedMps: Float

  /// Whether the mode may use the road without a rule that depends on the time.
  var isUsable: Bool { use == .always }

  init(_ attributes: RoadAttributes, mode: TravelMode) {
    use = attributes.access(mode).isUsable ? .always : .never
    isOneWay = attributes.flags.contains(.oneWay) && mode != .pedestrian
    isMinor =
      attributes.flags.contains(.parkingAisle) || attributes.flags.contains(.driveway)
      || attributes.roadClass == .service
    let isPath = (RoadClass.track...RoadClass.steps).contains(attributes.roadClass)
    isByway = mode.isMotorised && isPath
    speedMps = Float(attributes.freeFlowMps(mode))
  }
}

/// A direction of travel along an edge: with it, or against a one-way.
public struct TravelState: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The edge index times two, plus one for travel against the edge; no map has 2 to the power of
  /// 31 edges.
  private let bits: UInt32

  @inline(__always) public init(_ edge: EdgeID, isAgainst: Bool) {
    bits = edge.rawValue << 1 | (isAgainst ? 1 : 0)
  }

  /// A key that is unique to this state.
  @inline(__always) var code: UInt64 { UInt64(bits) }

  public var edge: EdgeID { EdgeID(rawValue: bits >> 1) }
  public var isAgainst: Bool { bits & 1 == 1 }
  public static func < (a: Self, b: Self) -> Bool { a.bits < b.bits }
}

extension MatchingNetwork {
  /// Returns the node at which travel in `state` begins.
  @inline(__always) func start(_ state: TravelState) -> NodeID {
    state.isAgainst ? graph.head(state.edge) : graph.tail(state.edge)
  }

  /// Returns the node at which it ends.
  @inline(__always) func end(_ state: TravelState) -> NodeID {
    state.isAgainst ? graph.tail(state.edge) : graph.head(state.edge)
  }

  @inline(__always) func lengthM(_ state: TravelState) -> Double { graph.lengthM(state.edge) }

  /// Returns the opposite direction of the same road; nil if the vehicle cannot drive back.
  ///
  /// It is a lawful twin edge or travel against the one-way direction.
  func reversed(_ state: TravelState) -> TravelState? {
    if state.isAgainst { return TravelState(state.edge, isAgainst: false) }
    if let twin = usableTwin(state.edge) { return TravelState(twin, isAgainst: false) }
    return isOneWay(state.edge) ? TravelState(state.edge, isAgainst: true) : nil
  }

  /// Returns the reference of the road segment in the direction of travel.
  public func reference(_ state: TravelState) -> SegmentReference {
    let reference = graph.reference(state.edge)
    return state.isAgainst ? reference.reversed : reference
  }

  /// Calls `visit` with each state that can follow `state`, and what that costs in nats.
  @inline(__always) func forEachSuccessor(
    of state: TravelState, tuning: MatcherTuning, _ visit: (TravelState, Double) -> Void
  ) {
    let node = end(state)
    let back = reversed(state)
    let restrictions =
      state.isAgainst || !mayStartRestriction(state.edge)
      ? 0..<0 : graph.restrictions(startingAt: state.edge)
    var hasOther = false
    for edge in graph.edges(leaving: node) where isUsable(edge) {
      let next = TravelState(edge, isAgainst: false)
      if next == back { continue }
      hasOther = true
      let isForbidden = restrictions.contains { isRestriction($0, onto: edge) }
      visit(next, isForbidden ? tuning.restrictedTurnNats : 0)
    }
    for edge in graph.edges(entering: node) where isUsable(edge) && isOneWay(edge) {
      let next = TravelState(edge, isAgainst: true)
      if next == back || next == state { continue }
      visit(next, state.isAgainst ? 0 : tuning.wrongWayNats)
    }
    if let back {
      visit(
        back,
        (hasOther ? tuning.turnBackNats : tuning.turnBackAtDeadEndNats)
          + wrongWayNats(from: state, to: back, tuning: tuning))
    }
  }

  /// Whether the end of `state` is a dead end, where the only usable edge leads back.
  func isDeadEnd(_ state: TravelState) -> Bool {
    let back = reversed(state)
    return !graph.edges(leaving: end(state)).contains {
      isUsable($0) && TravelState($0, isAgainst: false) != back
    }
  }

  /// Returns the cost of starting to drive against a one-way road.
  func wrongWayNats(from: TravelState, to: TravelState, tuning: MatcherTuning) -> Double {
    to.isAgainst && !from.isAgainst ? tuning.wrongWayNats : 0
  }

  private func isRestriction(_ index: Int, onto edge: EdgeID) -> Bool {
    let first = Int(graph.columns.firstRestriction[index])
    return Int(graph.columns.firstRestriction[index + 1]) == first + 2
      && graph.columns.restrictionEdge[first + 1] == edge
      && graph.columns.restrictionModes[index].contains(mode)
  }
}
