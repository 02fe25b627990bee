public import EventTime
public import Geodesy

/// One map file of a catalogue: which part of the world it holds, and what it must be when it has come.
public struct Region: Hashable, Sendable {
  /// What it is called; the file's name without its suffix, which no other region of the catalogue has.
  public var name: String
  /// Where it lies, relative to the catalogue.
  public var file: String
  /// Length of the file.
  public var bytes: Int
  /// Of the file, as 64 hexadecimal digits.
  public var sha256: String
  /// The time of its OpenStreetMap data; nil where nothing tells.
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

  /// Whether a place is on one of its boxes.
  public func covers(_ place: Coordinate) -> Bool { cover.contains { $0.contains(place) } }

  /// Whether it has something of a box.
  public func reaches(_ box: BoundingBox) -> Bool { cover.contains { $0.intersects(box) } }
}
