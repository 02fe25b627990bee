import EventTime
import Geodesy

/// Keeps of one receiver's fixes what agrees with how its positions move: reported speeds, bearings and accuracies are
/// evidence and no truth.
///
/// Values that disagree are left out until they agree again, and told once. Of a fixed size; a fix costs a few
/// distances.
public struct ReceiverCheck: Codable, Hashable, Sendable {
  /// A kind of value that is left out from now on.
  public struct Remark: Hashable, Sendable {
    /// The field's name.
    public var field: String
    /// Why, for people.
    public var sentence: String
    /// How many fixes the evidence spans, the newest included: their values were wrong as well.
    public var evidenceFixes: Int
  }

  /// What becomes of a fix.
  public enum Verdict: Hashable, Sendable {
    /// It is usable without the values that disagree.
    case usable(Fix)
    /// The receiver repeats an old position: nothing is known of where the vehicle is.
    case frozen
  }

  private var frozen = FrozenPosition()
  private var speed = SpeedCheck()
  private var bearing = BearingCheck()
  private var accuracy = AccuracyCheck()
  /// Fields of which it was told that they are left out.
  private var reported: [String] = []

  public init() {}

  /// Takes the next fix of the receiver, in the order of time; what is found out with it goes to `remarks`.
  public mutating func take(_ fix: Fix, remarks: inout [Remark]) -> Verdict {
    guard let time = fix.time, fix.place.isValid else { return .usable(fix) }
    let believedMps = speed.isIgnoring ? nil : fix.speedMps
    if frozen.take(fix.place, at: time, speedMps: believedMps) {
      tell(
        "position", "the receiver repeats its last position while the vehicle moves on", 1, &remarks
      )
      return .frozen
    }
    var usable = fix
    if !speed.take(fix, at: time) { usable.speedMps = nil }
    if !bearing.take(fix, at: time) { usable.bearingDeg = nil }
    if !accuracy.take(fix, at: time) { usable.accuracyM = nil }
    if speed.isIgnoring, speed.isFactorKnown {
      tell("speed_mps", Self.sentence(ofFactor: speed.factor), speed.evidenceFixes, &remarks)
    }
    if bearing.isIgnoring {
      tell(
        "bearing_deg",
        "bearing_deg disagrees with the direction in which the positions move; it is not used",
        bearing.evidenceFixes, &remarks)
    }
    if accuracy.isIgnoring, let metres = fix.accuracyM {
      tell(
        "accuracy_m",
        "accuracy_m is always \(Self.text(metres)) although the positions go on smoothly; it is not used",
        accuracy.evidenceFixes, &remarks)
    }
    return .usable(usable)
  }

  /// What is found out by the end of a recording, where the evidence was too little to tell more.
  public mutating func finish(remarks: inout [Remark]) {
    guard speed.isIgnoring else { return }
    tell("speed_mps", Self.sentence(ofFactor: speed.factor), speed.evidenceFixes, &remarks)
  }

  /// Tells once of each field whose values no receiver can mean.
  public mutating func note(leftOut fields: [String], remarks: inout [Remark]) {
    for field in fields {
      tell(
        "\(field) range",
        "\(field) has a value that no receiver can mean; such values are left out",
        1, &remarks)
    }
  }

  private mutating func tell(
    _ field: String, _ sentence: String, _ fixes: Int, _ remarks: inout [Remark]
  ) {
    guard !reported.contains(field) else { return }
    reported.append(field)
    remarks.append(Remark(field: field, sentence: sentence, evidenceFixes: fixes))
  }

  private static func sentence(ofFactor factor: Double) -> String {
    guard factor > 0.05 else {
      return "speed_mps is 0 although the positions move on; it is not used"
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
