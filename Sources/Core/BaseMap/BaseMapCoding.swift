import RoadGraph

// Coding of a block: its features one after the other. Each is its kind, its height in decimetres,
// and the number of its rings as varints; then each ring: the number of its points, and for each
// point the zigzag varints of its longitude and latitude, less those of the point before. The first
// point of a block is counted from the south-west corner of the block's box.

/// Sorts features into blocks and codes them.
struct BaseMapWriter {
  /// Maximum number of features and of points in a block; a larger feature has one of its own.
  private static let mostFeatures = 32
  private static let mostPoints = 1024

  private(set) var zooms: [UInt8] = []
  private(set) var starts: [UInt64] = [0]
  private(set) var boxes: [BaseMapBox] = []
  private(set) var bytes: [UInt8] = []

  mutating func add(_ features: [BaseMapFeature]) {
    let ordered = features.indices
      .filter { !(features[$0].rings.first ?? []).isEmpty }
      .map { (key: Key(features[$0]), index: $0) }
      .sorted { ($0.key, features[$0.index]) < ($1.key, features[$1.index]) }
    var first = 0
    while first < ordered.count {
      var points = 0
      var end = first
      while end < ordered.count, ordered[end].key.zoom == ordered[first].key.zoom,
        end - first < Self.mostFeatures
      {
        points += features[ordered[end].index].rings.reduce(0) { $0 + $1.count }
        if end > first, points > Self.mostPoints { break }
        end += 1
      }
      block(ordered[first..<end].map { features[$0.index] }, zoom: ordered[first].key.zoom)
      first = end
    }
  }

  /// Zoom, then the place along a Z-shaped curve, as described by Morton (1966).
  private struct Key: Comparable {
    var zoom: UInt8
    var place: UInt64

    init(_ feature: BaseMapFeature) {
      zoom = UInt8(feature.firstZoom)
      let box = feature.box
      let x = UInt32(truncatingIfNeeded: (Int64(box.westE6) + Int64(box.eastE6)) / 2 + 1 << 31)
      let y = UInt32(truncatingIfNeeded: (Int64(box.southE6) + Int64(box.northE6)) / 2 + 1 << 31)
      place = Self.spread(x) | Self.spread(y) << 1
    }

    private static func spread(_ value: UInt32) -> UInt64 {
      var bits = UInt64(value)
      bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
      bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
      bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
      bits = (bits | bits << 2) & 0x3333_3333_3333_3333
      return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    static func < (a: Self, b: Self) -> Bool { (a.zoom, a.place) < (b.zoom, b.place) }
  }

  private mutating func block(_ features: [BaseMapFeature], zoom: UInt8) {
    var box = features[0].box
    for feature in features { box.add(feature.box) }
    var (longitude, latitude) = (Int64(box.westE6), Int64(box.southE6))
    for feature in features {
      Varint.append(UInt64(feature.kind.rawValue), to: &bytes)
      Varint.append(UInt64(max(0, feature.heightDM)), to: &bytes)
      Varint.append(UInt64(feature.rings.count), to: &bytes)
      for ring in feature.rings {
        Varint.append(UInt64(ring.count), to: &bytes)
        for point in ring {
          Varint.append(Varint.zigzag(Int64(point.longitudeE6) - longitude), to: &bytes)
          Varint.append(Varint.zigzag(Int64(point.latitudeE6) - latitude), to: &bytes)
          (longitude, latitude) = (Int64(point.longitudeE6), Int64(point.latitudeE6))
        }
      }
    }
    zooms.append(zoom)
    boxes.append(box)
    starts.append(UInt64(bytes.count))
  }
}

extension BaseMapFeature: Comparable {
  /// Any fixed order, so that equal maps have equal bytes.
  public static func < (a: Self, b: Self) -> Bool {
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    if a.heightDM != b.heightDM { return a.heightDM < b.heightDM }
    return a.rings.lexicographicallyPrecedes(b.rings) { one, other in
      one.lexicographicallyPrecedes(other) {
        ($0.longitudeE6, $0.latitudeE6) < ($1.longitudeE6, $1.latitudeE6)
      }
    }
  }
}

/// Decodes a block; damaged bytes end it early.
struct BaseMapReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var longitude: Int64
  private var latitude: Int64

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ box: BaseMapBox) {
    self.bytes = bytes
    (longitude, latitude) = (Int64(box.westE6), Int64(box.southE6))
  }

  mutating func next() -> BaseMapFeature? {
    while offset < bytes.count {
      guard let kind = number(), let height = number(), let ringCount = number(),
        ringCount <= UInt64(bytes.count)
      else { return nil }
      var rings: [[BaseMapPoint]] = []
      for _ in 0..<ringCount {
        guard let ring = ring() else { return nil }
        rings.append(ring)
      }
      // A newer program may know more kinds.
      guard let known = UInt8(exactly: kind).flatMap(BaseMapKind.init) else { continue }
      return BaseMapFeature(
        kind: known, heightDM: Int(min(height, 1_000_000)), rings: rings)
    }
    return nil
  }

  private mutating func ring() -> [BaseMapPoint]? {
    guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
    var points: [BaseMapPoint] = []
    points.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let east = number(), let north = number() else { return nil }
      longitude &+= Varint.signed(east)
      latitude &+= Varint.signed(north)
      points.append(
        BaseMapPoint(
          longitudeE6: Int32(truncatingIfNeeded: longitude),
          latitudeE6: Int32(truncatingIfNeeded: latitude)))
    }
    return points
  }

  private mutating func number() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
