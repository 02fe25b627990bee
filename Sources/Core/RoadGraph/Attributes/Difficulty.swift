/// The difficulty of roads for a mode of travel, 0 (anybody) to 7, and the difficulty that a
/// request accepts.
///
/// On foot it is the SAC scale (1 hiking to 6 difficult alpine hiking, 7 a via ferrata), by bicycle
/// the mtb:scale (0 to 6). By motor vehicle it is 1 (high clearance), 2 (four-wheel drive) or 3
/// (tractors and similar).
public enum Difficulty {
  public static let greatest: UInt8 = 7

  /// The maximum difficulty of roads that a request accepts without a special setting.
  public static func usual(_ mode: TravelMode) -> UInt8 {
    switch mode {
    case .car, .truck, .bus, .taxi, .scooter: 1
    case .bicycle: 2
    case .pedestrian: 3
    }
  }
}

extension RoadAttributes {
  /// The difficulty of the road for a mode, 0 to 7: see `Difficulty`.
  public func difficulty(_ mode: TravelMode) -> UInt8 { accessByte(mode) >> 4 }

  public mutating func setDifficulty(_ difficulty: UInt8, for mode: TravelMode) {
    setAccessByte(
      accessByte(mode) & 0x0f | min(difficulty, Difficulty.greatest) << 4, for: mode)
  }
}
