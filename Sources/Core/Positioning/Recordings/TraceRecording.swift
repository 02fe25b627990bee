/// The result of reading a recording: its traces, and remarks about what was left out.
public struct TraceRecording: Hashable, Sendable {
  /// The traces with at least one fix, in the order of the file.
  public var traces: [Trace]
  public var remarks: TraceRemarks
  /// Where the file is truncated or damaged; nil for a complete file.
  ///
  /// The traces end there.
  public var cut: TraceFault?

  public init(traces: [Trace], remarks: TraceRemarks = TraceRemarks(), cut: TraceFault? = nil) {
    self.traces = traces
    self.remarks = remarks
    self.cut = cut
  }
}

/// The error that no trip has the wanted name or number.
public struct NoSuchTrip: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence that names existing trips.
  public var description: String
}

extension TraceRecording {
  /// Returns the trip with a name or, where no trip has that name, with a number counted from 1.
  ///
  /// Without `wanted`, it is the first trip with more than one fix, because devices often leave a
  /// first track of one point. The second value contains remarks about the choice.
  public func trip(_ wanted: String?) throws(NoSuchTrip) -> (trace: Trace, remarks: [String]) {
    guard let wanted else {
      let index = traces.firstIndex { $0.fixes.count > 1 } ?? 0
      guard traces.indices.contains(index) else { throw missing("") }
      guard traces.count > 1 else { return (traces[index], []) }
      return (
        traces[index],
        [
          "there are \(traces.count) trips; number \(index + 1), \"\(traces[index].name)\", is used; "
            + "select another one by its name or number"
        ]
      )
    }
    let named = traces.filter { $0.name == wanted }
    if let first = named.first {
      guard named.count > 1 else { return (first, []) }
      let numbers = traces.indices.filter { traces[$0].name == wanted }.map { "\($0 + 1)" }
      return (
        first,
        [
          "\(named.count) trips are named \"\(wanted)\"; the first is used; "
            + "their numbers are \(numbers.prefix(20).joined(separator: ", "))"
        ]
      )
    }
    let digits = wanted.hasPrefix("#") ? wanted.dropFirst() : Substring(wanted)
    guard let number = Int(digits), traces.indices.contains(number - 1) else {
      throw missing(wanted)
    }
    return (traces[number - 1], [])
  }

  private func missing(_ wanted: String) -> NoSuchTrip {
    let names = traces.prefix(5).map { "\"\($0.name)\"" }.joined(separator: ", ")
    return NoSuchTrip(
      description:
        "there is no trip \"\(wanted)\"; there are \(traces.count), among them \(names); "
        + "a number counted from 1 also selects a trip")
  }
}
