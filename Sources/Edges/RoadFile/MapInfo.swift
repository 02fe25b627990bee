public import Foundations
import Geodesy
import RoadGraph

/// A description of a map file's contents.
public struct MapInfo: Hashable, Sendable, Codable {
  public var path: String
  public var version: UInt32
  public var bytes: Int
  /// Hash of the contents, as sixteen hexadecimal digits.
  public var hash: String
  public var nodes: Int
  public var edges: Int
  public var pieces: Int
  public var shapePoints: Int
  public var attributes: Int
  public var bans: Int
  public var texts: Int
  public var places: Int
  public var junctions: Int
  /// Kilometres of road by class, each segment once.
  public var kilometres: [String: Double]
  /// Kilometres of road by country (ISO 3166-1 letters, `unknown` for none), each segment once.
  public var countryKilometres: [String: Double]
  /// South, west, north, east in degrees; empty for a map without roads.
  public var boundingBox: [Double]
  /// The time of the OSM data as RFC 3339, the oldest of several files; nil if it is unknown.
  public var dataTime: String?
  public var sections: [FileSection]
}

extension RoadFile {
  /// Describes a map file.
  public static func info(path: String) throws(RoadFileError) -> MapInfo {
    let table = try FileTable(MappedFile(path: path))
    let graph = try open(path: path)
    let columns = graph.columns
    var kilometres: [String: Double] = [:]
    var countryKilometres: [String: Double] = [:]
    for piece in 0..<graph.pieceCount {
      let edge = columns.pieceEdge[piece]
      let road = graph.attributes(edge)
      kilometres["\(road.roadClass)", default: 0] += graph.lengthM(edge) / 1000
      countryKilometres[road.country ?? "unknown", default: 0] += graph.lengthM(edge) / 1000
    }
    return MapInfo(
      path: path, version: FileLayout.version, bytes: table.file.bytes.count,
      hash: hexadecimal(graph.hash), nodes: graph.nodeCount,
      edges: graph.edgeCount, pieces: graph.pieceCount,
      shapePoints: (0..<graph.pieceCount).reduce(0) { $0 + columns.pointCount(ofPiece: $1) },
      attributes: columns.attributes.count, bans: columns.restrictionModes.count,
      texts: columns.firstText.count - 1, places: columns.placeName.count,
      junctions: columns.junctionNode.count, kilometres: kilometres,
      countryKilometres: countryKilometres,
      boundingBox: graph.boundingBox.map { [$0.southDeg, $0.westDeg, $0.northDeg, $0.eastDeg] }
        ?? [], dataTime: graph.dataTime.map { TimeText.utc($0) }, sections: table.sections)
  }
}

extension RoadFile {
  /// The time of the OSM data of a map file; nil if it is unknown, and for other files.
  ///
  /// Reads the head of the file only.
  public static func dataTime(path: String) -> Instant? {
    guard let file = try? MappedFile(path: path), let table = try? FileTable(file) else {
      return nil
    }
    return dataTime(of: table)
  }
}
