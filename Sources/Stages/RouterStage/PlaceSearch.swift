import Geodesy
import Messages
import Places
import RoadGraph
import Stage

/// The call `place/find`, RT-20.
struct PlaceSearch: Sendable {
  let shared: RouterShared
  let wire: PlaceFindRequest

  var outcome: CallOutcome {
    guard (wire.latDeg == nil) == (wire.lonDeg == nil) else {
      return .failed(
        CallError(
          code: "invalid", message: "lat_deg and lon_deg must be given together",
          field: wire.latDeg == nil ? "lat_deg" : "lon_deg"))
    }
    let near = wire.latDeg.flatMap { lat in
      wire.lonDeg.map { Coordinate(latitudeDeg: lat, longitudeDeg: $0) }
    }
    let found = shared.places().search(
      wire.text, near: near, limit: Int(clamping: wire.limit)
    ).places
    guard !found.isEmpty else {
      if let near, !shared.graph.reaches(near) {
        return .failed(
          CallError(
            code: "no_map_data",
            message:
              "The place of the search is outside the map; a map of its region is missing.",
            field: "lat_deg"))
      }
      return .failed(
        CallError(
          code: "not_found", message: "The map contains no place named \"\(wire.text)\".",
          field: "text"))
    }
    return .ok(.placeFind(PlaceFindReply(places: found.map(\.wire))))
  }
}

extension FoundPlace {
  var wire: WireFoundPlace {
    WireFoundPlace(
      name: name, kind: WireFoundPlace.Kind(rawValue: kind.rawValue) ?? .place, detail: detail,
      latDeg: coordinate.latitudeDeg, lonDeg: coordinate.longitudeDeg, distanceM: distanceM)
  }
}
