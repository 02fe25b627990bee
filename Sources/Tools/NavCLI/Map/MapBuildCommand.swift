import ArgumentParser
import Foundation
import MapMaking
import RoadFile

/// `nav map build IN… -o OUT`.
struct MapBuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Build a .navmap from OSM files (PBF, XML, O5M, OPL), or join maps.")

  @Argument(help: "OSM files, or maps; several are joined.") var inputs: [String]
  @Option(name: .shortAndLong, help: "The map to write.") var output: String
  @Option(help: "ISO 3166-1 code of the country for roads that no boundary in the data encloses.")
  var country: String?
  @Flag(help: "Assume traffic on the left where neither tags nor country define the side.")
  var driveLeft = false
  @Flag(help: "Leave out water, land use, buildings and railways, which only pages draw.")
  var roadsOnly = false
  @Flag(help: "Print the report as JSON.") var json = false
  @Flag(help: "Print no progress.") var quiet = false

  func validate() throws {
    if inputs.isEmpty { throw ValidationError("give at least one file") }
    if let country, country.utf8.count != 2 {
      throw ValidationError("--country needs two letters such as PT, not \"\(country)\"")
    }
  }

  func run() throws {
    let options = MapOptions(
      country: country?.uppercased(), drivesOnLeft: driveLeft, hasBaseMap: !roadsOnly)
    let shows = !quiet && !json
    var line = ""
    try MapOutput.reporting { () throws(RoadFileError) in
      let report = try RoadFile.join(inputs, to: output, options: options) { progress in
        let next = MapOutput.line(progress)
        if shows, next != line {
          line = next
          FileHandle.standardError.write(Data("\(line)\n".utf8))
        }
        return true
      }
      print(json ? MapOutput.json(report) : Self.text(report))
    }
  }

  static func text(_ report: BuildReport) -> String {
    let m = report.making
    var lines = [
      "\(report.output): \(MapOutput.megabytes(report.bytes)) in "
        + String(format: "%.1f s", report.elapsedS),
      "  \(m.nodes) nodes, \(m.edges) edges, \(m.bans) turn restrictions, \(m.places) places",
    ]
    if let problem = report.baseMapProblem {
      lines.append("  no water, land use or buildings: \(problem)")
    }
    func add(_ count: Int, _ text: String) { if count > 0 { lines.append("  \(count) \(text)") } }
    add(m.missingNodes, "nodes are referenced by ways but not in the data")
    add(m.duplicateWays, "ways occur twice")
    add(m.deletedObjects, "objects are marked as deleted and left out")
    add(m.areas, "areas can be crossed on foot")
    add(m.areasUnconnected, "areas are left out because no road leads to them")
    add(m.restrictionsUnusable, "turn restrictions could not be used")
    for (reason, count) in m.restrictionsDropped.sorted(by: { $0.key < $1.key }) {
      lines.append("    \(count): \(reason)")
    }
    add(m.unreadableRules, "time-dependent rules could not be read")
    for (key, count) in m.unreadableKeys.sorted(by: { $0.key < $1.key }) {
      lines.append("    \(count) of \(key)")
    }
    add(m.unreadableValues.values.reduce(0, +), "sizes and limits could not be read")
    for (key, count) in m.unreadableValues.sorted(by: { $0.key < $1.key }) {
      lines.append("    \(count) of \(key)")
    }
    add(m.restrictedBarriers, "barriers are not open to through traffic, or limit sizes")
    add(m.islandEdges, "edges lie on road islands without a connection to the rest")
    add(m.countries.boundaries, "edges have the country from a boundary in the data")
    add(m.countries.tags, "edges have the country from their own tags")
    add(m.countries.option, "edges have the country from --country")
    add(m.countries.builtIn, "edges have the country from the built-in table")
    add(m.countries.unknown, "edges have no country")
    add(
      m.guessedSides,
      "edges: warning: the driving side is a guess (right); set it with --country or --drive-left")
    return lines.joined(separator: "\n")
  }
}
