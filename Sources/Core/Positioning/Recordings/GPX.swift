import Documents
import EventTime
import Geodesy

/// Reads traces from GPX 1.0 and 1.1.
///
/// Track points with their times and elevations, `speed` and `course` wherever they stand (GPX 1.0,
/// and the extensions of Garmin and others), and the accuracy where an application writes it:
/// `accuracy`, `hAcc`, `accuracy_horizontal`, and the `hdop` of OsmAnd and Locus, which is one in metres.
/// Each track is a trace, its segments joined. A file without tracks is read for its routes.
public enum GPX {
  /// The tracks of `bytes` that hold at least one point, or the routes where there is no track; linear.
  ///
  /// - Throws: `TraceFault` also for a file that breaks off, and for a point without a place.
  public static func parse(_ bytes: [UInt8]) throws(TraceFault) -> [Trace] {
    let recording = try XMLTrace.read(bytes, GPXDocument(isOfRecording: false))
    if let cut = recording.cut { throw cut }
    return recording.traces
  }

  /// The same of a recording, which may break off; without tracks and routes its waypoints are a trace.
  public static func read(_ bytes: [UInt8]) throws(TraceFault) -> TraceRecording {
    try XMLTrace.read(bytes, GPXDocument(isOfRecording: true))
  }
}

private struct GPXDocument: XMLTraceDocument {
  /// Whether what was left out can be told, and waypoints count.
  private let isOfRecording: Bool
  private var tracks: [Trace] = []
  private var routes: [Trace] = []
  private var waypoints: [Fix] = []
  private var path: [String] = []
  private var text = ""
  /// The point that is open; nil outside of points, and in one whose place cannot be read.
  private var fix: Fix?
  private var values = XMLPointValues()
  private var writesHdopInMetres = false

  init(isOfRecording: Bool) { self.isOfRecording = isOfRecording }

  private static let points: Set<String> = ["trkpt", "rtept", "wpt"]

  var recording: TraceRecording {
    var remarks = values.remarks
    if tracks.contains(where: { !$0.fixes.isEmpty }) {
      return TraceRecording(traces: tracks, remarks: remarks)
    }
    if routes.contains(where: { !$0.fixes.isEmpty }) {
      remarks.add("the file holds no track: the points of its routes are read")
      return TraceRecording(traces: routes, remarks: remarks)
    }
    guard isOfRecording, waypoints.count > 1 else {
      return TraceRecording(traces: [], remarks: remarks)
    }
    remarks.add("the file holds no track and no route: its waypoints are read in their order")
    return TraceRecording(traces: [Trace(name: "1", fixes: waypoints)], remarks: remarks)
  }

  mutating func begin(
    _ name: String, _ attributes: [String: String], _ reader: XMLReader
  ) throws(TraceFault) {
    if path.isEmpty {
      guard name == "gpx" else {
        throw reader.traceFault("the root element is <\(name)>, expected <gpx>")
      }
      let creator = attributes["creator"]?.lowercased() ?? ""
      writesHdopInMetres = creator.contains("osmand") || creator.contains("locus")
    }
    path.append(name)
    text = ""
    switch name {
    case "trk": tracks.append(Trace(name: "\(tracks.count + 1)", fixes: []))
    case "rte": routes.append(Trace(name: "\(routes.count + 1)", fixes: []))
    case let point where Self.points.contains(point):
      fix = values.place(attributes["lat"], attributes["lon"], reader).map { Fix(place: $0) }
      // A route that is imported must not lead past one of its points.
      if fix == nil, !isOfRecording {
        throw reader.traceFault("the coordinates of <\(name)> cannot be read")
      }
    default: break
    }
  }

  mutating func text(_ text: String) { self.text += text }

  mutating func end(_ name: String, _ reader: XMLReader) {
    path.removeLast()
    defer { text = "" }
    if Self.points.contains(name) { return close(name) }
    guard fix != nil else {
      if name == "name" { rename() }
      return
    }
    let value = TraceValue.trimmed(text)
    switch name.lowercased() {
    case "time" where path.last.map(Self.points.contains) == true:
      // In extensions the word may mean anything.
      fix?.time = values.time(value, reader)
    case "ele" where path.last.map(Self.points.contains) == true:
      fix?.altitudeM = values.number(value, name, reader)
    case "speed": fix?.speedMps = values.number(value, name, reader)
    case "course": fix?.bearingDeg = values.number(value, name, reader)
    case "accuracy", "hacc", "accuracy_horizontal", "horizontal_accuracy", "horizontalaccuracy":
      fix?.accuracyM = values.number(value, name, reader)
    case "hdop" where writesHdopInMetres && fix?.accuracyM == nil:
      fix?.accuracyM = values.number(value, name, reader)
    default: break
    }
  }

  /// Adds the open point to what it is of.
  private mutating func close(_ name: String) {
    guard let fix else { return }
    self.fix = nil
    switch name {
    case "trkpt":
      if tracks.isEmpty { tracks.append(Trace(name: "1", fixes: [])) }
      tracks[tracks.count - 1].fixes.append(fix)
    case "rtept":
      if routes.isEmpty { routes.append(Trace(name: "1", fixes: [])) }
      routes[routes.count - 1].fixes.append(fix)
    default: waypoints.append(fix)
    }
  }

  private mutating func rename() {
    let name = TraceValue.trimmed(text)
    guard !name.isEmpty else { return }
    if path.last == "trk", let last = tracks.indices.last { tracks[last].name = name }
    if path.last == "rte", let last = routes.indices.last { routes[last].name = name }
  }
}
