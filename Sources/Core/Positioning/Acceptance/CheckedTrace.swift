import Foundations

/// The fixes of a recorded trace without their implausible values.
public struct CheckedTrace: Hashable, Sendable {
  /// The checked fixes, one for each fix of the trace and in the same order.
  ///
  /// Values that disagree with the positions are nil. A frozen fix has no time, so it is not
  /// matched, and neither has one of the few with a wrong date.
  public private(set) var fixes: [Fix] = []
  /// Indices of the fixes that repeat an old position while the vehicle moves on.
  public private(set) var frozen: Set<Int> = []
  /// The values that were left out, one sentence for each finding.
  public private(set) var remarks: [String] = []

  /// Checks a whole trace in linear time.
  ///
  /// A finding also applies to the earlier fixes that its evidence spans. With `looksBack` false,
  /// each fix is judged without later fixes, as on a live drive.
  public init(_ trace: [Fix], looksBack: Bool = true) {
    var check = ReceiverCheck()
    var newest: Instant?
    fixes.reserveCapacity(trace.count)
    let isMisdated = looksBack ? Self.misdated(trace) : []
    for (number, fix) in trace.enumerated() {
      var readable = fix.readable.fix
      if isMisdated.contains(number) { readable.time = nil }
      // A fix that is out of order is no evidence.
      if let time = readable.time, let newest, time <= newest {
        fixes.append(readable)
        continue
      }
      newest = readable.time ?? newest
      var found: [ReceiverCheck.Remark] = []
      switch check.check(readable, remarks: &found) {
      case .usable(let usable):
        fixes.append(usable)
      case .frozen:
        frozen.insert(number)
        fixes.append(readable)
        fixes[number].time = nil
      }
      found.forEach { apply($0, at: number, looksBack) }
    }
    var found: [ReceiverCheck.Remark] = []
    check.finish(remarks: &found)
    found.forEach { apply($0, at: trace.count - 1, looksBack) }
  }

  /// Returns the fixes whose date or time disagrees with those of nearly all others; none if they
  /// may be a drive of their own.
  private static func misdated(_ trace: [Fix]) -> Set<Int> {
    let isPlausible = TraceTimes.plausible(trace)
    let strays = trace.indices.filter { trace[$0].time != nil && !isPlausible[$0] }
    return strays.count <= trace.count / 10 ? Set(strays) : []
  }

  private mutating func apply(
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
