/// What the name of a file says of the map in it.
public enum MapName {
  /// What OSM files are called, in any of the forms that are read.
  private static let suffixes = [
    ".navmap", ".pbf", ".osm", ".osm.gz", ".osm.bz2", ".xml", ".opl", ".opl.gz", ".o5m", ".osh",
  ]

  /// Whether a name is that of a map or of OSM data: not hidden, and not one that is still being written.
  public static func isMap(_ name: String) -> Bool {
    name.first != "." && suffixes.contains { name.hasSuffix($0) }
  }
}
