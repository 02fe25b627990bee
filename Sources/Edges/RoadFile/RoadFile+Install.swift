import Glibc

extension RoadFile {
  /// Puts a map in the place of another that may be in use: whole and verified, written beside it and
  /// renamed, so that a running stack goes over to it by itself.
  ///
  /// `source` is a `.navmap`, an OSM file or a folder of either. Gives the new map's hash. Linear in the file.
  ///
  /// - Throws: where the source is no whole map, or the place cannot be written; the old one then stays.
  @discardableResult
  public static func install(_ source: String, at place: String) throws(RoadFileError) -> String {
    guard place.hasSuffix(".navmap") else {
      throw .structure(path: place, reason: "it is no .navmap, and only such a file is replaced")
    }
    if MapFolder.isFolder(source) || isOSM(source) {
      return try join(
        MapFolder.isFolder(source) ? MapFolder.maps(in: source) : [source], to: place
      ).hash
    }
    try verify(path: source)
    let map = try MappedFile(path: source)
    let beside = "\(place).\(getpid()).part"
    let file = Glibc.open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw SystemCall.failure(place, "write the map") }
    do throws(RoadFileError) {
      defer { close(file) }
      try put(map.bytes, to: file, place)
    } catch {
      unlink(beside)
      throw error
    }
    guard rename(beside, place) == 0 else {
      let failure = SystemCall.failure(place, "replace the map")
      unlink(beside)
      throw failure
    }
    return hexadecimal(try FileTable(map).hash)
  }

  private static func put(
    _ bytes: UnsafeRawBufferPointer, to file: Int32, _ place: String
  ) throws(RoadFileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemCall.failure(place, "write the map") }
      rest = rest.dropFirst(count)
    }
    guard fsync(file) == 0 else { throw SystemCall.failure(place, "write the map") }
  }
}
