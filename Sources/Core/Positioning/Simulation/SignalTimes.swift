import Foundations
import RoadGraph

/// The traffic signals that a simulated driver passes.
///
/// Each is red for 10 s of every 40 s. The phase follows from its OSM node and the time alone, so a
/// repeated drive meets the same signals. At a quarter of them a car loses 3 to 6 s by braking and
/// accelerating, and 4 s by standing. The average is about 2 s at each, which is what routing
/// expects there (`RoutingTuning.signalMS`). Real signals are red for longer, but in towns several
/// nodes belong to one junction.
enum SignalTimes {
  static let cycleS = 40.0
  static let redS = 10.0

  /// Seconds until the signal at a node turns green; 0 while it is green.
  static func redLeftS(node: Int64, at now: Instant) -> Double {
    var random = SplitMix64(seed: UInt64(bitPattern: node))
    let phaseS = random.unit() * cycleS
    let intoS = (now.seconds + phaseS).truncatingRemainder(dividingBy: cycleS)
    return intoS < redS ? redS - Double.maximum(0, intoS) : 0
  }
}

extension StreetNetwork {
  /// The legs with the signals at their ends; logarithmic in the map's ways for each leg.
  ///
  /// The direction of a signal is ignored, as in routing.
  func withSignals(_ legs: [DriveLeg]) -> [DriveLeg] {
    var legs = legs
    for index in legs.indices.dropLast() {
      legs[index].signal = nil
      guard let road = legs[index].reference, let next = legs[index + 1].reference, next != road,
        let edge = self.index.edge(road),
        graph.columns.nodeFlags[graph.head(edge).index].contains(.trafficSignals)
      else { continue }
      legs[index].signal = road.to
    }
    return legs
  }
}
