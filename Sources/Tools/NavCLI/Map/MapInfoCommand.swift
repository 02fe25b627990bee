import ArgumentParser
import Foundation
import RoadFile

/// `nav map info MAP`.
struct MapInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show what a map contains.")

  @Argument(help: "A .navmap file.") var map: String
  @Flag(help: "Print as JSON.") var json = false

  func run() throws {
    try MapOutput.reporting { () throws(RoadFileError) in
      let info = try RoadFile.info(path: map)
      print(json ? MapOutput.json(info) : Self.text(info))
    }
  }

  private static func text(_ info: MapInfo) -> String {
    var lines = [
      "\(info.path): format \(info.version), \(MapOutput.megabytes(info.bytes)), hash \(info.hash)",
      "  \(info.nodes) nodes, \(info.edges) edges, \(info.pieces) pieces, "
        + "\(info.shapePoints) intermediate points",
      "  \(info.attributes) kinds of road, \(info.bans) turn restrictions, \(info.texts) texts, "
        + "\(info.places) places, \(info.junctions) motorway junctions",
    ]
    lines.append("  OpenStreetMap data of \(info.dataTime ?? "unknown date")")
    if info.boundingBox.count == 4 {
      let box = info.boundingBox.map { String(format: "%.5f", $0) }
      lines.append("  south \(box[0]), west \(box[1]), north \(box[2]), east \(box[3])")
    }
    for (name, length) in info.kilometres.sorted(by: { $0.value > $1.value }) {
      lines.append("  \(String(format: "%9.1f", length)) km \(name)")
    }
    for (country, length) in info.countryKilometres.sorted(by: { $0.value > $1.value }) {
      lines.append("  \(String(format: "%9.1f", length)) km in \(country)")
    }
    if let length = info.countryKilometres["unknown"], length > 0 {
      lines.append(
        "  warning: the country is not known for \(String(format: "%.1f", length)) km; the driving side"
          + " is a guess there unless roundabouts show it")
    }
    return lines.joined(separator: "\n")
  }
}

/// `nav map verify MAP`.
struct MapVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verify the checksums of a map.")

  @Argument(help: "A .navmap file.") var map: String
  @Flag(help: "Print as JSON.") var json = false

  private struct Verdict: Encodable {
    var path: String
    var isWhole: Bool
    var fault: String?
  }

  func run() throws {
    do throws(RoadFileError) {
      try RoadFile.verify(path: map)
    } catch {
      guard json else { return try MapOutput.reporting { () throws(RoadFileError) in throw error } }
      print(MapOutput.json(Verdict(path: map, isWhole: false, fault: error.description)))
      throw ExitCode.failure
    }
    print(json ? MapOutput.json(Verdict(path: map, isWhole: true, fault: nil)) : "\(map): whole")
  }
}
