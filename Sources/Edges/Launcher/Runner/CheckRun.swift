import StackFile
import Supervision

/// A check of a running stack: what is expected of its messages, and for how long.
struct CheckRun {
  /// Maximum duration in seconds.
  let durationS: Double
  /// Time at which it ends at the latest.
  let endS: Double
  /// nil after the judgement.
  private var expectations: Expectations?

  init(_ file: StackFile, vehicle: String, durationS: Double, startS: Double) {
    self.durationS = durationS
    endS = startS + durationS
    expectations = Expectations(
      file.expectations, until: file.until, vehicle: vehicle, startS: startS)
  }

  /// Time of the judgement at the latest; nil after it.
  var deadlineS: Double? { expectations == nil ? nil : endS }

  /// Topics to subscribe to.
  var topics: Set<String> { expectations?.topics ?? [] }

  /// Whether it still needs messages.
  var isObserving: Bool { expectations != nil }

  mutating func observe(_ message: ObservedMessage, atS now: Double) {
    expectations?.observe(message, atS: now)
  }

  /// The verdicts, once its time is over or its end condition has been met; nil before and after.
  ///
  /// `areCallsDone` is whether all calls of the start were answered.
  mutating func judge(atS now: Double, areCallsDone: Bool) -> [Expectations.Verdict]? {
    guard let expectations else { return nil }
    let isFulfilled = expectations.isFulfilled(atS: now) && areCallsDone
    guard isFulfilled || endS <= now else { return nil }
    self.expectations = nil
    return expectations.verdicts(atS: now)
  }
}
