import Documents
import Foundations
import Geodesy

/// Reads traces from GPX 1.0 and 1.1.
///
/// Track points have times and elevations. `speed` and `course` are read at any level (GPX 1.0, and
/// the extensions of Garmin and others). The accuracy is read where an application writes it:
/// `accuracy`, `hAcc` or `accuracy_horizontal`. The `hdop` of OsmAnd and Locus is an accuracy in
/// metres. Each track is one trace with its segments joined. In a file without tracks, the routes
/// are read.
public enum GPX {
  /// Returns the tracks of `bytes` that have points, or its routes where there is no track.
  ///
  /// Cost is linear.
  ///
  /// - Throws: `TraceFault`, also for a truncated file and for a point without a position.
  public static func parse(_ bytes: [UInt8]) throws(TraceFault) -> [Trace] {
    let recording = try XMLTrace.read(bytes, GPXDocument(isOfRecording: false))
    if let cut = recording.cut { throw cut }
    return recording.traces
  }

  /// Returns the traces of a recording, which may be truncated.
  ///
  /// Without tracks and routes, its waypoints are one trace.
  public static func read(_ bytes: [UInt8]) throws(TraceFault) -> TraceRecording {
    try XMLTrace.read(bytes, GPXDocument(isOfRecording: true))
  }
}

private struct GPXDocument: XMLTraceDocument {
  /// Whether the file is a recording.
  ///
  /// Only for a recording are points without a position left out with a remark, and waypoints read.
  private let isOfRecording: Bool
  private var tracks: [Trace] = []
  private var routes: [Trace] = []
  private var waypoints: [Fix] = []
  private var path: [String] = []
  private var text = ""
  /// The open point; nil outside of points and in a point whose position cannot be read.
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
      remarks.add("the file contains no track: the points of its routes are read")
      return TraceRecording(traces: routes, remarks: remarks)
    }
    guard isOfRecording, waypoints.count > 1 else {
      return TraceRecording(traces: [], remarks: remarks)
    }
    remarks.add("the file contains no track and no route: its waypoints are read in order")
    return TraceRecording(traces: [Trace(name: "1", fixes: waypoints)], remarks: remarks)
  }

  mutating func startElement(
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
      // An imported route must not omit one of its points.
      if fix == nil, !isOfRecording {
        throw reader.traceFault("the coordinates of <\(name)> cannot be read")
      }
    default: break
    }
  }

  mutating func text(_ text: String) { self.text += text }

  mutating func endElement(_ name: String, _ reader: XMLReader) {
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
      // In extensions, a `time` element may mean anything.
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

  /// Adds the open point to its track, to its route or to the waypoints.
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
