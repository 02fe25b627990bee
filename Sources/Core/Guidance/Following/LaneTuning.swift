import Speech

extension Navigator {
  /// How far before a maneuver its lanes are shown: by metres or seconds, whichever comes first.
  ///
  /// The values are those of the voice's own table for announcements by distance.
  public struct LaneTuning: Codable, Hashable, Sendable {
    /// For limits below 60 km/h, below 100 km/h, and above.
    public var slowM: Double
    public var regularM: Double
    public var fastM: Double
    public var seconds: Double

    public init() {
      let table = TimingTable()
      slowM = table[.slow].distance.distanceM
      regularM = table[.regular].distance.distanceM
      fastM = table[.fast].distance.distanceM
      seconds = table[.regular].distance.timeS
    }

    func distanceM(limitMps: Double?, speedMps: Double?) -> Double {
      let metres =
        switch TimingProfile(drivingUnder: limitMps ?? speedMps ?? 0) {
        case .slow, .pedestrian: slowM
        case .regular: regularM
        case .fast: fastM
        }
      return max(metres, seconds * (speedMps ?? 0))
    }
  }
}
