import Foundations

/// Actual and promised times of the messages of one input.
struct InputTiming {
  private struct Interval {
    var actualS: Double
    var promisedS: Double
  }

  /// The rate is measured over intervals with this promised total duration, and at least a minimum
  /// number.
  private static let windowS = 5.0
  private static let windowCount = 5
  /// A stamp that is earlier by this time belongs to another recording, and is not a late message.
  private static let backS = 10.0

  /// Arrival of the last message, in stack time if that was known, and by the machine's clock.
  private(set) var heard: (stack: Instant, at: Int64)
  /// Promised seconds until the next message; nil for no promise.
  private(set) var nextS: Double?
  private var lastStamp: Instant
  private var intervals: [Interval] = []
  private var oldest = 0
  private var actualS = 0.0
  private var promisedS = 0.0

  init(stamp: Instant, nextS: Double?, stackNow: Instant, atNS: Int64) {
    heard = (stackNow, atNS)
    lastStamp = stamp
    self.nextS = nextS
  }

  /// Records a message; O(1) amortised.
  mutating func ingest(stamp: Instant, nextS: Double?, stackNow: Instant, atNS: Int64) {
    heard = (stackNow, atNS)
    let passed = stamp.seconds(since: lastStamp)
    if passed < -Self.backS {
      forget()
      lastStamp = stamp
    } else if passed > 0 {
      if let promised = self.nextS { add(Interval(actualS: passed, promisedS: promised)) }
      lastStamp = stamp
    }
    self.nextS = nextS
  }

  mutating func forget() {
    intervals = []
    oldest = 0
    actualS = 0
    promisedS = 0
  }

  private mutating func add(_ interval: Interval) {
    intervals.append(interval)
    actualS += interval.actualS
    promisedS += interval.promisedS
    while intervals.count - oldest > Self.windowCount,
      promisedS - intervals[oldest].promisedS >= Self.windowS
    {
      actualS -= intervals[oldest].actualS
      promisedS -= intervals[oldest].promisedS
      oldest += 1
    }
    if oldest > 256, oldest * 2 > intervals.count {
      intervals.removeFirst(oldest)
      oldest = 0
    }
  }

  /// Whether enough messages arrived for a rate.
  private var isMeasured: Bool {
    intervals.count - oldest >= Self.windowCount && promisedS >= Self.windowS * 0.999
  }

  /// Actual and promised messages per second of event time; nil if too few arrived.
  var rates: (hz: Double, promisedHz: Double)? {
    guard isMeasured, actualS > 0, promisedS > 0 else { return nil }
    let count = Double(intervals.count - oldest)
    return (count / actualS, count / promisedS)
  }
}
