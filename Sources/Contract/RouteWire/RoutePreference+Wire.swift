import Geodesy
public import Messages
import RoadGraph
public import Route

extension RoutePreference {
  /// Decodes a preference; one without an area or place becomes a polygon without corners, which is
  /// rejected by name.
  public init(wire: WireRoadWish) {
    let place: Place
    if let segment = wire.segment {
      place = .segment(SegmentReference(wire: segment))
    } else if let line = wire.corridor {
      place = .corridor((try? EncodedPolyline.decode(line)) ?? [], widthM: wire.widthM)
    } else if let south = wire.southDeg, let west = wire.westDeg, let north = wire.northDeg,
      let east = wire.eastDeg
    {
      place = .box(BoundingBox(southDeg: south, westDeg: west, northDeg: north, eastDeg: east))
    } else {
      place = .polygon(wire.polygon.flatMap { try? EncodedPolyline.decode($0) } ?? [])
    }
    self.init(place, speedFactor: wire.speedFactor, isClosed: wire.closed)
  }

  public var wire: WireRoadWish {
    switch place {
    case .box(let box):
      WireRoadWish(
        southDeg: box.southDeg, westDeg: box.westDeg, northDeg: box.northDeg,
        eastDeg: box.eastDeg, speedFactor: speedFactor, closed: isClosed)
    case .polygon(let corners):
      WireRoadWish(
        polygon: EncodedPolyline.encode(corners), speedFactor: speedFactor, closed: isClosed)
    case .corridor(let line, let widthM):
      WireRoadWish(
        corridor: EncodedPolyline.encode(line), widthM: widthM, speedFactor: speedFactor,
        closed: isClosed)
    case .segment(let reference):
      WireRoadWish(segment: reference.wire, speedFactor: speedFactor, closed: isClosed)
    }
  }
}
