import Glibc

/// A folder of regions: OSM and map files that belong together.
enum MapFolder {
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The regions in a folder by name; of an OSM file and a map of the same name the map.
  static func maps(in path: String) throws(RoadFileError) -> [String] {
    guard let folder = opendir(path) else { throw SystemCall.failure(path, "open the folder") }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.first != ".", name.hasSuffix(".navmap") || RoadFile.isOSM(name) {
        names.append(name)
      }
    }
    let built = Set(names.filter { $0.hasSuffix(".navmap") }.map { stem($0) })
    names.removeAll { !$0.hasSuffix(".navmap") && built.contains(stem($0)) }
    guard !names.isEmpty else { throw .noRoads(paths: [path]) }
    return names.sorted().map { "\(path)/\($0)" }
  }

  /// The name without what says which kind of file it is; what else has dots in it keeps them.
  private static func stem(_ name: String) -> Substring {
    let suffixes = [".navmap"] + RoadFile.osmSuffixes.sorted { $0.count > $1.count }
    return suffixes.first { name.hasSuffix($0) }.map { name.dropLast($0.count) } ?? name[...]
  }
}
