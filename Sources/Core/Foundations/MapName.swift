/// Determines the kind of a map file from its name.
public enum MapName {
  /// The suffix of a built map.
  public static let builtSuffix = ".navmap"

  /// The suffixes of OSM files in all supported formats; if one ends in another, the longer comes
  /// first.
  public static let osmSuffixes = [
    ".osm.pbf", ".osm.gz", ".osm.bz2", ".opl.gz", ".pbf", ".osm", ".xml", ".opl", ".o5m", ".osh",
  ]

  /// Whether it is OSM data and not a built map.
  public static func isOSM(_ name: String) -> Bool { osmSuffixes.contains { name.hasSuffix($0) } }

  public static func isBuilt(_ name: String) -> Bool { name.hasSuffix(builtSuffix) }

  /// Whether a file of this name in a folder is a map or OSM data.
  ///
  /// Hidden files and unfinished files do not count.
  public static func isMap(_ name: String) -> Bool {
    name.first != "." && (isBuilt(name) || isOSM(name))
  }

  /// The name without the suffix for its kind; other dots are kept.
  public static func stem(_ name: String) -> Substring {
    ([builtSuffix] + osmSuffixes).first { name.hasSuffix($0) }.map { name.dropLast($0.count) }
      ?? name[...]
  }
}
