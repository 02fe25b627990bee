public import Foundations

/// Reads a recorded log of NMEA 0183.
public enum NMEALog {
  /// The fixes of `bytes` as one trace; linear.
  ///
  /// Fixes before the first sentence with a date get that date; without any date they get the day
  /// of `start`.
  public static func parse(
    _ bytes: [UInt8], start: Instant = Instant(seconds: 1_767_254_400)
  ) throws(TraceFault) -> [Trace] {
    try read(bytes, start: start).traces
  }

  /// The same, with counts of what was read and left out.
  public static func read(
    _ bytes: [UInt8], start: Instant = Instant(seconds: 1_767_254_400),
    options: NMEAOptions = NMEAOptions()
  ) throws(TraceFault) -> (traces: [Trace], counts: NMEAReceiver.Counts) {
    var receiver = NMEAReceiver(day: firstDate(bytes, options) ?? start, options: options)
    let fixes = receiver.process(bytes) + receiver.finish()
    guard !fixes.isEmpty else {
      let counts = receiver.counts
      let lines = 1 + bytes.count { $0 == 0x0a }
      let hint =
        counts.noChecksum > counts.sentences
        ? "; nmea_checksum: optional (--nmea-checksum optional) reads these, too" : ""
      throw TraceFault(
        line: lines, column: 1,
        problem: "the log contains no fix: \(counts.sentences) sentences, "
          + "\(counts.wrongChecksum) with a wrong checksum, \(counts.noChecksum) without one, "
          + "\(counts.withoutPosition) fixes without a position\(hint)")
    }
    return ([Trace(name: "", fixes: fixes)], receiver.counts)
  }

  /// The day of the first sentence with a date, minus one if midnight lies before it.
  private static func firstDate(_ bytes: [UInt8], _ options: NMEAOptions) -> Instant? {
    var splitter = NMEASplitter(requiresChecksum: options.requiresChecksum)
    var first: Double?
    // A cold receiver may report the time for minutes before it reports the date.
    for chunk in stride(from: 0, to: bytes.count, by: 65_536) {
      for case .success(let sentence) in splitter.process(
        bytes[chunk..<min(chunk + 65_536, bytes.count)])
      {
        guard let part = NMEAPart(sentence), let time = part.timeOfDayS else { continue }
        first = first ?? time
        guard let date = part.dateS.map({ $0 + options.addedS }) else { continue }
        return Instant(seconds: (first ?? time) - time > 43_200 ? date - 86_400 : date)
      }
    }
    return nil
  }
}
