public import Foundations

/// Options for reading the sentences of an NMEA 0183 receiver.
public struct NMEAOptions: Hashable, Sendable {
  /// Whether sentences without a checksum are left out.
  ///
  /// A sentence with a wrong checksum is always left out.
  public var requiresChecksum: Bool
  /// Weeks added to each date, such as 1024 for a receiver after a week-number rollover.
  public var addedWeeks: Int

  public init(requiresChecksum: Bool = true, addedWeeks: Int = 0) {
    self.requiresChecksum = requiresChecksum
    self.addedWeeks = addedWeeks
  }

  /// Number of weeks after which the GPS week number restarts at 0.
  public static let rolloverWeeks = 1_024
  static let weekS = 604_800.0

  /// Returns how often a receiver's week number has rolled over; 0 for never.
  ///
  /// `time` is the time that the receiver reports, and `now` is the actual time. A lag counts only
  /// within two days of a whole number of rollovers.
  public static func rollovers(from time: Instant, to now: Instant) -> Int {
    let oneS = Double(rolloverWeeks) * weekS
    let behindS = now.seconds(since: time)
    let count = (behindS / oneS).rounded()
    return count >= 1 && abs(behindS - count * oneS) < 2 * 86_400 ? Int(count) : 0
  }

  /// The added weeks in seconds.
  var addedS: Double { Double(addedWeeks) * Self.weekS }
}
