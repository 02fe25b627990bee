import Documents
import Foundations
import Geodesy

/// Reads traces from TCX, the Training Center XML of sports watches.
///
/// Each activity or course is one trace.
enum TCX {
  static func read(_ bytes: [UInt8]) throws(TraceFault) -> TraceRecording {
    try XMLTrace.read(bytes, TCXDocument())
  }
}

private struct TCXDocument: XMLTraceDocument {
  private var traces: [Trace] = []
  private var values = XMLPointValues()
  private var path: [String] = []
  private var text = ""
  private var isOpen = false
  private var fix = Fix(place: Coordinate(latitudeDeg: 0, longitudeDeg: 0))
  private var place: (lat: String?, lon: String?)

  var recording: TraceRecording { TraceRecording(traces: traces, remarks: values.remarks) }

  mutating func startElement(
    _ name: String, _ attributes: [String: String], _ reader: XMLReader
  ) throws(TraceFault) {
    path.append(name)
    text = ""
    switch name {
    case "Activity", "Course": traces.append(Trace(name: "\(traces.count + 1)", fixes: []))
    case "Trackpoint":
      isOpen = true
      fix = Fix(place: Coordinate(latitudeDeg: 0, longitudeDeg: 0))
      place = (nil, nil)
    default: break
    }
  }

  mutating func text(_ text: String) { self.text += text }

  mutating func endElement(_ name: String, _ reader: XMLReader) {
    path.removeLast()
    defer { text = "" }
    let value = TraceValue.trimmed(text)
    guard isOpen else {
      let isOfTrace = path.last == "Activity" || path.last == "Course"
      if isOfTrace, name == "Id" || name == "Name", !value.isEmpty, let last = traces.indices.last {
        traces[last].name = value
      }
      return
    }
    switch name {
    case "Time": fix.time = values.time(value, reader)
    case "LatitudeDegrees": place.lat = value
    case "LongitudeDegrees": place.lon = value
    case "AltitudeMeters": fix.altitudeM = values.number(value, name, reader)
    case "Speed": fix.speedMps = values.number(value, name, reader)
    case "Trackpoint":
      isOpen = false
      guard let place = values.place(place.lat, place.lon, reader) else { return }
      fix.place = place
      if traces.isEmpty { traces.append(Trace(name: "1", fixes: [])) }
      traces[traces.count - 1].fixes.append(fix)
    default: break
    }
  }
}
