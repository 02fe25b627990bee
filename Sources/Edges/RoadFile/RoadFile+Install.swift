import MapFiles

extension RoadFile {
  /// Puts a map in the place of another that may be in use: whole and verified, written beside it and
  /// renamed, so that a running stack goes over to it by itself.
  ///
  /// `source` is a `.navmap`, an OSM file or a folder of either. Gives the new map's hash. Linear in the file.
  ///
  /// - Throws: where the source is no whole map, or the place cannot be written; the old one then stays.
  @discardableResult
  public static func install(_ source: String, at place: String) throws(RoadFileError) -> String {
    guard MapName.isBuilt(place) else {
      throw .structure(path: place, reason: "it is no .navmap, and only such a file is replaced")
    }
    if MapFolder.isFolder(source) || isOSM(source) {
      return try join(
        MapFolder.isFolder(source) ? MapFolder.maps(in: source) : [source], to: place
      ).hash
    }
    try verify(path: source)
    let map = try MappedFile(path: source)
    try MapReplacement.write(place) { (file) throws(RoadFileError) in try file.put(map.bytes) }
    return hexadecimal(try FileTable(map).hash)
  }
}
