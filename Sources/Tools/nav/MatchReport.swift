import EventTime
import Foundation
import Geodesy
import MapMatching
import Positioning
import RoadGraph

/// A matched trace as people and programs read it.
struct MatchReport {
  var trace: MatchedTrace
  var network: MatchingNetwork
  /// The answers at once, of a trace matched fix by fix.
  var live: [Match] = []
  var explanations: [FixExplanation] = []

  // MARK: Text

  func text() -> String {
    let matched = trace.matches.count { $0.place != nil }
    var lines = [
      "\(matched) of \(trace.matches.count) fixes matched, "
        + String(format: "%.0f m driven, confidence %.2g", trace.lengthM, trace.confidence)
    ]
    var last: String?
    for match in trace.matches {
      let words = road(match)
      guard words != last else { continue }
      let time = match.fix.time.map { String(format: "%.0f", $0.seconds) } ?? "no time"
      lines.append("  \(time)  \(words)")
      last = words
    }
    return lines.joined(separator: "\n")
  }

  private func road(_ match: Match) -> String {
    guard let place = match.place else { return "no match: \(match.reason?.rawValue ?? "")" }
    return road(place)
  }

  func road(_ place: MatchedPlace) -> String {
    let name = network.graph.name(place.position.edge) ?? "a road without a name"
    return "\(name) (way \(place.segment.way))" + (place.isWrongWay ? ", the wrong way" : "")
  }

  /// The way ids driven, each once for each time.
  private var ways: [Int64] {
    trace.path.reduce(into: []) { ways, state in
      let way = network.reference(state).way
      if ways.last != way { ways.append(way) }
    }
  }

  // MARK: JSON

  private struct Document: Encodable {
    var fixes: [MatchedFixJSON]
    var path: [[Double]]
    /// Where in the path each stretch without a gap begins.
    var starts: [Int]
    var ways: [Int64]
    var lengthM: Double
    var confidence: Double
  }

  func json() throws(MatchCommandFault) -> String {
    let byIndex = Dictionary(
      explanations.map { ($0.index, ExplanationJSON($0)) }, uniquingKeysWith: { first, _ in first })
    return try Self.compact(
      Document(
        fixes: trace.matches.enumerated().map { index, match in
          MatchedFixJSON(
            index, match, live: index < live.count ? live[index] : nil,
            explanation: byIndex[index])
        }, path: trace.shape.map(Self.lonLat), starts: trace.starts, ways: ways,
        lengthM: trace.lengthM, confidence: trace.confidence))
  }

  static func lonLat(_ place: Coordinate) -> [Double] { [place.longitudeDeg, place.latitudeDeg] }

  static func compact(_ value: some Encodable) throws(MatchCommandFault) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw MatchCommandFault("the answer cannot be written as JSON: \(error)")
    }
  }

  // MARK: GeoJSON

  private struct Collection: Encodable {
    var type = "FeatureCollection"
    var features: [Feature]
  }

  private struct Feature: Encodable {
    struct Geometry: Encodable {
      var type: String
      var line: [[Double]]?
      var point: [Double]?
      enum CodingKeys: CodingKey { case type, coordinates }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        if let line { try container.encode(line, forKey: .coordinates) }
        if let point { try container.encode(point, forKey: .coordinates) }
      }
    }
    var type = "Feature"
    var properties: MatchedFixJSON?
    var geometry: Geometry
  }

  /// A line for each stretch without a gap, and a point for each fix that lies on a road.
  func geoJSON() throws(MatchCommandFault) -> String {
    let lines = trace.lines.map {
      Feature(
        properties: nil,
        geometry: Feature.Geometry(type: "LineString", line: $0.map(Self.lonLat), point: nil))
    }
    let points = trace.matches.enumerated().compactMap { index, match in
      match.place.map { place in
        Feature(
          properties: MatchedFixJSON(index, match, live: nil, explanation: nil),
          geometry: Feature.Geometry(
            type: "Point", line: nil, point: Self.lonLat(place.coordinate)))
      }
    }
    return try Self.compact(Collection(features: lines + points))
  }

  // MARK: CSV and GPX

  func csvLines() -> [String] {
    let header =
      "index,time,lat,lon,matched_lat,matched_lon,way,from,to,offset_m,distance_m,bearing_deg,"
      + "probability,state,reason"
    return [header] + trace.matches.enumerated().map { Self.csvLine($0, $1) }
  }

  private static func csvLine(_ index: Int, _ match: Match) -> String {
    let place = match.place
    func number(_ value: Double?, _ digits: Int) -> String {
      guard let value else { return "" }
      return String(format: "%.\(digits)f", value)
    }
    func integer(_ value: Int64?) -> String { value.map { String($0) } ?? "" }
    var cells: [String] = [String(index)]
    cells.append(number(match.fix.time?.seconds, 3))
    cells.append(number(match.fix.place.latitudeDeg, 7))
    cells.append(number(match.fix.place.longitudeDeg, 7))
    cells.append(number(place?.coordinate.latitudeDeg, 7))
    cells.append(number(place?.coordinate.longitudeDeg, 7))
    cells.append(integer(place?.segment.way))
    cells.append(integer(place?.segment.from))
    cells.append(integer(place?.segment.to))
    cells.append(number(place?.offsetM, 2))
    cells.append(number(place?.distanceM, 2))
    cells.append(number(place?.bearingDeg, 1))
    cells.append(number(place?.probability, 4))
    cells.append(place == nil ? "no_match" : "matched")
    cells.append(match.reason?.rawValue ?? "")
    return cells.joined(separator: ",")
  }

  /// The places on the road with their times; a segment for each run of fixes that lie on one.
  func gpxLines() -> [String] {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<gpx version="1.1" creator="nav match" xmlns="http://www.topografix.com/GPX/1/1">"#,
      "<trk>",
    ]
    var isOpen = false
    for match in trace.matches {
      guard let place = match.place else {
        if isOpen { lines.append("</trkseg>") }
        isOpen = false
        continue
      }
      if !isOpen || match.isTeleport {
        if isOpen { lines.append("</trkseg>") }
        lines.append("<trkseg>")
        isOpen = true
      }
      let time = match.fix.time.map {
        "<time>"
          + Date(timeIntervalSince1970: $0.seconds).formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: true)
              .timeZone(separator: .omitted)) + "</time>"
      }
      lines.append(
        String(
          format: "<trkpt lat=\"%.7f\" lon=\"%.7f\">", place.coordinate.latitudeDeg,
          place.coordinate.longitudeDeg) + (time ?? "") + "</trkpt>")
    }
    if isOpen { lines.append("</trkseg>") }
    return lines + ["</trk>", "</gpx>"]
  }
}
