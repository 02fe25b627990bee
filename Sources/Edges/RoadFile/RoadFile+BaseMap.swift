public import BaseMap
import MapMaking
import RoadGraph

extension RoadFile {
  private static let zoomSection = "base.zoom"
  private static let startSection = "base.start"
  private static let boxSection = "base.box"
  private static let byteSection = "base.byte"

  /// Opens the base map of a `.navmap`, an OSM file or a folder; nil if the map has none.
  ///
  /// It is memory-mapped, and decoded where it is drawn.
  public static func openBaseMap(path: String) throws(RoadFileError) -> BaseMap? {
    let file = try mapPath(of: path, options: MapOptions()) { _ in true }
    return try baseMap(of: FileTable(MappedFile(path: file)))
  }

  static func baseMap(of table: FileTable) throws(RoadFileError) -> BaseMap? {
    guard table.contains(zoomSection) else { return nil }
    guard
      let map = BaseMap(
        zooms: try table.column(zoomSection, of: UInt8.self),
        starts: try table.column(startSection, of: UInt64.self),
        boxes: try table.column(boxSection, of: BaseMapBox.self),
        bytes: try table.column(byteSection, of: UInt8.self))
    else {
      throw .structure(path: table.file.path, reason: "the columns of its base map do not fit")
    }
    return map
  }

  static func write(_ map: BaseMap, to writer: inout FileWriter) throws(RoadFileError) {
    try writer.write(zoomSection, map.zooms, .raw)
    try writer.write(startSection, map.starts, .deltas)
    try writer.write(boxSection, map.boxes, .raw)
    try writer.write(byteSection, map.bytes, .raw)
  }
}
