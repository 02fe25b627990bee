import Documents
public import Foundations

/// Reads recordings of fixes in any known format.
public enum TraceReader {
  /// Options for reading a recording.
  public struct Options: Hashable, Sendable {
    /// The origin of times that are seconds from any start.
    ///
    /// Its day is also the date of a log without dates.
    public var start: Instant
    public var nmea: NMEAOptions

    public init(start: Instant, nmea: NMEAOptions = NMEAOptions()) {
      self.start = start
      self.nmea = nmea
    }
  }

  /// Returns the traces of `bytes`, and remarks about what was left out, in linear time.
  ///
  /// Without a `wanted` format, the format is recognised. A truncated file is read up to its end.
  /// Fixes that are stored newest first are reversed. A remark reports either case.
  ///
  /// - Throws: `TraceFault` for a file without a fix, in an unsupported format, or in another
  ///   format than `wanted`.
  public static func read(
    _ bytes: [UInt8], as wanted: TraceFormat? = nil, options: Options
  ) throws(TraceFault) -> TraceRecording {
    let (bytes, zeros) = text(of: bytes)
    guard !bytes.isEmpty else {
      throw TraceFault(
        line: 1, column: 1,
        problem: zeros > 0 ? "the file contains only zeros" : "the file is empty")
    }
    var recording = try read(bytes, format: try format(of: bytes, wanted), options)
    if zeros > 0 {
      recording.remarks.add(
        "\(zeros) zero bytes at the end of the file are ignored; it was not closed")
    }
    for index in recording.traces.indices {
      guard let turned = TraceTimes.oldestFirst(recording.traces[index].fixes) else { continue }
      recording.traces[index].fixes = turned
      recording.remarks.add(
        "the fixes are in reverse order, newest first; they are read from the end")
    }
    return recording
  }

  private static func format(
    of bytes: [UInt8], _ wanted: TraceFormat?
  ) throws(TraceFault) -> TraceFormat {
    // NMEA sentences are found within any other content.
    if wanted == .nmea { return .nmea }
    let found = try TraceFormat.recognise(bytes)
    guard let wanted, wanted != found else { return found }
    // Content of no known format counts as CSV. The reader of the wanted format reports a more
    // precise problem.
    if found == .csv || wanted == .csv && found != .gpx && found != .tcx && found != .kml {
      return wanted
    }
    throw TraceFault(
      line: 1, column: 1,
      problem: "this is \(found.name), not \(wanted.name); the source recording reads it")
  }

  private static func read(
    _ bytes: [UInt8], format: TraceFormat, _ options: Options
  ) throws(TraceFault) -> TraceRecording {
    switch format {
    case .gpx: return try GPX.read(bytes)
    case .tcx: return try TCX.read(bytes)
    case .kml: return try KML.read(bytes)
    case .geojson: return try GeoJSONTrace.read(bytes)
    case .plt: return try PLTTrace.read(bytes)
    case .owntracks: return try OwnTracksTrace.read(bytes)
    case .csv: return try CSVTrace.read(bytes, start: options.start)
    case .nmea:
      let log = try NMEALog.read(bytes, start: options.start, options: options.nmea)
      var recording = TraceRecording(traces: log.traces)
      for sentence in remarks(log.counts) { recording.remarks.add(sentence) }
      return recording
    }
  }

  private static func remarks(_ counts: NMEAReceiver.Counts) -> [String] {
    [
      (counts.wrongChecksum, "sentences with a wrong checksum"),
      (counts.noChecksum, "sentences without a checksum"),
      (counts.notUnderstood, "lines that are not sentences"),
      (counts.withoutPosition, "fixes without a position"),
    ].filter { $0.0 > 0 }.map { "\($0.1) are left out: \($0.0)" }
  }

  /// Returns the bytes as UTF-8, without the trailing zeros of a file that was not closed.
  private static func text(of bytes: [UInt8]) -> (bytes: [UInt8], zeros: Int) {
    let isWide =
      bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
      || bytes.starts(with: [0x3c, 0]) || bytes.starts(with: [0, 0x3c])
    var part = bytes
    if isWide {
      // Drop half a character at the end of a truncated file.
      if !part.count.isMultiple(of: 2) { part.removeLast() }
      part = (try? DocumentText.utf8(part)) ?? part
    } else if bytes.first == 0x3c {
      // Even in an unknown encoding, positions and times can usually be read.
      part = (try? DocumentText.utf8(bytes)) ?? bytes
    }
    let end = part.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    let zeros = part.count - end
    part.removeLast(zeros)
    return (part, zeros)
  }
}
