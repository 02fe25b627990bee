public import EventTime

/// How the sentences of an NMEA 0183 receiver are to be read.
public struct NMEAOptions: Hashable, Sendable {
  /// Whether sentences without a checksum are left out; a wrong checksum always leaves one out.
  public var requiresChecksum: Bool
  /// Weeks that are added to each date: 1024 for a receiver whose count of weeks has rolled over.
  public var addedWeeks: Int

  public init(requiresChecksum: Bool = true, addedWeeks: Int = 0) {
    self.requiresChecksum = requiresChecksum
    self.addedWeeks = addedWeeks
  }

  /// Weeks after which the week count of GPS begins anew.
  public static let rolloverWeeks = 1_024
  static let weekS = 604_800.0

  /// How often the week count of a receiver that says `time` has rolled over, where it is `now`; 0 where it has not.
  ///
  /// A date counts that is behind by a whole number of rollovers, to two days.
  public static func rollovers(from time: Instant, to now: Instant) -> Int {
    let oneS = Double(rolloverWeeks) * weekS
    let behindS = now.seconds(since: time)
    let count = (behindS / oneS).rounded()
    return count >= 1 && abs(behindS - count * oneS) < 2 * 86_400 ? Int(count) : 0
  }

  /// The added weeks in seconds.
  var addedS: Double { Double(addedWeeks) * Self.weekS }
}
