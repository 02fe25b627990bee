public import Bus
import EventTime

/// One or several recordings as one: each message with the moment at which it is played.
///
/// That is when the broker had it; in a run in lock-step, which took no time, the stack's own time.
public final class Tape {
  public struct Entry: Sendable {
    /// Nanoseconds; only differences between entries mean something.
    public var atNS: Int64
    public var frame: Frame
  }

  private let paths: [String]
  private let isConducted: Bool
  private var index = 0
  private var run: RecordedRun?
  private var lastNS: Int64 = .min
  /// Leaps of years so far.
  private var skippedNS: Int64 = 0
  private let isWanted: (String) -> Bool

  /// - Throws: `ReplayProblem` where a file is no recording.
  public init(
    _ paths: [String], isConducted: Bool, where isWanted: @escaping (String) -> Bool
  ) throws(ReplayProblem) {
    self.paths = paths
    self.isConducted = isConducted
    self.isWanted = isWanted
    run = try paths.first.map { path throws(ReplayProblem) in try RecordedRun(path: path) }
  }

  /// The moment of a message whose time is `at`.
  ///
  /// A leap of years is that of a clock that was set, and a time that no clock can have said would never come: such a
  /// message follows the one before at once.
  private func next(_ at: Int64) -> Int64 {
    guard lastNS > .min else { return at == .max ? 0 : at }
    let (leapNS, overflow) = at.subtractingReportingOverflow(lastNS &+ skippedNS)
    if at == .max || overflow || leapNS > Self.longestLeapNS {
      if at < .max, !overflow { skippedNS &+= leapNS }
      return lastNS
    }
    return max(lastNS, at &- skippedNS)
  }

  private static let longestLeapNS: Int64 = 366 * 86_400 * 1_000_000_000

  /// The next message that is wanted; nil after the last.
  ///
  /// Moments never go back.
  public func next() throws(ReplayProblem) -> Entry? {
    while let run {
      guard let frame = try run.next() else {
        index += 1
        self.run = index < paths.count ? try RecordedRun(path: paths[index]) : nil
        continue
      }
      guard isWanted(frame.topic) else { continue }
      let isTold = isConducted && frame.header.run == 1
      let at = isTold ? RecordingSurvey.moment(of: frame).nanoseconds : run.logTimeNS
      // A node's own figures in a run in lock-step have no place in its time but between others.
      if isConducted, !isTold, lastNS == .min { continue }
      // A time that no clock can have said would never come: such a message follows the one before.
      if isConducted && !isTold || at == .max {
        lastNS = max(lastNS, 0)
      } else {
        lastNS = max(lastNS, at)
      }
      return Entry(atNS: lastNS, frame: frame)
    }
    return nil
  }
}
