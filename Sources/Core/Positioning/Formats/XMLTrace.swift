import Documents
import Foundations
import Geodesy

/// An XML format of recordings, which converts the events of a document to traces.
protocol XMLTraceDocument {
  /// The recording of what was read so far.
  var recording: TraceRecording { get }
  mutating func startElement(
    _ name: String, _ attributes: [String: String], _ reader: XMLReader) throws(TraceFault)
  mutating func text(_ text: String)
  mutating func endElement(_ name: String, _ reader: XMLReader)
}

enum XMLTrace {
  /// Reads a complete document, or a truncated one up to its end, in linear time.
  ///
  /// - Throws: `TraceFault` for content that is not XML, and for a damaged file without a fix.
  static func read(
    _ bytes: [UInt8], _ empty: some XMLTraceDocument
  ) throws(TraceFault) -> TraceRecording {
    var reader = XMLReader(bytes)
    var document = empty
    var cut: TraceFault?
    while cut == nil {
      do throws(TraceFault) {
        guard let event = try reader.nextOfTrace() else { break }
        switch event {
        case .start(let name, let attributes): try document.startElement(name, attributes, reader)
        case .text(let text): document.text(text)
        case .end(let name): document.endElement(name, reader)
        }
      } catch {
        cut = error
      }
    }
    var recording = document.recording
    recording.traces.removeAll { $0.fixes.isEmpty }
    if recording.traces.isEmpty, let cut { throw cut }
    if let cut {
      recording.cut = cut
      recording.remarks.add(
        "the file is damaged or truncated, and is read up to that place: \(cut)")
    }
    guard !recording.traces.isEmpty else {
      throw reader.traceFault("the file contains no track point")
    }
    return recording
  }
}

extension XMLReader {
  fileprivate mutating func nextOfTrace() throws(TraceFault) -> XMLEvent? {
    do throws(DocumentFault) { return try next() } catch { throw TraceFault(error) }
  }

  func traceFault(_ problem: String) -> TraceFault { TraceFault(fault(problem)) }
}

extension TraceFault {
  init(_ fault: DocumentFault) {
    self.init(line: fault.line, column: fault.column, problem: fault.problem)
  }
}

/// Parses the values of points; values that cannot be read are left out and counted.
struct XMLPointValues {
  var remarks = TraceRemarks()

  /// Parses a number; any other text is counted, and the result is nil.
  mutating func number(_ text: String, _ name: String, _ reader: XMLReader) -> Double? {
    if let value = TraceValue.number(text) { return value }
    leaveOut("values of <\(name)> that are not numbers", text, reader)
    return nil
  }

  /// Parses a time; any other text is counted, and the result is nil.
  mutating func time(_ text: String, _ reader: XMLReader) -> Instant? {
    if let time = TraceValue.time(text, start: Instant(nanoseconds: 0)),
      time.seconds >= EpochTime.firstS || text.utf8.contains(0x3a)
    {
      return time
    }
    leaveOut("times that are not of the form 2013-07-01T00:09:03Z", text, reader)
    return nil
  }

  /// Parses a position; nil, and counted, where one coordinate is missing or not a number.
  mutating func place(_ lat: String?, _ lon: String?, _ reader: XMLReader) -> Coordinate? {
    if let lat, let lon, let latitude = TraceValue.number(TraceValue.trimmed(lat)),
      let longitude = TraceValue.number(TraceValue.trimmed(lon))
    {
      return Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
    }
    leaveOut(
      "points without readable coordinates", "\(lat ?? "nothing"),\(lon ?? "nothing")",
      reader)
    return nil
  }

  private mutating func leaveOut(_ what: String, _ text: String, _ reader: XMLReader) {
    remarks.count("\(what) are left out") {
      let place = reader.fault("")
      return "line \(place.line), column \(place.column): \"\(text.prefix(40))\""
    }
  }
}
