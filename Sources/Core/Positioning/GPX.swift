import Documents
import EventTime
import Geodesy

/// Reads traces from GPX 1.0 and 1.1.
///
/// Track points with their times and elevations, `speed` and `course` wherever they stand (GPX 1.0,
/// and the extensions of Garmin and others), `accuracy` where an application writes it. Each track
/// is a trace, its segments joined.
public enum GPX {
  /// The tracks of `bytes` that hold at least one point; linear.
  public static func parse(_ bytes: [UInt8]) throws(TraceFault) -> [Trace] {
    var reader = XMLReader(bytes)
    var document = Document()
    while let event = try reader.nextOfTrace() {
      switch event {
      case .start(let name, let attributes):
        try document.begin(name, attributes, reader)
      case .text(let text):
        document.text += text
      case .end(let name):
        try document.end(name, reader)
      }
    }
    let traces = document.traces.filter { !$0.fixes.isEmpty }
    guard !traces.isEmpty else { throw reader.traceFault("the file holds no track point") }
    return traces
  }
}

private struct Document {
  var traces: [Trace] = []
  var text = ""
  private var path: [String] = []
  private var fix: Fix?

  mutating func begin(
    _ name: String, _ attributes: [String: String], _ reader: XMLReader
  ) throws(TraceFault) {
    if path.isEmpty, name != "gpx" {
      throw reader.traceFault("the root element is <\(name)>, expected <gpx>")
    }
    path.append(name)
    text = ""
    if name == "trk" { traces.append(Trace(name: "\(traces.count + 1)", fixes: [])) }
    if name == "trkpt" {
      guard !traces.isEmpty else { throw reader.traceFault("<trkpt> stands outside of <trk>") }
      fix = Fix(
        place: Coordinate(
          latitudeDeg: try Self.degrees("lat", attributes, reader),
          longitudeDeg: try Self.degrees("lon", attributes, reader)))
    }
  }

  mutating func end(_ name: String, _ reader: XMLReader) throws(TraceFault) {
    path.removeLast()
    defer { text = "" }
    if fix == nil {
      if name == "name", path.last == "trk", !text.isEmpty, let last = traces.indices.last {
        traces[last].name = Self.trimmed(text)
      }
      return
    }
    let value = Self.trimmed(text)
    switch name {
    case "trkpt":
      if let fix { traces[traces.count - 1].fixes.append(fix) }
      fix = nil
    case "time":
      guard let time = TimeText.iso8601(value) else {
        throw reader.traceFault("\"\(value)\" is no time; expected 2013-07-01T00:09:03Z")
      }
      fix?.time = time
    case "ele": fix?.altitudeM = try Self.number(value, name, reader)
    case "speed": fix?.speedMps = try Self.number(value, name, reader)
    case "course": fix?.bearingDeg = try Self.number(value, name, reader)
    case "accuracy": fix?.accuracyM = try Self.number(value, name, reader)
    default: break
    }
  }

  private static func degrees(
    _ key: String, _ attributes: [String: String], _ reader: XMLReader
  ) throws(TraceFault) -> Double {
    guard let text = attributes[key] else { throw reader.traceFault("<trkpt> has no \"\(key)\"") }
    return try number(trimmed(text), key, reader)
  }

  private static func number(
    _ text: String, _ name: String, _ reader: XMLReader
  ) throws(TraceFault) -> Double {
    guard let value = Double(text), value.isFinite else {
      throw reader.traceFault("\(name) \"\(text)\" is no number")
    }
    return value
  }

  private static func trimmed(_ text: String) -> String {
    var part = Substring(text)
    while part.first?.isWhitespace == true { part.removeFirst() }
    while part.last?.isWhitespace == true { part.removeLast() }
    return String(part)
  }
}

extension XMLReader {
  fileprivate mutating func nextOfTrace() throws(TraceFault) -> XMLEvent? {
    do throws(DocumentFault) { return try next() } catch { throw TraceFault(error) }
  }

  fileprivate func traceFault(_ problem: String) -> TraceFault { TraceFault(fault(problem)) }
}

extension TraceFault {
  fileprivate init(_ fault: DocumentFault) {
    self.init(line: fault.line, column: fault.column, problem: fault.problem)
  }
}
