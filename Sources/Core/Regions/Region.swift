public import Foundations
public import Geodesy

/// One map file of a catalogue: its area, length and checksum.
public struct Region: Hashable, Sendable {
  /// Name of the region, unique within the catalogue; also the stem of the installed file's name.
  public var name: String
  /// Path of the file, relative to the catalogue.
  public var file: String
  /// Length of the file in bytes.
  public var bytes: Int
  /// SHA-256 of the file, as 64 hexadecimal digits.
  public var sha256: String
  /// Time of the OpenStreetMap data; nil if unknown.
  public var dataTime: Instant?
  /// Boxes that together cover its roads.
  public var cover: [BoundingBox]

  public init(
    name: String, file: String, bytes: Int, sha256: String, dataTime: Instant?,
    cover: [BoundingBox]
  ) {
    self.name = name
    self.file = file
    self.bytes = bytes
    self.sha256 = sha256
    self.dataTime = dataTime
    self.cover = cover
  }

  /// Whether a place lies in one of its boxes.
  public func covers(_ place: Coordinate) -> Bool { cover.contains { $0.contains(place) } }

  /// Whether one of its boxes intersects `box`.
  public func reaches(_ box: BoundingBox) -> Bool { cover.contains { $0.intersects(box) } }
}
