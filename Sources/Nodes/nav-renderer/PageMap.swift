import BaseMap
import RoadFile
import RoadGraph
import Stage

/// The map that pages show: its roads, and its base map if it has one.
struct PageMap: Sendable {
  let graph: RoadGraph
  let baseMap: BaseMap?

  /// Opens the map at a path.
  ///
  /// - Throws: `StageFailure` if there is none.
  init(path: String) throws(StageFailure) {
    do {
      graph = try RoadFile.open(path: path)
      baseMap = try RoadFile.openBaseMap(path: path)
    } catch {
      throw StageFailure("map: \(error)")
    }
  }

  /// The name of the map's tiles; another one for another map.
  var name: String {
    String(graph.hash ^ (baseMap?.mark ?? 0), radix: 16)
  }
}
