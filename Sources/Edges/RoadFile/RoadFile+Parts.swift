import BaseMap
import Foundations
public import Geodesy
public import MapMaking
import RoadGraph

/// The part to cut out of a map.
public enum MapCut: Hashable, Sendable {
  case box(BoundingBox)
  /// Everything within a distance of a line, in metres.
  case corridor([Coordinate], widthM: Double)
}

extension RoadFile {
  /// Joins map files, and OSM files that are built first, into one map file.
  ///
  /// If all are OSM files, they are read together, which gives a better result than joining built
  /// maps.
  @discardableResult
  public static func join(
    _ paths: [String], to output: String, options: MapOptions = MapOptions(),
    progress: @escaping (BuildProgress) -> Bool = { _ in true }
  ) throws(RoadFileError) -> BuildReport {
    if paths.allSatisfy({ isOSM($0) }) {
      return try build(from: paths, to: output, options: options, progress: progress)
    }
    var parts: [MapPart] = []
    var times: [Instant] = []
    var baseMaps: [BaseMap] = []
    for path in paths {
      guard progress(BuildProgress(step: "map \(path)")) else { throw .stopped(path: path) }
      let graph = try open(path: path, options: options, progress: progress)
      parts.append(MapPart(graph))
      if let time = graph.dataTime { times.append(time) }
      if options.hasBaseMap, let map = try openBaseMap(path: path) { baseMaps.append(map) }
    }
    guard progress(BuildProgress(step: "join")) else { throw .stopped(path: output) }
    // A map is as old as its oldest part.
    return try write(
      parts, dataTime: times.min(), baseMap: baseMaps.isEmpty ? nil : .joined(baseMaps),
      to: output, progress: progress)
  }

  /// Cuts a part out of a map; segments that extend into it are kept whole.
  @discardableResult
  public static func cut(
    _ path: String, _ cut: MapCut, to output: String,
    progress: @escaping (BuildProgress) -> Bool = { _ in true }
  ) throws(RoadFileError) -> BuildReport {
    let graph = try open(path: path)
    let part =
      switch cut {
      case .box(let box): MapPart(graph, box: box)
      case .corridor(let line, let widthM): MapPart(graph, corridor: line, widthM: widthM)
      }
    guard !part.isEmpty else { throw .noRoads(paths: [path]) }
    let boxes = (part.areas ?? []).map { BaseMapBox($0) }
    let baseMap = try openBaseMap(path: path)?.filtered { feature in
      boxes.contains { $0.intersects(feature) }
    }
    return try write(
      [part], dataTime: graph.dataTime, baseMap: baseMap, to: output, progress: progress)
  }

  private static func write(
    _ parts: [MapPart], dataTime: Instant?, baseMap: BaseMap?, to output: String,
    progress: @escaping (BuildProgress) -> Bool
  ) throws(RoadFileError) -> BuildReport {
    let start = ContinuousClock().now
    let made: MapMakingResult
    do throws(MapMakingFault) {
      made = try GraphMaker.make(parts)
    } catch {
      throw .structure(path: output, reason: error.description)
    }
    guard made.report.edges > 0 else { throw .noRoads(paths: [output]) }
    return try finish(
      made, dataTimeS: dataTime.map { $0.nanoseconds / 1_000_000_000 }, baseMap: baseMap,
      to: output, since: start, progress: progress)
  }
}
