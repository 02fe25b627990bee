import ArgumentParser
import DemoTown
import Foundation
import Geodesy
import MapMaking

/// `nav map town -o FILE`: the demo town as an OSM file.
struct MapTownCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "town",
    abstract: "Generate the demo town: OSM data of a complete town from a seed.")

  @Option(name: .shortAndLong, help: "The .osm file to write.") var output: String
  @Option(help: "The same seed generates the same town.") var seed: UInt64 = 1
  @Flag(help: "Print the named places as JSON.") var json = false

  private struct PlaceRow: Encodable {
    var key: String
    var name: String
    var latDeg: Double
    var lonDeg: Double
  }

  func run() throws {
    let town = Town(seed: seed)
    let text = OSMXML.text(town.data)
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      FileHandle.standardError.write(
        Data("nav: \(output): cannot be written: \(error.localizedDescription)\n".utf8))
      throw ExitCode.failure
    }
    let rows = town.places.map {
      PlaceRow(
        key: $0.key, name: $0.name, latDeg: $0.coordinate.latitudeDeg,
        lonDeg: $0.coordinate.longitudeDeg)
    }
    if json {
      print(MapOutput.json(rows))
    } else {
      print("\(output): \(town.data.nodes.count) nodes, \(town.data.ways.count) ways")
      for row in rows {
        print(String(format: "  %.5f,%.5f", row.latDeg, row.lonDeg) + "  \(row.key): \(row.name)")
      }
    }
  }
}
