import ArgumentParser
import Foundation
import MapMaking
import RoadFile

/// `nav map`: builds maps from OSM data, describes and verifies them, and writes the demo town.
struct MapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map", abstract: "Build, join, cut, inspect, verify and replace road maps.",
    subcommands: [
      MapBuildCommand.self, MapCutCommand.self, MapInfoCommand.self, MapEdgesCommand.self,
      MapVerifyCommand.self, MapTownCommand.self, MapUseCommand.self, MapCatalogueCommand.self,
    ])
}

/// Functions shared by all map commands: errors in one sentence, JSON with sorted keys.
enum MapOutput {
  /// Runs `body`; a map error becomes one sentence on standard error and exit code 1.
  static func reporting(_ body: () throws(RoadFileError) -> Void) throws {
    do throws(RoadFileError) {
      try body()
    } catch {
      FileHandle.standardError.write(Data("nav: \(error.description)\n".utf8))
      throw ExitCode.failure
    }
  }

  static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  /// A step of a build, with its progress in quarters if it takes a while.
  static func line(_ progress: BuildProgress) -> String {
    guard progress.total > 50_000_000 else { return "\(progress.step) …" }
    return "\(progress.step): \(progress.bytes * 4 / max(1, progress.total) * 25) %"
  }

  static func megabytes(_ bytes: Int) -> String {
    String(format: "%.1f MB", Double(bytes) / 1e6)
  }
}
