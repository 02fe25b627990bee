public import BusProtocol
import Foundations

/// One or several recordings merged into one: each message with the time at which it is played.
///
/// That is the time at which the broker received it; for a run in lock-step, it is stack time.
public final class MergedRecording {
  public struct Entry: Sendable {
    /// Nanoseconds; only differences between entries are meaningful.
    public var atNS: Int64
    public var frame: Frame
  }

  private let paths: [String]
  private let isConducted: Bool
  private var index = 0
  private var run: RecordedRun?
  private var lastNS: Int64 = .min
  private let isWanted: (String) -> Bool

  /// - Throws: `ReplayProblem` if a file is not a recording.
  public init(
    _ paths: [String], isConducted: Bool, where isWanted: @escaping (String) -> Bool
  ) throws(ReplayProblem) {
    self.paths = paths
    self.isConducted = isConducted
    self.isWanted = isWanted
    run = try paths.first.map { path throws(ReplayProblem) in try RecordedRun(path: path) }
  }

  /// The next wanted message; nil after the last.
  ///
  /// Times never go back.
  public func next() throws(ReplayProblem) -> Entry? {
    while let run {
      guard let frame = try run.next() else {
        index += 1
        self.run = index < paths.count ? try RecordedRun(path: paths[index]) : nil
        continue
      }
      guard isWanted(frame.topic) else { continue }
      let isReported = isConducted && frame.header.run == 1
      let at = isReported ? RecordingSurvey.moment(of: frame).nanoseconds : run.logTimeNS
      // A node's own figures in a run in lock-step only have a position in time between other
      // messages.
      if isConducted, !isReported, lastNS == .min { continue }
      // A time that no clock can report would never be reached. Such a message follows the previous
      // one.
      if isConducted && !isReported || at == .max {
        lastNS = max(lastNS, 0)
      } else {
        lastNS = max(lastNS, at)
      }
      return Entry(atNS: lastNS, frame: frame)
    }
    return nil
  }
}
