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
  /// takes it by the whole second, his waiting counted.
  static let graceS = 0.5
  static let graceOfWaitingS = 1.0

  /// For how many seconds other traffic, which holds until a moment, has not been the newest; nil where an answer by it
  /// will not do.
  func pastS(of other: TrafficName, until: Instant?, graceS: Double = graceS) -> Double? {
    if other == name { return 0 }
    guard let pastS = recent[other.sheet], pastS <= graceS, !other.isForetold, !name.isForetold,
      other.typicalSlot == name.typicalSlot, other.since.map({ $0 <= now }) ?? true,
      until.map({ now < $0 }) ?? true
    else { return nil }
    return pastS
  }

  /// Whether traffic that another took the place of at `end` is new enough at `now` for those who would wait else.
  ///
  /// The stamps are the writers': one that lies far ahead is of a clock that is wrong, or was set back since, and says
  /// nothing of how long ago that was.
  static func isRecent(_ end: Instant, at now: Instant) -> Bool {
    abs(now.seconds(since: end)) <= graceOfWaitingS
  }
}
