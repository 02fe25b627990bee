import Foundation
import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph

/// A matched trace in the output formats for people and programs.
struct MatchReport {
  /// Called between the pieces of an answer; it may write the text so far and empty it.
  typealias Flush = (inout OutputText) throws(MatchCommandFault) -> Void

  var trace: MatchedTrace
  var network: MatchingNetwork
  var job: MatchJob
  var origin: MatchOrigin
  /// The immediate answers of a trace that was matched fix by fix.
  var live: [Match] = []
  var explanations: [FixExplanation] = []

  /// Number of bytes after which an answer is passed to `flush`.
  static let flushedBytes = 1 << 16

  /// Appends the answer in the selected format, without the start and end of the document.
  func write(
    _ setting: MatchSetting, to out: inout OutputText, flush: Flush
  ) throws(MatchCommandFault) {
    switch setting.format {
    case .text:
      if setting.explain != nil {
        for line in explanationText() {
          out.text(line)
          out.byte(0x0a)
        }
      } else {
        writeText(&out)
      }
    case .json, .jsonl: try writeJSON(to: &out, flush)
    case .geojson: try writeGeoJSON(to: &out, flush)
    case .csv:
      switch setting.rows {
      case .fixes: try writeFixRows(to: &out, flush)
      case .ways: writeWayRows(to: &out)
      }
    case .gpx: try writeGPX(to: &out, flush)
    case .osrm: try writeOSRM(to: &out, flush)
    }
  }

  /// Appends the start of the document.
  static func header(_ setting: MatchSetting, _ out: inout OutputText) {
    switch setting.format {
    case .text, .json, .jsonl, .osrm: break
    case .geojson:
      out.text("{\"type\":\"FeatureCollection\"," as StaticString)
      write(setting.origin, &out)
      out.text(",\"features\":[\n" as StaticString)
    case .csv:
      switch setting.rows {
      case .fixes: out.text(fixColumns)
      case .ways: out.text(wayColumns)
      }
    case .gpx:
      out.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"")
      out.text(xml(setting.origin.program))
      out.text("\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n<metadata><desc>map ")
      out.text(xml(setting.origin.map))
      out.text(" \(setting.origin.mapDigest), parameters ")
      out.text(xml(setting.origin.parameters))
      out.text("</desc></metadata>\n" as StaticString)
    }
  }

  /// Appends the end of the document.
  static func footer(_ setting: MatchSetting, _ out: inout OutputText) {
    switch setting.format {
    case .text, .json, .jsonl, .osrm, .csv: break
    case .geojson: out.text("\n]}\n" as StaticString)
    case .gpx: out.text("</gpx>\n" as StaticString)
    }
  }

  /// Appends the members of JSON that name the program, the map and the parameters.
  static func write(_ origin: MatchOrigin, _ out: inout OutputText) {
    out.text("\"program\":" as StaticString)
    out.json(origin.program)
    out.text(",\"map\":" as StaticString)
    out.json(origin.map)
    out.text(",\"map_digest\":" as StaticString)
    out.json(origin.mapDigest)
    out.text(",\"parameters\":" as StaticString)
    out.text(origin.parameters)
  }

  // MARK: Text

  private func writeText(_ out: inout OutputText) {
    let matched = trace.matches.count { $0.place != nil }
    if !job.trip.isEmpty { out.text("trip \(job.trip): ") }
    out.text(
      "\(matched) of \(trace.matches.count) fixes matched, "
        + String(format: "%.0f m driven, confidence %.2f\n", trace.lengthM, trace.confidence))
    var last: String?
    for match in trace.matches {
      let words = road(match)
      guard words != last else { continue }
      let time = match.fix.time.map { String(format: "%.0f", $0.seconds) } ?? "no time"
      out.text("  \(time)  \(words)\n")
      last = words
    }
    out.text("  by \(origin.program), map \(origin.map) \(origin.mapDigest)\n")
  }

  private func road(_ match: Match) -> String {
    guard let place = match.place else { return "no match: \(match.reason?.rawValue ?? "")" }
    return road(place)
  }

  func road(_ place: MatchedPlace) -> String {
    let name = network.graph.name(place.position.edge) ?? "a road without a name"
    return "\(name) (way \(place.segment.way))" + (place.isWrongWay ? ", the wrong way" : "")
  }

  // MARK: GPX

  /// The positions on the road with their times; a segment for each run of fixes on a road.
  private func writeGPX(to out: inout OutputText, _ flush: Flush) throws(MatchCommandFault) {
    out.text("<trk>" as StaticString)
    if !job.trip.isEmpty { out.text("<name>\(Self.xml(job.trip))</name>") }
    out.text("<desc>confidence " as StaticString)
    out.fixed(trace.confidence, 4)
    out.text("</desc>" as StaticString)
    out.text("<src>\(Self.xml(job.file))</src>\n")
    var isOpen = false
    for match in trace.matches {
      guard let place = match.place else {
        if isOpen { out.text("</trkseg>\n" as StaticString) }
        isOpen = false
        continue
      }
      if !isOpen || match.isTeleport {
        if isOpen { out.text("</trkseg>\n" as StaticString) }
        out.text("<trkseg>\n" as StaticString)
        isOpen = true
      }
      out.text("<trkpt lat=\"" as StaticString)
      out.fixed(place.coordinate.latitudeDeg, 7)
      out.text("\" lon=\"" as StaticString)
      out.fixed(place.coordinate.longitudeDeg, 7)
      out.text("\">" as StaticString)
      if let time = match.fix.time { Self.writeTime(time, &out) }
      out.text("</trkpt>\n" as StaticString)
      if out.count > Self.flushedBytes { try flush(&out) }
    }
    if isOpen { out.text("</trkseg>\n" as StaticString) }
    out.text("</trk>\n" as StaticString)
  }

  /// Appends a time in UTC to the millisecond.
  private static func writeTime(_ time: Instant, _ out: inout OutputText) {
    let rest = time.nanoseconds % 1_000_000_000
    let millis = (rest < 0 ? rest + 1_000_000_000 : rest) / 1_000_000
    out.text("<time>" as StaticString)
    out.text(String(TimeText.utc(time).dropLast()))
    out.text(String(format: ".%03lldZ</time>", millis))
  }

  static func xml(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

extension MatchedTrace {
  /// Length of a part of the path in whole centimetres, rounded so that consecutive parts add up to
  /// the path.
  static func centimetres(fromM: Double, toM: Double) -> Int64 {
    Int64((toM * 100).rounded()) - Int64((fromM * 100).rounded())
  }
}
