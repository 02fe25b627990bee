import Foundations
import Messages
import Positioning
import Stage

/// Detects fixes of one source that lag far behind the stack's clock.
///
/// Delayed fixes of a receiver catch up with the clock. A source that paused and resumes does not
/// catch up, and then the clock that continued without it is wrong.
struct FixLagDetector: Codable, Hashable, Sendable {
  private let source: String
  private let first: Instant
  private let lagS: Double
  private var count = 1

  /// A smaller delay than this is normal.
  static let leastS = 10.0
  /// Number of fixes, and the seconds that they span, after which it is clear whether they catch
  /// up.
  private static let evidence = 3
  private static let evidenceS = 3.0

  init(_ source: String, at time: Instant, now: Instant) {
    self.source = source
    first = time
    lagS = now.seconds(since: time)
  }

  /// Processes the next late fix; returns whether the delay stays the same, or nil while this is
  /// unclear.
  mutating func stays(_ source: String, at time: Instant, now: Instant) -> Bool? {
    guard source == self.source else { return nil }
    let spanS = time.seconds(since: first)
    count += 1
    guard count >= Self.evidence, spanS >= Self.evidenceS else { return spanS < 0 ? false : nil }
    return lagS - now.seconds(since: time) < spanS / 2
  }
}

extension LocationStage {
  /// Follows the fixes of an outside source, which determine the time.
  ///
  /// The clock starts a new run only if several fixes of one source require it.
  mutating func follow(
    _ raw: LocationRaw, from source: String
  ) throws(Refusal) -> [StageOutput] {
    guard let nanoseconds = raw.timeNs else { return [] }
    let time = Instant(nanoseconds: nanoseconds)
    guard FixGate.possibleTimes.contains(time) else {
      return [.count("location/raw impossible time", 1)]
    }
    let name = "\(source) \(raw.provider ?? "")"
    let isFirst = line.newest == nil && !wasRestored
    switch line.judge(time, of: name) {
    case .refused(let fault):
      throw Refusal(reason: fault.reason, message: fault.sentence)
    case .begins:
      return turn(to: time, "the fixes of \(name) agree on another time")
    case .goesOn:
      break
    }
    if time > now {
      lag = nil
      now = time
      return clockOutputs()
    }
    guard now.seconds(since: time) > FixLagDetector.leastS else {
      lag = nil
      return []
    }
    // The first fix far in the past belongs to another recording and is not a late fix.
    if isFirst { return turn(to: time, "the first fix is of an earlier time") }
    guard var known = lag else {
      lag = FixLagDetector(name, at: time, now: now)
      return [.count("location/raw late", 1)]
    }
    let stays = known.stays(name, at: time, now: now)
    lag = known
    switch stays {
    case true?: return turn(to: time, "the fixes of \(name) continue where they stopped")
    case false?: lag = FixLagDetector(name, at: time, now: now)
    case nil: break
    }
    return [.count("location/raw late", 1)]
  }

  /// Longest pause of a drive, in seconds; over more than this the clock was set.
  private static let longestPauseS = 3_600.0

  /// Sets the clock to `time`, in a new run if it goes back or farther ahead than a drive pauses.
  ///
  /// In a new run every node restarts its timers, so that nothing expires because of the step.
  private mutating func turn(to time: Instant, _ reason: String) -> [StageOutput] {
    if time < now || time.seconds(since: now) > Self.longestPauseS { run += 1 }
    lag = nil
    now = time
    return [.log(.info, "the clock is set: \(reason)")] + clockOutputs()
  }

  private mutating func clockOutputs() -> [StageOutput] {
    clock() + (nextWake().map { [$0] } ?? [])
  }
}
