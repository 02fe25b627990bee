import Foundations
import Traffic

/// Identifies the traffic that a metric was built with; equal names mean equal traffic.
struct TrafficKey: Hashable, Sendable {
  /// Number of the traffic snapshot; 0 without traffic.
  var snapshot = 0
  /// Time since which the same part of it has held.
  var since: Instant?
  /// Whether it is the forecast for a later departure instead of the current traffic.
  var includesForecast = false
  /// The quarter of an hour whose typical speeds are filled in; nil for none.
  var typicalSlot: Int?

  static let none = TrafficKey()
}

/// The traffic to use for a request.
struct RequestTraffic: Sendable {
  var name = TrafficKey.none
  /// Time at which a value begins or ends; nil for never.
  var until: Instant?
  /// The moment of the request.
  var now = Instant(nanoseconds: 0)
  /// Sheets that were the newest until a moment ago, with the seconds since then.
  var recent: [Int: Double] = [:]
  /// Provides the view, which is built on first use; nil without traffic.
  var view: @Sendable () -> TrafficView? = { nil }

  static let none = RequestTraffic()

  /// Seconds for which recently replaced traffic is acceptable while the newest is being processed.
  ///
  /// It is half of the second within which new traffic reaches the answers, TR-6. A request that
  /// has waited for the work of another one may use the whole second, its waiting time included.
  static let graceS = 0.5
  static let graceOfWaitingS = 1.0

  /// Returns the seconds since other traffic, which holds until a moment, was the newest; nil if it
  /// is not acceptable.
  func pastS(of other: TrafficKey, until: Instant?, graceS: Double = graceS) -> Double? {
    if other == name { return 0 }
    guard let pastS = recent[other.snapshot], pastS <= graceS, !other.includesForecast,
      !name.includesForecast,
      other.typicalSlot == name.typicalSlot, other.since.map({ $0 <= now }) ?? true,
      until.map({ now < $0 }) ?? true
    else { return nil }
    return pastS
  }

  /// Whether traffic that was replaced at `end` is recent enough at `now` to avoid waiting.
  ///
  /// The stamps come from the writers. A stamp far in the future comes from a clock that is wrong
  /// or was set back since. It does not show how long ago that was.
  static func isRecent(_ end: Instant, at now: Instant) -> Bool {
    abs(now.seconds(since: end)) <= graceOfWaitingS
  }
}
