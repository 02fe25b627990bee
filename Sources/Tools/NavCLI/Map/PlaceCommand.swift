import ArgumentParser
import Foundation
import Geodesy
import Places
import RoadFile
import RoadGraph

/// `nav place`: finds places of a map file by name, without a running stack, RT-20.
struct PlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place", abstract: "Find places on a map file.",
    discussion: """
      By name ("town hall", "rua sa ban"), by name and town ("High St, Bath"), by the intersection of two roads
      ("High St / Mill Ln"), or by coordinates. House numbers are ignored: maps contain none.
      On a running stack: nav call place/find '{"text": "..."}'.
      """)

  @Argument(help: "Text to search for.") var text: [String]
  @Option(help: "A .navmap or OSM file.") var map: String?
  @Option(help: "LAT,LON; results near it come first.") var near: String?
  @Option(help: "Maximum number of places to show.") var limit = 10
  @Flag(help: "JSON.") var json = false

  private struct Row: Encodable {
    var name: String
    var kind: String
    var detail: String
    var latDeg: Double
    var lonDeg: Double
    var distanceM: Double?
  }

  func run() throws {
    do {
      try search()
    } catch let problem as Problem {
      FileHandle.standardError.write(Data("nav: \(problem)\n".utf8))
      throw ExitCode.failure
    }
  }

  private func search() throws {
    guard let map else {
      throw Problem(
        "nav place searches a map file: add --map FILE (.navmap or OSM); on a running stack: "
          + "nav call place/find '{\"text\": \"\(text.joined(separator: " "))\"}'")
    }
    let graph: RoadGraph
    do throws(RoadFileError) {
      graph = try RoadFile.open(path: map)
    } catch {
      throw Problem(error.description)
    }
    let index = PlaceIndex(graph)
    var origin: Coordinate?
    if let near {
      origin = index.find(near).first { $0.kind == .coordinates }?.coordinate
      guard origin != nil else {
        throw Problem("--near \"\(near)\" is not LAT,LON, such as 47.1,9.5")
      }
    }
    let answer = index.search(text.joined(separator: " "), near: origin, limit: limit)
    let found = answer.places
    if json {
      print(
        MapOutput.json(
          found.map {
            Row(
              name: $0.name, kind: $0.kind.rawValue, detail: $0.detail,
              latDeg: $0.coordinate.latitudeDeg, lonDeg: $0.coordinate.longitudeDeg,
              distanceM: $0.distanceM)
          }))
    } else {
      for place in found { print(Self.line(place)) }
    }
    if let note = answer.note {
      FileHandle.standardError.write(Data("nav: \(note)\n".utf8))
    }
    if found.isEmpty { throw ExitCode.failure }
  }

  private static func line(_ place: FoundPlace) -> String {
    let away = place.distanceM.map { "  \(Int($0.rounded())) m" } ?? ""
    let detail =
      place.detail.isEmpty ? place.kind.rawValue : "\(place.kind.rawValue), \(place.detail)"
    let spot = String(
      format: "%.6f,%.6f", place.coordinate.latitudeDeg, place.coordinate.longitudeDeg)
    return "\(spot)  \(place.name) (\(detail))\(away)"
  }
}
