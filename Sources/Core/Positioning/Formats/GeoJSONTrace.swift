import Documents
import Foundations
import Geodesy

/// Reads traces from GeoJSON: lines with a list of times, and points with one time each.
///
/// The times are properties. The lists are named `coordTimes`, `times` or `timestamps`, as in
/// exports of tracks.
enum GeoJSONTrace {
  static func read(_ bytes: [UInt8]) throws(TraceFault) -> TraceRecording {
    let root: JSONValue
    do throws(DocumentFault) { root = try JSONReader.value(bytes) } catch {
      if let lines = JSONRecords.lines(of: bytes) { return try JSONRecords.read(lines) }
      throw TraceFault(error)
    }
    let records = root["type"]?.string == nil ? JSONRecords.records(of: root) : []
    if !records.isEmpty { return try JSONRecords.read(records) }
    var reading = GeoJSONReading()
    reading.object(root)
    return try reading.recording()
  }
}

private struct GeoJSONReading {
  private var lines: [Trace] = []
  private var points: [Fix] = []
  private var remarks = TraceRemarks()
  private var isGeoJSON = false

  mutating func object(_ value: JSONValue) {
    switch value["type"]?.string {
    case "FeatureCollection":
      isGeoJSON = true
      for feature in value["features"]?.array ?? [] { object(feature) }
    case "Feature":
      isGeoJSON = true
      if let geometry = value["geometry"] { shape(geometry, value["properties"] ?? .null) }
    case "GeometryCollection":
      isGeoJSON = true
      for geometry in value["geometries"]?.array ?? [] { shape(geometry, .null) }
    case "LineString"?, "MultiLineString"?, "Point"?: shape(value, .null)
    default: break
    }
  }

  func recording() throws(TraceFault) -> TraceRecording {
    let traces = lines.filter { !$0.fixes.isEmpty }
    if !traces.isEmpty { return TraceRecording(traces: traces, remarks: remarks) }
    guard points.isEmpty else {
      return TraceRecording(traces: [Trace(name: "1", fixes: points)], remarks: remarks)
    }
    throw TraceFault(
      line: 1, column: 1,
      problem: isGeoJSON
        ? "the GeoJSON contains no line and no point with a time"
        : "this JSON is not GeoJSON and contains no records with a latitude and a longitude")
  }

  private mutating func shape(_ geometry: JSONValue, _ properties: JSONValue) {
    isGeoJSON = true
    let name = properties["name"]?.label ?? ""
    let coordinates = geometry["coordinates"]?.array ?? []
    let times = Self.times(properties)
    switch geometry["type"]?.string {
    case "LineString": line(coordinates, times, name)
    case "MultiLineString":
      // The parts of a MultiLineString are the segments of one track.
      for (index, part) in coordinates.enumerated() {
        let nested = index < times.count ? times[index].array : nil
        line(part.array ?? [], nested ?? [], name, isFirst: index == 0)
      }
    case "Point":
      let time = ["time", "timestamp", "datetime", "when"].lazy.compactMap { properties[$0] }.first
      guard let time else { return }
      if let fix = fix(.array(coordinates), time) { points.append(fix) }
    default: break
    }
  }

  private static func times(_ properties: JSONValue) -> [JSONValue] {
    for holder in [properties, properties["coordinateProperties"] ?? .null] {
      for key in ["coordTimes", "times", "timestamps"] {
        if let times = holder[key]?.array { return times }
      }
    }
    return []
  }

  private mutating func line(
    _ places: [JSONValue], _ times: [JSONValue], _ name: String, isFirst: Bool = true
  ) {
    let fixes = places.indices.compactMap {
      fix(places[$0], $0 < times.count ? times[$0] : .null)
    }
    if isFirst || lines.isEmpty {
      lines.append(Trace(name: name.isEmpty ? "\(lines.count + 1)" : name, fixes: fixes))
    } else {
      lines[lines.count - 1].fixes += fixes
    }
  }

  private mutating func fix(_ place: JSONValue, _ time: JSONValue) -> Fix? {
    let parts = place.array?.map(\.number) ?? []
    guard parts.count > 1, let longitude = parts[0], let latitude = parts[1] else {
      remarks.count("points without readable coordinates are left out") {
        "one of line \(lines.count + 1)"
      }
      return nil
    }
    let moment: Instant? =
      switch time {
      case .number(let number):
        EpochTime.instant(number, unit: nil, start: Instant(nanoseconds: 0))
      case .string(let text): TraceValue.time(text, start: Instant(nanoseconds: 0))
      default: nil
      }
    if moment == nil, time != .null {
      remarks.count("times that are not of the form 2013-07-01T00:09:03Z are left out") {
        "\"\(time.label?.prefix(40) ?? "")\""
      }
    }
    return Fix(
      place: Coordinate(latitudeDeg: latitude, longitudeDeg: longitude), time: moment,
      altitudeM: parts.count > 2 ? parts[2] : nil)
  }
}
