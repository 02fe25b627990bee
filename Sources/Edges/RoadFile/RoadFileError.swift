/// The reason why a map file could not be opened, read or written, as a sentence that names the
/// file.
public enum RoadFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A system call failed: the file is missing, the disk is full.
  case system(path: String, action: String, reason: String)
  /// The file is not a map of this project, or is incomplete.
  case notAMap(path: String, reason: String, byte: UInt64)
  /// A map in a format that this build cannot read.
  case version(path: String, found: UInt32, expected: UInt32)
  /// The checksum of a section is wrong.
  case checksum(path: String, section: String, byte: UInt64)
  /// The bytes are complete, but are not a valid road graph.
  case structure(path: String, reason: String)
  /// An OSM file could not be read; the reason names the file and the position.
  case osm(reason: String)
  /// The OSM files contain no usable road.
  case noRoads(paths: [String])
  /// The caller stopped the reader.
  case stopped(path: String)

  public var description: String {
    switch self {
    case .system(let path, let action, let reason): "\(path): cannot \(action): \(reason)"
    case .notAMap(let path, let reason, let byte):
      "\(path): is not a complete map file: \(reason) (byte \(byte))"
    case .version(let path, let found, let expected):
      "\(path): is a map of format \(found), this program reads format \(expected); build it again"
    case .checksum(let path, let section, let byte):
      "\(path): is damaged: the checksum of section \(section) at byte \(byte) is wrong"
    case .structure(let path, let reason): "\(path): is damaged: \(reason)"
    case .osm(let reason): reason
    case .noRoads(let paths): "\(paths.joined(separator: ", ")): contains no roads"
    case .stopped(let path): "\(path): reading was stopped"
    }
  }
}
