import Geodesy
import Messages
import Route

extension AddedStop {
  /// Decodes the added stops of a message, whose positions on the route must be in order.
  static func all(_ wire: [WireAddedStop]) throws(RouteWireFault) -> [AddedStop] {
    try IndexChecks.finite(wire.map(\.offsetM), "added_stops.offset_m")
    try IndexChecks.finite(wire.map(\.lengthM), "added_stops.length_m")
    for index in wire.indices.dropFirst() where wire[index].offsetM < wire[index - 1].offsetM {
      throw RouteWireFault(
        field: "added_stops.offset_m", message: "entry \(index) lies before the previous entry")
    }
    return wire.map { AddedStop(wire: $0) }
  }

  private init(wire: WireAddedStop) {
    self.init(
      kind: Kind(rawValue: wire.kind.rawValue) ?? .other, name: wire.name,
      place: Coordinate(latitudeDeg: wire.latDeg, longitudeDeg: wire.lonDeg),
      offsetM: wire.offsetM, lengthM: wire.lengthM, section: Int(clamping: wire.section),
      shapeIndex: Int(clamping: wire.shapeIndex))
  }

  var wire: WireAddedStop {
    WireAddedStop(
      kind: WireAddedStop.Kind(rawValue: kind.rawValue) ?? .other, name: name,
      latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg, offsetM: offsetM, lengthM: lengthM,
      section: Int64(section), shapeIndex: Int64(shapeIndex))
  }
}
