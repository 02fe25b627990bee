import Foundations
public import RoadGraph

/// The base map: water, land use, buildings, railways and borders, as areas and lines.
///
/// The features lie in blocks of a few dozen that are near each other and appear at the same zoom;
/// a block is decoded when a tile needs it, so an opened map takes nearly no memory.
public struct BaseMap: Sendable {
  /// For each block the lowest zoom at which its features are shown.
  public let zooms: Column<UInt8>
  /// Where each block begins in `bytes`, and the end.
  public let starts: Column<UInt64>
  /// The box around each block.
  public let boxes: Column<BaseMapBox>
  /// The coded features, see `BaseMapCoding`.
  public let bytes: Column<UInt8>

  /// Checks that the columns belong together; nil if they do not.
  public init?(
    zooms: Column<UInt8>, starts: Column<UInt64>, boxes: Column<BaseMapBox>, bytes: Column<UInt8>
  ) {
    guard zooms.count == boxes.count, starts.count == zooms.count + 1,
      starts.records.last == UInt64(bytes.count), starts.records.first == 0,
      zip(starts.records, starts.records.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    self.zooms = zooms
    self.starts = starts
    self.boxes = boxes
    self.bytes = bytes
  }

  /// The base map of these features; the same features give the same bytes, in any order.
  ///
  /// n log n in the features.
  public init(_ features: [BaseMapFeature]) {
    var writer = BaseMapWriter()
    writer.add(features)
    zooms = Column(writer.zooms)
    starts = Column(writer.starts)
    boxes = Column(writer.boxes)
    bytes = Column(writer.bytes)
  }

  public var isEmpty: Bool { zooms.count == 0 }

  /// A number that differs between different base maps.
  public var mark: UInt64 {
    var hash = FNV1a()
    for box in boxes.records {
      for word in [box.southE6, box.westE6, box.northE6, box.eastE6] {
        withUnsafeBytes(of: word.littleEndian) { for byte in $0 { hash.combine(byte) } }
      }
    }
    withUnsafeBytes(of: bytes.count.littleEndian) { for byte in $0 { hash.combine(byte) } }
    return hash.value
  }

  /// Calls `body` with every feature near `box` that is shown at `zoom`; those beyond the box may be
  /// among them.
  ///
  /// Linear in the blocks and in the features of those that meet the box.
  public func forEachFeature(
    in box: BaseMapBox, zoom: Int, _ body: (BaseMapFeature) -> Void
  ) {
    for block in 0..<zooms.count where Int(zooms[block]) <= zoom {
      let around = boxes[block]
      guard around.intersects(box) else { continue }
      let range = Int(starts[block])..<Int(starts[block + 1])
      var reader = BaseMapReader(UnsafeBufferPointer(rebasing: bytes.records[range]), around)
      while let feature = reader.next() { body(feature) }
    }
  }

  /// The coastlines: each has the sea on its right.
  ///
  /// Linear in the blocks of the lowest zoom, where coastlines lie.
  public func coastlines() -> [BaseMapFeature] {
    var lines: [BaseMapFeature] = []
    forEachFeature(in: .everywhere, zoom: BaseMapKind.coastline.firstZoom) {
      if $0.kind == .coastline { lines.append($0) }
    }
    return lines
  }

  /// Every feature, in the order of the file.
  public func allFeatures() -> [BaseMapFeature] {
    var features: [BaseMapFeature] = []
    forEachFeature(in: .everywhere, zoom: .max) { features.append($0) }
    return features
  }

  /// The base map of several, with what they share once.
  public static func joined(_ maps: [BaseMap]) -> BaseMap {
    var seen: Set<BaseMapFeature> = []
    return BaseMap(maps.flatMap { $0.allFeatures() }.filter { seen.insert($0).inserted })
  }

  /// The features that `isKept` accepts by their boxes.
  public func filtered(_ isKept: (BaseMapBox) -> Bool) -> BaseMap {
    BaseMap(allFeatures().filter { isKept($0.box) })
  }
}
