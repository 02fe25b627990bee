import Glibc

/// A file that is written next to its final path and then renamed.
///
/// So no process ever sees half a map.
struct MapReplacement {
  private let place: String
  private let file: Int32

  /// Creates the file at `place` from what `fill` writes, replacing a file that may be in use.
  ///
  /// - Throws: the error of `fill`, or an error if the path cannot be written; the old file then
  ///   stays.
  static func write(
    _ place: String, _ fill: (MapReplacement) throws(RoadFileError) -> Void
  ) throws(RoadFileError) {
    let beside = "\(place).\(getpid()).\(UInt32.random(in: 0 ... .max)).part"
    let file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw SystemCall.failure(place, "write the map") }
    do throws(RoadFileError) {
      defer { close(file) }
      try fill(MapReplacement(place: place, file: file))
      guard fsync(file) == 0 else { throw SystemCall.failure(place, "write the map") }
    } catch {
      unlink(beside)
      throw error
    }
    guard rename(beside, place) == 0 else {
      let failure = SystemCall.failure(place, "put the map in its place")
      unlink(beside)
      throw failure
    }
  }

  func put(_ bytes: [UInt8]) throws(RoadFileError) {
    var failure: RoadFileError?
    bytes.withUnsafeBytes { buffer in
      do throws(RoadFileError) { try put(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  func put(_ bytes: UnsafeRawBufferPointer) throws(RoadFileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemCall.failure(place, "write the map") }
      rest = rest.dropFirst(count)
    }
  }
}
