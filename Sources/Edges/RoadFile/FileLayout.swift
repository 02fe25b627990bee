public import RoadGraph

/// The layout of a map file, version 2, all numbers little-endian.
///
///     0    8  magic "navmap\r\n"
///     8    4  version
///    12    4  number of sections
///    16    8  length of the file
///    24    8  hash of the content
///    32    4  CRC-32C of the section table
///    36    4  CRC-32C of bytes 0 to 36
///    40   24  zeros
///    64   64  for each section: name (24, zero-filled), coding (4), record size (4), offset (8),
///             bytes (8), records (8), CRC-32C (4), zeros (4)
///
/// Sections follow at multiples of 64 bytes, zeros between them.
enum FileLayout {
  static let magic: [UInt8] = Array("navmap\r\n".utf8)
  static let version: UInt32 = 2
  static let headerSize = 64
  static let entrySize = 64
  static let nameSize = 24
  static let alignment = 64
  /// Maximum number of sections; above the number of this version, but low enough for a hostile
  /// table.
  static let mostSections = 256

  static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }
}

/// One section of a map file, as described by the section table.
public struct FileSection: Hashable, Sendable, Codable {
  public var name: String
  public var coding: ColumnCoding
  /// Offset from the file's start in bytes.
  public var offset: UInt64
  /// Size in the file in bytes.
  public var size: UInt64
  /// Size of a record in memory in bytes.
  public var recordSize: UInt32
  public var count: UInt64
  public var checksum: UInt32
}
