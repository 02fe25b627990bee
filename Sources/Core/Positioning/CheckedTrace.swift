import EventTime

/// The fixes of a recorded trace with what can be believed of them.
public struct CheckedTrace: Hashable, Sendable {
  /// One for each fix of the trace, in the same order, without the values that disagree with the positions; a frozen
  /// one has no time, so that nothing is matched by it.
  public private(set) var fixes: [Fix] = []
  /// Numbers of the fixes that repeat an old position while the vehicle moves on.
  public private(set) var frozen: Set<Int> = []
  /// What was left out, a sentence each.
  public private(set) var remarks: [String] = []

  /// Checks a whole trace; what a remark says of the fixes before it, they are judged by as well.
  ///
  /// Linear. `looksBack` is false where each fix is to be taken as in a drive, with nothing known of later ones.
  public init(_ trace: [Fix], looksBack: Bool = true) {
    var check = ReceiverCheck()
    var newest: Instant?
    fixes.reserveCapacity(trace.count)
    for (number, fix) in trace.enumerated() {
      let readable = fix.readable.fix
      // One out of its turn is no evidence of anything.
      if let time = readable.time, let newest, time <= newest {
        fixes.append(readable)
        continue
      }
      newest = readable.time ?? newest
      var found: [ReceiverCheck.Remark] = []
      switch check.take(readable, remarks: &found) {
      case .usable(let usable):
        fixes.append(usable)
      case .frozen:
        frozen.insert(number)
        fixes.append(readable)
        fixes[number].time = nil
      }
      found.forEach { take($0, at: number, looksBack) }
    }
    var found: [ReceiverCheck.Remark] = []
    check.finish(remarks: &found)
    found.forEach { take($0, at: trace.count - 1, looksBack) }
  }

  private mutating func take(
    _ remark: ReceiverCheck.Remark, at number: Int, _ looksBack: Bool
  ) {
    let first = max(0, number + 1 - remark.evidenceFixes)
    remarks.append("from fix \(first) on: \(remark.sentence)")
    guard looksBack else { return }
    for index in first...number {
      switch remark.field {
      case "speed_mps": fixes[index].speedMps = nil
      case "bearing_deg": fixes[index].bearingDeg = nil
      case "accuracy_m": fixes[index].accuracyM = nil
      default: break
      }
    }
  }
}
