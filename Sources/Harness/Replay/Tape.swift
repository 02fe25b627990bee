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
      // A time that no clock can report would never be reached. Such a message follows the previous
      // one.
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
