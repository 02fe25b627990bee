import Foundations
import Glibc

/// Detects changes of files or of files in folders: maps, and other files that a stage reloads.
///
/// Linear in the files, with one system call for each; reads none of them.
struct FileWatcher {
  /// The attributes that distinguish a file from its replacement.
  struct Stamp: Hashable {
    var path: String
    var device: UInt64
    var number: UInt64
    var bytes: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  /// Number of checks for which a missing file is not a change: it may be removed before it is
  /// replaced.
  static let patience = 10

  private let paths: [String]
  private var seen: [Stamp?]
  /// Number of checks for which a file, or a link's target, has been missing.
  private var looksAway = 0
  /// The watched files of the last change.
  private(set) var changedPaths: [String] = []
  /// Whether the changed files are being loaded; later changes are detected afterwards.
  var isLoading = false

  init(_ paths: [String]) {
    self.paths = paths
    seen = Self.stamps(paths)
  }

  /// Whether anything has changed since the last call.
  ///
  /// A file that stays missing is finally a change, as it is for a process that starts now: the map
  /// is reloaded, and the loader reports which file is missing.
  mutating func hasChanged() -> Bool {
    guard !paths.isEmpty, !isLoading else { return false }
    let now = Self.stamps(paths)
    guard now != seen else {
      looksAway = 0
      return false
    }
    if now.contains(nil), looksAway < Self.patience {
      looksAway += 1
      return false
    }
    looksAway = 0
    let (before, after) = (Set(seen.compactMap { $0 }), Set(now.compactMap { $0 }))
    changedPaths = Set(before.symmetricDifference(after).map(\.path)).sorted()
    seen = now
    return true
  }

  /// nil for a missing file, and for a dangling link.
  private static func stamps(_ paths: [String]) -> [Stamp?] {
    paths.flatMap { [stamp($0)] + inside($0).map(stamp) }
  }

  private static func stamp(_ path: String) -> Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    // Changes of a folder are detected by its files, so its own size and times are ignored.
    return Stamp(
      path: path, device: UInt64(status.st_dev), number: UInt64(status.st_ino),
      bytes: isFolder ? 0 : Int64(status.st_size), seconds: isFolder ? 0 : status.st_mtim.tv_sec,
      nanoseconds: isFolder ? 0 : status.st_mtim.tv_nsec)
  }

  private static func inside(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if MapName.isMap(name) { names.append("\(path)/\(name)") }
    }
    return names.sorted()
  }
}
