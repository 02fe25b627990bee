import RoadFile
import Synchronization

/// Runs one expensive computation at a time, while other requests use a recent result.
///
/// A request without competition computes by itself, so that sequential requests always use the
/// newest data. Once a request has arrived during a computation, no request waits that can use a
/// recent result. The computation then runs in the background. This ends when no request arrives
/// during a computation, or when one finds its result ready.
final class SingleFlight: Sendable {
  /// Schedules work on a background thread.
  typealias Later = @Sendable (@escaping @Sendable () -> Void) -> Void

  private struct State {
    /// Number of requests that wait for a computation of another; none overtakes them.
    var waiting = 0
    /// Whether a request arrived during the current or last computation.
    var cameMeanwhile = false
    /// Whether a request arrived during the last computation.
    var isCrowded = false
    /// Whether background work is running or scheduled.
    var isBeside = false
  }

  private let state = Mutex(State())
  /// Held during a computation, so that simultaneous requests for the same result compute it once.
  private let working = Mutex(())
  /// Seconds of a monotonic clock.
  private let secondsNow: @Sendable () -> Double
  private let later: Later

  init(
    secondsNow: @escaping @Sendable () -> Double = uptimeS,
    later: @escaping Later = { Processors.later($0) }
  ) {
    self.secondsNow = secondsNow
    self.later = later
  }

  /// Returns the result of `make`, or an acceptable recent result if the request would have to
  /// wait.
  ///
  /// `orRecent` returns a result that was the newest at most the given number of seconds ago, or
  /// nil if there is none. For a request that has waited, its waiting time is subtracted from these
  /// seconds.
  func run<Result>(
    _ make: @escaping @Sendable () -> Result, orRecent: (_ graceS: Double) -> Result?
  ) -> Result {
    let (isCrowded, isFree) = state.withLock { ($0.isCrowded, $0.waiting == 0) }
    if isCrowded, let recent = orRecent(RequestTraffic.graceS) {
      runInBackground { _ = make() }
      return recent
    }
    if isFree, let own = working.withLockIfAvailable({ _ in work(make) }) { return own }
    state.withLock { $0.cameMeanwhile = true }
    if let recent = orRecent(RequestTraffic.graceS) { return recent }
    let beginS = secondsNow()
    state.withLock { $0.waiting += 1 }
    return working.withLock { _ in
      state.withLock { $0.waiting -= 1 }
      // Traffic ages while the request waits.
      let waitedS = secondsNow() - beginS
      return orRecent(RequestTraffic.graceOfWaitingS - waitedS) ?? work(make)
    }
  }

  /// Records a request whose result was ready: there is no competition, or no more.
  func rest() { state.withLock { $0.isCrowded = false } }

  /// Computes a result; the caller must hold `working`.
  private func work<Result>(_ make: () -> Result) -> Result {
    state.withLock { $0.cameMeanwhile = false }
    defer { state.withLock { $0.isCrowded = $0.cameMeanwhile } }
    return make()
  }

  private func runInBackground(_ make: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      defer { state.isBeside = true }
      state.cameMeanwhile = true
      return !state.isBeside
    }
    guard isFirst else { return }
    later { [self] in
      working.withLock { _ in work(make) }
      state.withLock { $0.isBeside = false }
    }
  }

  private static let start = ContinuousClock.now
  @Sendable static func uptimeS() -> Double { (ContinuousClock.now - start) / .seconds(1) }
}
