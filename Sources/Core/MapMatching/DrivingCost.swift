import Geodesy
import RealModule
import RoadGraph

/// What ways cost a driver, in metres of a road of 20 m/s: drivers take fast roads and few turns, not the shortest way.
///
/// Headings of edges are kept from search to search; bounded, and nothing of it changes an answer.
struct DrivingCost: Sendable {
  /// The headings at the ends of an edge; not a number where not known yet.
  private struct Headings: BitwiseCopyable {
    var code = UInt64.max
    var leavesDeg = Float.nan
    var arrivesDeg = Float.nan
  }

  /// The speed of a road whose metres cost a metre.
  static let unitMps = 20.0
  /// Metres over which the heading at an end of an edge is seen.
  private static let reachM = 20.0
  private static let count = 16_384
  /// No road is weighed as cheaper or dearer for its speed.
  static let leastWeight = 0.6
  private static let greatestWeight = 3.0

  private var headings: [Headings] = []
  /// By the number of the attributes.
  private var weights: [Double] = []
  private var tuning: MatcherTuning?
  /// Of a turn by a right angle.
  private var rightAngleM = 0.0
  /// The least that a metre of any road of the map costs.
  private(set) var leastWeight = DrivingCost.leastWeight

  /// Gets ready for a map, which stays the same, and for numbers.
  mutating func use(_ tuning: MatcherTuning, _ network: MatchingNetwork) {
    if let known = self.tuning, tuning.hasWays(of: known) { return }
    self.tuning = tuning
    rightAngleM = tuning.turnM
    headings = Array(repeating: Headings(), count: Self.count)
    weights = (0..<network.graph.columns.attributes.count).map { index in
      let speed = Double(network.traits(ofAttributes: index).speedMps)
      guard speed > 0 else { return Self.greatestWeight }
      return Double.minimum(
        Self.greatestWeight,
        Double.maximum(Self.leastWeight, Double.pow(Self.unitMps / speed, tuning.speedExponent)))
    }
    leastWeight =
      weights.enumerated().lazy
      .filter { network.traits(ofAttributes: $0.offset).isUsable }
      .map(\.element).min() ?? Self.leastWeight
  }

  /// What a metre of an edge costs.
  @inline(__always) func weight(_ state: TravelState, _ network: MatchingNetwork) -> Double {
    weights[Int(network.graph.columns.attributeIndex[state.edge.index])]
  }

  /// The same of a lane.
  @inline(__always) func weight(_ lane: Lane) -> Double { weights[Int(lane.attributes)] }

  /// What it costs to turn from one edge into the next.
  mutating func turnM(
    from: TravelState, to: TravelState, _ network: MatchingNetwork
  ) -> Double {
    guard rightAngleM > 0 else { return 0 }
    let angle = Angle.differenceDeg(
      Double(headingDeg(from, \.arrivesDeg, atHead: !from.isAgainst, network)),
      Double(headingDeg(to, \.leavesDeg, atHead: to.isAgainst, network)))
    let share = Double.minimum(1.5, angle / 90)
    return rightAngleM * share * share
  }

  /// The heading of travel at an end of an edge.
  @inline(__always) private mutating func headingDeg(
    _ state: TravelState, _ end: WritableKeyPath<Headings, Float>, atHead: Bool,
    _ network: MatchingNetwork
  ) -> Float {
    let slot = hashedSlot(of: state.code, among: Self.count)
    if headings[slot].code != state.code {
      headings[slot] = Headings(code: state.code)
    }
    let known = headings[slot][keyPath: end]
    if !known.isNaN { return known }
    let deg = network.graph.bearingDeg(state.edge, reachM: Self.reachM, atHead: atHead)
    let made = Float(state.isAgainst ? Angle.normalizedDeg(deg + 180) : deg)
    headings[slot][keyPath: end] = made
    return made
  }
}
