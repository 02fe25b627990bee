import DrawnMaps
import Foundation
import RoadFile
import RoadGraph

/// A folder that goes away with its last reference.
final class Scratch {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "navmap-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: url.appending(path: name))
    return path(name)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path(name))))
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}

/// A small map with one of most things.
func smallMap() throws -> DrawnMap {
  try DrawnMap(
    """
    a-b-c
      |  \\
      d-e-f
    """,
    ways: [
      "abc": "highway=primary name=High Street ref=A1", "bd": "oneway=yes highway=residential",
      "def": "highway=tertiary name=Low Street maxspeed=50", "cf": "",
    ],
    nodes: ["b": "highway=traffic_signals", "e": "highway=motorway_junction ref=4 name=Mill"],
    restrictions: ["abc b bd": "no_right_turn"])
}

/// Calls everything a graph offers, so that a wrong index would show.
func exercise(_ graph: RoadGraph) {
  for index in 0..<graph.edgeCount {
    let edge = EdgeID(index)
    _ = graph.shape(edge)
    _ = graph.reference(edge)
    _ = graph.name(edge)
    let road = graph.attributes(edge)
    for id in [road.name, road.number, road.destination, road.turnLanes, road.stateName] {
      _ = graph.text(id)
    }
    _ = graph.edges(leaving: graph.head(edge)).map { graph.tail($0) }
    _ = graph.edges(entering: graph.tail(edge)).map { graph.tail($0) }
    _ = graph.restrictions(startingAt: edge).map { graph.restrictedSequence($0) }
    _ = graph.twin(edge)
    _ = graph.junction(graph.head(edge))
    _ = graph.edges(near: graph.coordinate(graph.tail(edge)), withinM: 30)
  }
  for place in 0..<graph.columns.placeName.count { _ = graph.text(graph.columns.placeName[place]) }
}
