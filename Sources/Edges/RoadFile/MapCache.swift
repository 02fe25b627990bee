import Contraction
import Foundations
import Glibc
public import MapMaking

/// Cache of maps built from OSM files, so that each is built once.
public enum MapCache {
  /// The folder for built maps: `$XDG_CACHE_HOME/navstack`, else `~/.cache/navstack`, else the
  /// temporary folder.
  public static var folder: String {
    if let cache = variable("XDG_CACHE_HOME") { return cache + "/navstack" }
    if let home = variable("HOME") { return home + "/.cache/navstack" }
    return (variable("TMPDIR") ?? "/tmp") + "/navstack-\(getuid())"
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The built map of an OSM file: from the cache, or built now.
  ///
  /// The name contains the OSM file's size and modification time, the format and the options. If
  /// several processes need it, one builds it and the others wait.
  public static func built(
    _ path: String, options: MapOptions, folder: String = MapCache.folder,
    progress: @escaping (BuildProgress) -> Bool
  ) throws(RoadFileError) -> String {
    try joined([path], options: options, folder: folder, progress: progress)
  }

  /// The map that joins OSM and map files: from the cache, or made now.
  public static func joined(
    _ paths: [String], options: MapOptions, folder: String = MapCache.folder,
    progress: @escaping (BuildProgress) -> Bool
  ) throws(RoadFileError) -> String {
    let output = try place(paths, options: options, folder: folder)
    if access(output, R_OK) == 0 { return output }
    try makeFolder(folder)
    let lock = try BuildLock(path: output + ".lock")
    defer { lock.release() }
    if access(output, R_OK) == 0 { return output }
    try RoadFile.join(paths, to: output, options: options, progress: progress)
    return output
  }

  /// The path of the map made from these files.
  static func place(
    _ paths: [String], options: MapOptions, folder: String
  ) throws(RoadFileError) -> String {
    var key =
      "\(FileLayout.version)|\(MapMakingVersion.number).\(DissectionOrder.version)"
      + "|\(options.country ?? "")|\(options.drivesOnLeft)|\(options.hasBaseMap)"
    for path in paths {
      var status = stat()
      guard stat(path, &status) == 0 else { throw SystemCall.failure(path, "open the map") }
      guard let whole = realpath(path, nil) else {
        throw SystemCall.failure(path, "open the map")
      }
      defer { free(whole) }
      key +=
        "|" + String(cString: whole) + "|\(status.st_size)|\(status.st_mtim.tv_sec)"
        + "|\(status.st_mtim.tv_nsec)"
    }
    let first = paths.first?.split(separator: "/").last.map(String.init) ?? "map"
    let name = paths.count > 1 ? "\(first)+\(paths.count - 1)" : first
    return "\(folder)/\(name).\(String(FNV1a(key.utf8).value, radix: 16)).navmap"
  }

  /// Runs `body` while no other process creates the file at `path`; creates its folder.
  static func alone<Result>(
    at path: String, _ body: () throws(RoadFileError) -> Result
  ) throws(RoadFileError) -> Result {
    if let slash = path.lastIndex(of: "/") { try makeFolder(String(path[..<slash])) }
    let lock = try BuildLock(path: path + ".lock")
    defer { lock.release() }
    return try body()
  }

  private static func makeFolder(_ path: String) throws(RoadFileError) {
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made +=
        made.isEmpty && part.isEmpty ? "/" : made.hasSuffix("/") || made.isEmpty ? part : "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST, access(made, X_OK) != 0 {
        throw SystemCall.failure(made, "make the folder")
      }
    }
  }
}

/// A file lock that one process at a time has, and that is released when the process ends.
private struct BuildLock: ~Copyable {
  private let descriptor: Int32

  /// Waits until the lock is free.
  init(path: String) throws(RoadFileError) {
    descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemCall.failure(path, "lock") }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let failure = SystemCall.failure(path, "lock")
        close(descriptor)
        throw failure
      }
    }
  }

  borrowing func release() { close(descriptor) }
}
