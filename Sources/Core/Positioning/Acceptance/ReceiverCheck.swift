import Foundations
import Geodesy

/// Removes the values of one receiver's fixes that disagree with how its positions move.
///
/// Reported speeds, bearings and accuracies are evidence, not truth. A disagreeing kind of value is
/// removed until it agrees again, and is reported once. Memory is constant; a fix costs a few
/// distance computations.
public struct ReceiverCheck: Codable, Hashable, Sendable {
  /// A finding that a kind of value is left out from now on.
  public struct Remark: Hashable, Sendable {
    /// The name of the field.
    public var field: String
    /// The reason, as a sentence for people.
    public var sentence: String
    /// Number of fixes that the evidence spans, including the newest.
    ///
    /// The values of these fixes were wrong as well.
    public var evidenceFixes: Int
  }

  /// The result of the check for one fix.
  public enum Verdict: Hashable, Sendable {
    /// The fix is usable without the values that disagree.
    case usable(Fix)
    /// The receiver repeats an old position, so the location of the vehicle is unknown.
    case frozen
  }

  private var frozen = FrozenPosition()
  private var speed = SpeedCheck()
  private var bearing = BearingCheck()
  private var accuracy = AccuracyCheck()
  /// Fields that were already reported as left out.
  private var reported: [String] = []

  public init() {}

  /// Processes the receiver's next fix, in time order, and appends new findings to `remarks`.
  public mutating func check(_ fix: Fix, remarks: inout [Remark]) -> Verdict {
    guard let time = fix.time, fix.place.isValid else { return .usable(fix) }
    let believedMps = speed.isIgnoring ? nil : fix.speedMps
    if frozen.process(fix.place, at: time, speedMps: believedMps) {
      remark(
        "position", "the receiver repeats its last position while the vehicle moves", 1, &remarks
      )
      return .frozen
    }
    var usable = fix
    if !speed.check(fix, at: time) { usable.speedMps = nil }
    if !bearing.check(fix, at: time) { usable.bearingDeg = nil }
    if !accuracy.check(fix, at: time) { usable.accuracyM = nil }
    if speed.isIgnoring, speed.isFactorKnown {
      remark("speed_mps", Self.sentence(ofFactor: speed.factor), speed.evidenceFixes, &remarks)
    }
    if bearing.isIgnoring {
      remark(
        "bearing_deg",
        "bearing_deg disagrees with the direction in which the positions move; it is not used",
        bearing.evidenceFixes, &remarks)
    }
    if accuracy.isIgnoring, let metres = fix.accuracyM {
      remark(
        "accuracy_m",
        "accuracy_m is always \(Self.text(metres)) although the positions progress smoothly; it is not used",
        accuracy.evidenceFixes, &remarks)
    }
    return .usable(usable)
  }

  /// Appends the speed finding at the end of a recording, even where its factor is uncertain.
  public mutating func finish(remarks: inout [Remark]) {
    guard speed.isIgnoring else { return }
    remark("speed_mps", Self.sentence(ofFactor: speed.factor), speed.evidenceFixes, &remarks)
  }

  /// Appends one remark for each field that has values no receiver can mean.
  public mutating func record(leftOut fields: [String], remarks: inout [Remark]) {
    for field in fields {
      remark(
        "\(field) range",
        "\(field) has an implausible value; such values are left out",
        1, &remarks)
    }
  }

  private mutating func remark(
    _ field: String, _ sentence: String, _ fixes: Int, _ remarks: inout [Remark]
  ) {
    guard !reported.contains(field) else { return }
    reported.append(field)
    remarks.append(Remark(field: field, sentence: sentence, evidenceFixes: fixes))
  }

  private static func sentence(ofFactor factor: Double) -> String {
    guard factor > 0.05 else {
      return "speed_mps is 0 although the positions move; it is not used"
    }
    let units = [("km/h", 3.6), ("mph", 2.237), ("knots", 1.944)]
    let unit =
      units.first { abs(factor / $0.1 - 1) < 0.07 }.map { ", as if it were in \($0.0)" } ?? ""
    return
      "speed_mps is \(text((factor * 10).rounded() / 10)) times the speed at which the positions move\(unit); "
      + "it is not used"
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
  }
}
