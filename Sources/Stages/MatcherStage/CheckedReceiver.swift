import Positioning
import Stage

/// The check of the source whose fixes are used; it restarts when the source changes.
struct CheckedReceiver: Codable, Hashable, Sendable {
  private var source: String?
  private var check = ReceiverCheck()

  /// Returns the fix without implausible values; nil for a frozen position.
  ///
  /// A position is frozen where the receiver repeats it while the vehicle moves on. Counters and
  /// new findings are appended to `outputs`.
  mutating func check(
    _ readable: Fix.Readable, of source: String, _ outputs: inout [StageOutput]
  ) -> Fix? {
    if source != self.source {
      self.source = source
      check = ReceiverCheck()
    }
    var remarks: [ReceiverCheck.Remark] = []
    check.record(leftOut: readable.leftOut, remarks: &remarks)
    let fix = readable.fix
    let verdict = check.check(fix, remarks: &remarks)
    outputs += remarks.map { .log(.warning, "location/raw: \(source): \($0.sentence)") }
    outputs += readable.leftOut.map { .count("location/raw \($0)_left_out", 1) }
    guard case .usable(let usable) = verdict else {
      outputs.append(.count("location/raw frozen_position", 1))
      return nil
    }
    let doubted = [
      ("speed_mps", fix.speedMps != usable.speedMps),
      ("bearing_deg", fix.bearingDeg != usable.bearingDeg),
      ("accuracy_m", fix.accuracyM != usable.accuracyM),
    ]
    outputs += doubted.filter(\.1).map { .count("location/raw \($0.0)_not_believed", 1) }
    return usable
  }
}
