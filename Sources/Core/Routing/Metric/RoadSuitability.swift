import RoadGraph

/// The roads that a trip uses only if no other road leads there.
///
/// These are roads that are more demanding than the request accepts (`Difficulty`), and car-pool
/// roads for a car or truck without enough occupants.
enum RoadSuitability {
  /// Whether some request of the mode refuses the road.
  static func mayRefuse(_ road: RoadAttributes, _ mode: TravelMode) -> Bool {
    road.difficulty(mode) > 0 || isClosedToLone(road, mode, isCarPool: false)
  }

  static func refuses(
    _ road: RoadAttributes, _ mode: TravelMode, difficulty: UInt8, isCarPool: Bool
  ) -> Bool {
    road.difficulty(mode) > difficulty || isClosedToLone(road, mode, isCarPool: isCarPool)
  }

  /// Whether the road is for car pools only, and the vehicle is not one.
  static func isClosedToLone(
    _ road: RoadAttributes, _ mode: TravelMode, isCarPool: Bool
  ) -> Bool {
    !isCarPool && (mode == .car || mode == .truck) && road.flags.contains(.carPool)
  }
}
