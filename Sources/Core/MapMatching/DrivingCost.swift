import Geodesy
import RealModule
import RoadGraph

/// What ways cost a driver, in metres of a road of 20 m/s: drivers take fast roads and few turns, not the shortest way.
struct DrivingCost: Sendable {
  /// The speed of a road whose metres cost a metre.
  static let unitMps = 20.0
  /// Metres over which the heading at an end of an edge is seen.
  static let headingReachM = 20.0
  /// No road is weighed as cheaper or dearer for its speed.
  static let leastWeight = 0.6
  private static let greatestWeight = 3.0

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

  /// What it costs to turn from a road that is left at one heading into one that is entered at another.
  @inline(__always) func turnM(fromDeg: Float, toDeg: Float) -> Double {
    let share = Double.minimum(1.5, Angle.differenceDeg(Double(fromDeg), Double(toDeg)) / 90)
    return rightAngleM * share * share
  }

  /// What it costs to turn from one edge into the next.
  func turnM(from: TravelState, to: TravelState, _ network: MatchingNetwork) -> Double {
    turnM(fromDeg: network.endDeg(from), toDeg: network.startDeg(to))
  }
}

extension MatchingNetwork {
  /// The heading of travel where it begins.
  func startDeg(_ state: TravelState) -> Float { headingDeg(state, atHead: state.isAgainst) }

  /// The heading of travel where it ends.
  func endDeg(_ state: TravelState) -> Float { headingDeg(state, atHead: !state.isAgainst) }

  private func headingDeg(_ state: TravelState, atHead: Bool) -> Float {
    let deg = graph.bearingDeg(state.edge, reachM: DrivingCost.headingReachM, atHead: atHead)
    return Float(state.isAgainst ? Angle.normalizedDeg(deg + 180) : deg)
  }
}
