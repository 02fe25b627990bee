import Documents
import Foundations
import Geodesy

/// Reads traces from KML.
///
/// Each `gx:Track` is one trace. Without tracks, points with times are read, or else lines.
enum KML {
  static func read(_ bytes: [UInt8]) throws(TraceFault) -> TraceRecording {
    try XMLTrace.read(bytes, KMLDocument())
  }
}

private struct KMLDocument: XMLTraceDocument {
  private var tracks: [Trace] = []
  private var lines: [Trace] = []
  private var points: [Fix] = []
  private var values = XMLPointValues()
  private var path: [String] = []
  private var text = ""
  private var name = ""
  /// Times and positions of the open track or placemark.
  private var whens: [Instant?] = []
  private var places: [Fix?] = []
  /// Whether the last track is part of the open `gx:MultiTrack`, so that the next one continues it.
  private var isInMultiTrack = false

  var recording: TraceRecording {
    var remarks = values.remarks
    if tracks.contains(where: { !$0.fixes.isEmpty }) {
      return TraceRecording(traces: tracks, remarks: remarks)
    }
    if points.count > 1 {
      remarks.add("the file contains no gx:Track: its points with times are read in order")
      return TraceRecording(traces: [Trace(name: "1", fixes: points)], remarks: remarks)
    }
    if lines.contains(where: { !$0.fixes.isEmpty }) {
      remarks.add("the file contains no gx:Track: its lines are read, which have no times")
    }
    return TraceRecording(traces: lines, remarks: remarks)
  }

  mutating func startElement(
    _ name: String, _ attributes: [String: String], _ reader: XMLReader
  ) throws(TraceFault) {
    path.append(name)
    text = ""
    guard name == "Track" || name == "Placemark" else { return }
    if name == "Placemark" { self.name = "" }
    whens = []
    places = []
  }

  mutating func text(_ text: String) { self.text += text }

  mutating func endElement(_ name: String, _ reader: XMLReader) {
    path.removeLast()
    defer { text = "" }
    let value = TraceValue.trimmed(text)
    switch name {
    case "name" where path.last == "Placemark": self.name = value
    case "when": whens.append(values.time(value, reader))
    case "coord":
      // An empty coordinate is a gap in a track, and its time is dropped as well.
      places.append(fix(value.split(separator: " "), reader))
    case "Track":
      let isPart = path.last == "MultiTrack" && isInMultiTrack
      if !isPart {
        tracks.append(
          Trace(name: self.name.isEmpty ? "\(tracks.count + 1)" : self.name, fixes: []))
      }
      isInMultiTrack = path.last == "MultiTrack"
      tracks[tracks.count - 1].fixes += places.enumerated().compactMap { index, fix in
        var fix = fix
        fix?.time = index < whens.count ? whens[index] : nil
        return fix
      }
    case "MultiTrack": isInMultiTrack = false
    case "coordinates" where path.last == "LineString":
      let fixes = value.split(whereSeparator: \.isWhitespace).compactMap {
        fix($0.split(separator: ","), reader)
      }
      lines.append(
        Trace(name: self.name.isEmpty ? "\(lines.count + 1)" : self.name, fixes: fixes))
    case "coordinates" where path.last == "Point":
      places.append(fix(value.split(separator: ","), reader))
    case "Placemark":
      if places.count == 1, whens.count == 1, var fix = places[0] {
        fix.time = whens[0]
        points.append(fix)
      }
    default: break
    }
  }

  /// Reads longitude, latitude and an optional altitude.
  private mutating func fix(_ parts: [Substring], _ reader: XMLReader) -> Fix? {
    let place = values.place(
      parts.count > 1 ? String(parts[1]) : nil, parts.first.map(String.init), reader)
    return place.map {
      Fix(place: $0, altitudeM: parts.count > 2 ? TraceValue.number(String(parts[2])) : nil)
    }
  }
}
