public import Foundations
import Geodesy

/// Why a fix is rejected (LOC-7).
public enum FixFault: Error, Hashable, Sendable {
  /// Not a place on the globe, or not a number.
  case noPlace
  /// A value that no receiver can mean; contains the field's name.
  case impossible(field: String)
  /// A time from a receiver's clock before its first lock: 1970, 1980.
  case clockNotSet(Instant)
  /// Older than the previous fix, although the clock was not reset.
  case timeWentBack(bySeconds: Double)
  /// Far ahead of all other fixes, without further evidence for that time.
  case timeLeapt(bySeconds: Double)
  /// The same time as the previous fix.
  case timeStoodStill

  /// The name for counters.
  public var reason: String {
    switch self {
    case .noPlace, .impossible: "out_of_range"
    case .clockNotSet: "clock_not_set"
    case .timeWentBack: "time_went_back"
    case .timeLeapt: "time_leapt"
    case .timeStoodStill: "time_stood_still"
    }
  }

  /// The reason as a sentence for people.
  public var sentence: String {
    switch self {
    case .noPlace:
      "the coordinates are not valid: latitude is -90 to 90, longitude -180 to 180"
    case .impossible(let field):
      "\(field) has an implausible value"
    case .clockNotSet(let time):
      Self.unitHint(of: time)
        ?? "the receiver's clock is not set: \(time.nanoseconds) ns is before 1990"
    case .timeWentBack(let seconds):
      "the fix is \(seconds) s older than the previous fix, and the clock was not set back"
    case .timeLeapt(let seconds):
      "the fix is \(seconds) s ahead of all others; it is used once more fixes of its source agree"
    case .timeStoodStill:
      "the fix has the same time as the previous fix"
    }
  }

  /// A sentence if the number is a plausible time in a coarser unit than nanoseconds; nil
  /// otherwise.
  private static func unitHint(of time: Instant) -> String? {
    let units: [(name: String, factor: Int64)] = [
      ("seconds", 1_000_000_000), ("milliseconds", 1_000_000), ("microseconds", 1_000),
    ]
    for unit in units {
      let (whole, isTooLarge) = time.nanoseconds.multipliedReportingOverflow(by: unit.factor)
      guard !isTooLarge, FixGate.possibleTimes.contains(Instant(nanoseconds: whole)) else {
        continue
      }
      return "time_ns \(time.nanoseconds) is before 1990: it looks like \(unit.name) "
        + "(send nanoseconds since 1970, multiply by \(unit.factor)), or the receiver's clock is not set"
    }
    return nil
  }
}

/// Accepts plausible fixes in the order of their time.
public struct FixGate: Hashable, Sendable {
  /// Time of the newest accepted fix; a fix without a time does not change it.
  public private(set) var lastTime: Instant?

  /// 1990-01-01T00:00:00Z: later than the epochs of Unix and GPS, earlier than any real fix.
  public static let earliest = Instant(nanoseconds: 631_152_000_000_000_000)

  /// The latest possible time of a fix, 2200-01-01T00:00:00Z.
  ///
  /// It is later than any real fix, and far from the maximum of an `Instant`.
  public static let latest = Instant(nanoseconds: 7_258_118_400_000_000_000)

  /// The range of times that a fix can have.
  public static let possibleTimes = earliest...latest

  public init(lastTime: Instant? = nil) { self.lastTime = lastTime }

  /// Checks the values of one fix, independently of earlier fixes.
  public static func check(_ fix: Fix) throws(FixFault) {
    guard fix.place.isValid else { throw .noPlace }
    let bounded: [(String, Double?, ClosedRange<Double>)] = [
      ("speed_mps", fix.speedMps, 0...400),
      ("bearing_deg", fix.bearingDeg, 0...360),
      ("accuracy_m", fix.accuracyM, 0...1e7),
      ("bearing_accuracy_deg", fix.bearingAccuracyDeg, 0...360),
      ("speed_accuracy_mps", fix.speedAccuracyMps, 0...1e4),
      ("altitude_m", fix.altitudeM, -12_000...100_000),
    ]
    for (field, value, range) in bounded {
      if let value, !range.contains(value) { throw .impossible(field: field) }
    }
    guard let time = fix.time else { return }
    if time < earliest { throw .clockNotSet(time) }
    if time > latest { throw .impossible(field: "time_ns") }
  }

  /// Accepts `fix` or throws the reason for its rejection; a rejected fix changes nothing.
  public mutating func admit(_ fix: Fix) throws(FixFault) {
    try Self.check(fix)
    guard let time = fix.time else { return }
    if let lastTime {
      guard time != lastTime else { throw .timeStoodStill }
      guard time > lastTime else {
        throw .timeWentBack(bySeconds: lastTime.seconds(since: time))
      }
    }
    lastTime = time
  }

  /// Resets the time, because the clock was set: a loop or a jump in a replay.
  public mutating func reset() { lastTime = nil }
}
