import Geodesy
import RealModule
import RoadGraph

/// Cost of roads and turns to a driver, in metres of a 20 m/s road: drivers prefer fast roads and
/// few turns to the shortest path.
struct DrivingCost: Sendable {
  /// The speed of a road on which one metre costs one metre.
  static let unitMps = 20.0
  /// Length in metres over which the heading at an end of an edge is measured.
  static let headingReachM = 20.0
  /// Bounds of the cost per metre, whatever the speed of the road.
  static let leastWeight = 0.6
  private static let greatestWeight = 3.0

  /// Weight per metre, by attribute index.
  private var weights: [Double] = []
  private var tuning: MatcherTuning?
  /// Cost of a right-angle turn, in metres.
  private var rightAngleM = 0.0
  /// Lowest weight per metre of all roads of the map.
  private(set) var leastWeight = DrivingCost.leastWeight

  /// Prepares the weights for `tuning` and for a network, which never changes afterwards.
  mutating func use(_ tuning: MatcherTuning, _ network: MatchingNetwork) {
    if let known = self.tuning, tuning.hasPathParameters(of: known) { return }
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

  /// Returns the cost per metre of an edge.
  @inline(__always) func weight(_ state: TravelState, _ network: MatchingNetwork) -> Double {
    weights[Int(network.graph.columns.attributeIndex[state.edge.index])]
  }

  /// Returns the cost per metre of a directed edge.
  @inline(__always) func weight(_ directed: DirectedEdge) -> Double {
    weights[Int(directed.attributes)]
  }

  /// Returns the cost of a turn from a road left at one heading into a road entered at another.
  @inline(__always) func turnM(fromDeg: Float, toDeg: Float) -> Double {
    let share = Double.minimum(1.5, Angle.differenceDeg(Double(fromDeg), Double(toDeg)) / 90)
    return rightAngleM * share * share
  }

  /// Returns the cost of a turn from one edge into the next.
  func turnM(from: TravelState, to: TravelState, _ network: MatchingNetwork) -> Double {
    turnM(fromDeg: network.endDeg(from), toDeg: network.startDeg(to))
  }
}

extension MatchingNetwork {
  /// Returns the heading at the start of travel.
  func startDeg(_ state: TravelState) -> Float { headingDeg(state, atHead: state.isAgainst) }

  /// Returns the heading at the end of travel.
  func endDeg(_ state: TravelState) -> Float { headingDeg(state, atHead: !state.isAgainst) }

  private func headingDeg(_ state: TravelState, atHead: Bool) -> Float {
    let deg = graph.bearingDeg(state.edge, reachM: DrivingCost.headingReachM, atHead: atHead)
    return Float(state.isAgainst ? Angle.normalizedDeg(deg + 180) : deg)
  }
}
