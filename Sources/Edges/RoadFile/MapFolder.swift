import Foundations
import Glibc

/// A folder of regions: OSM and map files that belong together.
enum MapFolder {
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The regions in a folder by name; if an OSM file and a map have the same name, the map.
  static func maps(in path: String) throws(RoadFileError) -> [String] {
    guard let folder = opendir(path) else { throw SystemCall.failure(path, "open the folder") }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if MapName.isMap(name) { names.append(name) }
    }
    let built = Set(names.filter(MapName.isBuilt).map(MapName.stem))
    names.removeAll { !MapName.isBuilt($0) && built.contains(MapName.stem($0)) }
    guard !names.isEmpty else { throw .noRoads(paths: [path]) }
    return names.sorted().map { "\(path)/\($0)" }
  }
}
