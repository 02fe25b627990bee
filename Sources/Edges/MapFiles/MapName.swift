/// What the name of a file says of the map in it.
public enum MapName {
  /// What a built map is called.
  public static let builtSuffix = ".navmap"

  /// What OSM files are called, in any of the forms that are read; where one ends in another, the longer first.
  public static let osmSuffixes = [
    ".osm.pbf", ".osm.gz", ".osm.bz2", ".opl.gz", ".pbf", ".osm", ".xml", ".opl", ".o5m", ".osh",
  ]

  /// Whether it is OSM data and no built map.
  public static func isOSM(_ name: String) -> Bool { osmSuffixes.contains { name.hasSuffix($0) } }

  public static func isBuilt(_ name: String) -> Bool { name.hasSuffix(builtSuffix) }

  /// Whether a file of this name in a folder is a map or OSM data: not hidden, and not one that is still
  /// being written.
  public static func isMap(_ name: String) -> Bool {
    name.first != "." && (isBuilt(name) || isOSM(name))
  }

  /// The name without what says which kind of file it is; what else has dots in it keeps them.
  public static func stem(_ name: String) -> Substring {
    ([builtSuffix] + osmSuffixes).first { name.hasSuffix($0) }.map { name.dropLast($0.count) }
      ?? name[...]
  }
}
