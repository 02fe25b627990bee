import ArgumentParser
import Foundation
import Maneuvers
import RoadFile
import RoadGraph
import Route

/// Our maneuvers along paths that others chose, for `Benchmarks/peers_maneuvers.py`.
@main
struct ManeuverBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-maneuvers",
    abstract: "Say what a driver must do along given paths, one JSON line a path.",
    discussion: """
      A line of the file names the OSM nodes of a path and their places in 1e-6 degrees: \
      {"id": 1, "nodes": [..], "line": [[lat, lon], ..]}. The answer names the nodes by their index.
      """)

  @Option(help: "A .navmap or OSM file.") var map: String
  @Argument(help: "The paths, JSON lines.") var paths: String

  func run() throws {
    let graph: RoadGraph
    do {
      graph = try RoadFile.open(path: map)
    } catch {
      throw ValidationError("\(error)")
    }
    guard let data = FileManager.default.contents(atPath: paths) else {
      throw ValidationError("\(paths) cannot be read")
    }
    let finder = ManeuverFinder(graph: graph)
    let tracer = NodePath.Tracer(graph: graph)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    for (number, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
      let given: GivenPath
      do {
        given = try JSONDecoder().decode(GivenPath.self, from: line)
      } catch {
        throw ValidationError("\(paths):\(number + 1): \(error)")
      }
      let answer = ManeuverAnswer(given, tracer: tracer, finder: finder)
      print(String(decoding: try encoder.encode(answer), as: UTF8.self))
    }
  }
}

/// A path as another engine names it.
struct GivenPath: Decodable {
  var id: Int
  var nodes: [Int64]
  /// Latitude and longitude in 1e-6 degrees, one place a node.
  var line: [[Int]]

  private enum CodingKeys: CodingKey {
    case id, nodes, line
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    nodes = try container.decode([Int64].self, forKey: .nodes)
    line = try container.decode([[Int]].self, forKey: .line)
    guard line.count == nodes.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .line, in: container,
        debugDescription: "\(line.count) places for \(nodes.count) nodes")
    }
    if let wrong = line.firstIndex(where: { $0.count != 2 }) {
      throw DecodingError.dataCorruptedError(
        forKey: .line, in: container,
        debugDescription: "place \(wrong) has \(line[wrong].count) numbers, not 2")
    }
  }
}
