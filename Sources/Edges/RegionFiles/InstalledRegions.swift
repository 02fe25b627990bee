public import Foundations
import Glibc
import RoadFile

/// A map file in the folder of installed regions.
public struct InstalledRegion: Hashable, Sendable {
  /// The file's name without its suffix.
  public var name: String
  /// Length of the file in bytes.
  public var bytes: Int
  /// Time of the OpenStreetMap data; nil if the map does not contain it, and for OSM files.
  public var dataTime: Instant?
}

/// Lists the maps in the folder of installed regions.
public enum InstalledRegions {
  /// The regions of a folder, sorted by name; reads only the headers of map files.
  ///
  /// Damaged map files are listed too.
  ///
  /// - Throws: `RegionFault` if the folder cannot be read.
  public static func list(_ folder: String) throws(RegionFault) -> [InstalledRegion] {
    guard let listing = opendir(folder) else {
      throw RegionFault("the folder \(folder) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { closedir(listing) }
    var regions: [String: InstalledRegion] = [:]
    while let entry = readdir(listing) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let path = "\(folder)/\(file)"
      var status = stat()
      guard MapName.isMap(file), stat(path, &status) == 0 else { continue }
      let name = String(MapName.stem(file))
      // If an OSM file and a built map have the same name, the nodes use the map.
      if regions[name] != nil, !MapName.isBuilt(file) { continue }
      regions[name] = InstalledRegion(
        name: name, bytes: Int(status.st_size), dataTime: RoadFile.dataTime(path: path))
    }
    return regions.values.sorted { $0.name < $1.name }
  }
}
