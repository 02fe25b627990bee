import EventTime
import Traffic

/// Names the traffic that a metric was made with; equal names stand for equal traffic.
struct TrafficName: Hashable, Sendable {
  /// Of the sheet; 0 where no traffic counts.
  var sheet = 0
  /// Since when the same of it has held.
  var since: Instant?
  /// What is foretold for a later departure, and not what holds now.
  var isForetold = false
  /// The quarter of an hour whose typical speeds are filled in; nil for none.
  var typicalSlot: Int?

  static let none = TrafficName()
}

/// The traffic that a request is to be answered by.
struct CountedTraffic: Sendable {
  var name = TrafficName.none
  /// When something in it begins or ends to hold; nil for never.
  var until: Instant?
  /// The moment of the request.
  var now = Instant(nanoseconds: 0)
  /// Sheets that were the newest until a moment ago, and for how many seconds they have not been.
  var recent: [Int: Double] = [:]
  /// Makes the view where nobody has yet; nil where no traffic counts.
  var view: @Sendable () -> TrafficView? = { nil }

  static let none = CountedTraffic()

  /// Seconds for which traffic that was the newest will do where the newest is being worked out.
  ///
  /// Half of the second within which new traffic reaches the answers, TR-6; who has waited for somebody else's work
  /// takes it by the whole second.
  static let graceS = 0.5
  static let graceOfWaitingS = 1.0

  /// Whether an answer by other traffic, which holds until a moment, will do.
  func allows(_ other: TrafficName, until: Instant?, graceS: Double = graceS) -> Bool {
    if other == name { return true }
    guard let pastS = recent[other.sheet], pastS <= graceS else { return false }
    return !other.isForetold && !name.isForetold && other.typicalSlot == name.typicalSlot
      && until.map { now < $0 } ?? true
  }
}
