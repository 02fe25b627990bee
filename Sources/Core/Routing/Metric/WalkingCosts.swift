import RoadGraph

/// The penalty of carriageways for walkers and cyclists if another path is about as fast.
///
/// The factors weight the time only for the choice of a path; durations stay the same.
enum WalkingCosts {
  /// Percentage of the time that a road counts for a mode; 100 for all motor vehicles.
  static func percent(_ road: RoadAttributes, _ mode: TravelMode) -> UInt64 {
    guard !road.flags.contains(.ferry) else { return 100 }
    switch mode {
    case .pedestrian:
      if road.roadClass > .residential { return 100 }
      if !road.flags.contains(.walkersElsewhere) {
        return road.roadClass <= .secondary ? 120 : road.roadClass == .tertiary ? 110 : 105
      }
      return road.flags.contains(.tunnel) ? 400 : 200
    case .bicycle:
      return road.flags.contains(.cyclistsElsewhere) ? 200 : 100
    case .car, .truck, .bus, .taxi, .scooter:
      return 100
    }
  }
}
