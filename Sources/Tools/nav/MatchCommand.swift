import ArgumentParser
import EventTime
import Foundation
import Geodesy
import MapMatching
import Positioning
import RoadFile
import RoadGraph

/// `nav match`: a recorded trace on the roads of a map file, with no stack running.
struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: "Match a recorded trace to the roads of a map.",
    discussion: """
      The trace is GPX, or CSV with a header line: time, lat, lon, and where known speed_mps, \
      bearing_deg, accuracy_m, trip.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case geojson
  }

  @Option(help: "A .navmap or OSM file.") var map: String
  @Option(help: "A .gpx or .csv file.") var trace: String
  @Option(help: "Trip of the CSV or track of the GPX; the first where it is not given.")
  var trip: String?
  @Option(help: "car, truck, bus, taxi, scooter, bicycle or pedestrian.") var mode = "car"
  @Option(help: "text, json or geojson.") var format = Format.text

  func run() throws {
    do throws(MatchCommandFault) {
      guard let mode = TravelMode(word: mode) else {
        throw MatchCommandFault("--mode \(mode) is no travel mode")
      }
      let fixes = try fixes()
      let network = MatchingNetwork(graph: try graph(), mode: mode)
      let matched = network.match(trace: fixes)
      switch format {
      case .text: print(MatchReport.text(matched, network: network))
      case .json: print(MatchReport.json(matched, network: network))
      case .geojson: print(MatchReport.geoJSON(matched))
      }
    } catch {
      FileHandle.standardError.write(Data("nav: \(error.sentence)\n".utf8))
      throw ExitCode.failure
    }
  }

  private func graph() throws(MatchCommandFault) -> RoadGraph {
    do throws(RoadFileError) {
      return try RoadFile.open(path: map)
    } catch {
      throw MatchCommandFault(error.description)
    }
  }

  private func fixes() throws(MatchCommandFault) -> [Fix] {
    guard let data = FileManager.default.contents(atPath: trace) else {
      throw MatchCommandFault("\(trace) cannot be read")
    }
    let traces: [Trace]
    do throws(TraceFault) {
      let bytes = [UInt8](data)
      traces =
        trace.lowercased().hasSuffix(".gpx") ? try GPX.parse(bytes) : try CSVTrace.parse(bytes)
    } catch {
      throw MatchCommandFault("\(trace):\(error.line):\(error.column): \(error.problem)")
    }
    guard let trip else { return traces.first?.fixes ?? [] }
    guard let wanted = traces.first(where: { $0.name == trip }) else {
      throw MatchCommandFault("\(trace) has no trip \"\(trip)\"; it has \(traces.count)")
    }
    return wanted.fixes
  }
}

/// Why `nav match` has no answer.
struct MatchCommandFault: Error {
  var sentence: String
  init(_ sentence: String) { self.sentence = sentence }
}

/// A matched trace as people and programs read it.
enum MatchReport {
  static func text(_ trace: MatchedTrace, network: MatchingNetwork) -> String {
    let matched = trace.matches.count { $0.place != nil }
    var lines = [
      "\(matched) of \(trace.matches.count) fixes matched, "
        + String(format: "%.0f m driven, confidence %.2g", trace.lengthM, trace.confidence)
    ]
    var last: String?
    for match in trace.matches {
      let words = road(match, network: network)
      guard words != last else { continue }
      let time = match.fix.time.map { String(format: "%.0f", $0.seconds) } ?? "no time"
      lines.append("  \(time)  \(words)")
      last = words
    }
    return lines.joined(separator: "\n")
  }

  private static func road(_ match: Match, network: MatchingNetwork) -> String {
    guard let place = match.place else { return "no match: \(match.reason?.rawValue ?? "")" }
    let name = network.graph.name(place.position.edge) ?? "a road without a name"
    return "\(name) (way \(place.segment.way))" + (place.isWrongWay ? ", the wrong way" : "")
  }

  private struct Line: Encodable {
    var matches: [Place]
    var lengthM: Double
    var confidence: Double
    var shape: String
    var path: [Segment]
  }

  private struct Segment: Encodable {
    var way: Int64
    var from: Int64
    var to: Int64

    init(_ reference: SegmentReference) {
      way = reference.way
      from = reference.from
      to = reference.to
    }
  }

  private struct Place: Encodable {
    var timeNs: Int64?
    var reason: String?
    var latDeg: Double?
    var lonDeg: Double?
    var bearingDeg: Double?
    var segment: Segment?
    var offsetM: Double?
    var distanceM: Double?
    var probability: Double?
    var wrongWay: Bool
    var teleport: Bool

    init(_ match: Match) {
      timeNs = match.fix.time?.nanoseconds
      reason = match.reason?.rawValue
      latDeg = match.place?.coordinate.latitudeDeg
      lonDeg = match.place?.coordinate.longitudeDeg
      bearingDeg = match.place?.bearingDeg
      segment = match.place.map { Segment($0.segment) }
      offsetM = match.place?.offsetM
      distanceM = match.place?.distanceM
      probability = match.place?.probability
      wrongWay = match.place?.isWrongWay ?? false
      teleport = match.isTeleport
    }
  }

  static func json(_ trace: MatchedTrace, network: MatchingNetwork) -> String {
    MapOutput.json(
      Line(
        matches: trace.matches.map { Place($0) }, lengthM: trace.lengthM,
        confidence: trace.confidence, shape: EncodedPolyline.encode(trace.shape, decimals: 6),
        path: trace.path.map { Segment(network.reference($0)) }))
  }

  private struct Feature: Encodable {
    struct Geometry: Encodable {
      var type = "LineString"
      var coordinates: [[Double]]
    }
    var type = "Feature"
    var properties: [String: Double]
    var geometry: Geometry
  }

  static func geoJSON(_ trace: MatchedTrace) -> String {
    MapOutput.json(
      Feature(
        properties: ["length_m": trace.lengthM, "confidence": trace.confidence],
        geometry: Feature.Geometry(
          coordinates: trace.shape.map { [$0.longitudeDeg, $0.latitudeDeg] })))
  }
}
