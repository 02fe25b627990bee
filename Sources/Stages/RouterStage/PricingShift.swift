import RoadFile
import Synchronization

/// Lets one at a time work out what takes long, while others go on with what was worked out a moment ago.
///
/// Who comes alone works himself, so that questions asked one after the other are each answered by the newest. Once
/// somebody has come in the middle of such work nobody stands still for it who can have something recent: it is done
/// beside the questions, until nobody comes in the middle of it, or somebody for whom all is done.
final class PricingShift: Sendable {
  /// Does something soon, on a thread that nobody waits for.
  typealias Later = @Sendable (@escaping @Sendable () -> Void) -> Void

  private struct State {
    /// So many wait for what another works out; nobody overtakes them.
    var waiting = 0
    /// Somebody came while the work under way, or the last one, was done.
    var cameMeanwhile = false
    /// Somebody came while the last work was done.
    var isCrowded = false
    /// Work that nobody waits for is being done, or will be soon.
    var isBeside = false
  }

  private let state = Mutex(State())
  /// Held while something is worked out, so that those who ask for the same at once wait for one to do it.
  private let working = Mutex(())
  /// Seconds by a clock that only goes forward.
  private let secondsNow: @Sendable () -> Double
  private let later: Later

  init(
    secondsNow: @escaping @Sendable () -> Double = uptimeS,
    later: @escaping Later = { Processors.later($0) }
  ) {
    self.secondsNow = secondsNow
    self.later = later
  }

  /// What `make` works out, or, where that would make somebody stand still, what is there that is new enough.
  ///
  /// `orRecent` gives what has not been the newest for so many seconds at most, nil where there is no such thing; for who
  /// has waited already these seconds are less by his waiting.
  func take<Result>(
    _ make: @escaping @Sendable () -> Result, orRecent: (_ graceS: Double) -> Result?
  ) -> Result {
    let (isCrowded, isFree) = state.withLock { ($0.isCrowded, $0.waiting == 0) }
    if isCrowded, let recent = orRecent(CountedTraffic.graceS) {
      workBeside { _ = make() }
      return recent
    }
    if isFree, let own = working.withLockIfAvailable({ _ in work(make) }) { return own }
    state.withLock { $0.cameMeanwhile = true }
    if let recent = orRecent(CountedTraffic.graceS) { return recent }
    let beginS = secondsNow()
    state.withLock { $0.waiting += 1 }
    return working.withLock { _ in
      state.withLock { $0.waiting -= 1 }
      // Traffic grows older while one waits.
      let waitedS = secondsNow() - beginS
      return orRecent(CountedTraffic.graceOfWaitingS - waitedS) ?? work(make)
    }
  }

  /// Somebody came for whom nothing is to be worked out: there is no crowd, or no more.
  func rest() { state.withLock { $0.isCrowded = false } }

  /// Under `working`.
  private func work<Result>(_ make: () -> Result) -> Result {
    state.withLock { $0.cameMeanwhile = false }
    defer { state.withLock { $0.isCrowded = $0.cameMeanwhile } }
    return make()
  }

  private func workBeside(_ make: @escaping @Sendable () -> Void) {
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
