import Glibc
import MapFiles

/// Looks whether files, or what lies in folders, have become others: maps, and other files that a stage reads anew.
///
/// Linear in the files, a call to the system for each; reads none of them.
struct MapWatch {
  /// What tells one file from its successor.
  struct Stamp: Hashable {
    var path: String
    var device: UInt64
    var number: UInt64
    var bytes: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  /// A file that is away is no change for so many looks: who replaces one may have removed it first.
  static let patience = 10

  private let paths: [String]
  private var seen: [Stamp?]
  /// Looks since a file, or what a link leads to, has been away.
  private var looksAway = 0
  /// Of the files that were watched, those of the last change.
  private(set) var changedPaths: [String] = []
  /// A new map is being loaded.
  var isLoading = false
  /// What was loaded last; nil while the first maps serve.
  var newest: (any Sendable)?

  init(_ paths: [String]) {
    self.paths = paths
    seen = Self.stamps(paths)
  }

  /// Whether something is another than when this was last asked.
  ///
  /// What stays away is a change in the end, as it is for whoever starts now: the map is loaded anew,
  /// and who loads it says which file is missing.
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

  /// nil for a file that is away, and for a link that leads nowhere.
  private static func stamps(_ paths: [String]) -> [Stamp?] {
    paths.flatMap { [stamp($0)] + inside($0).map(stamp) }
  }

  private static func stamp(_ path: String) -> Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    // What a folder's own times tell is told by what lies in it.
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
