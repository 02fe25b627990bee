import Foundations

extension RoadFile {
  /// Replaces a map that may be in use by a complete, verified one.
  ///
  /// The new map is written next to the old one and renamed, so that a running stack switches to it
  /// by itself.
  ///
  /// `source` is a `.navmap`, an OSM file or a folder of either. Returns the new map's hash. Linear
  /// in the file.
  ///
  /// - Throws: if the source is not a complete map, or the path cannot be written; the old map then
  ///   stays.
  @discardableResult
  public static func install(_ source: String, at place: String) throws(RoadFileError) -> String {
    guard MapName.isBuilt(place) else {
      throw .structure(path: place, reason: "it is not a .navmap; only a .navmap can be replaced")
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
