import Geodesy
import Messages
import Places
import RoadGraph
import Stage

/// The call `place/find`, RT-20.
struct PlaceSearch: Sendable {
  let shared: RouterShared
  let wire: PlaceFindRequest
  /// Maximum number of kinds in a request.
  private static let mostKinds = 64

  var outcome: CallOutcome {
    do throws(CallError) {
      return .ok(.placeFind(PlaceFindReply(places: try found().map(\.wire))))
    } catch {
      return .failed(error)
    }
  }

  private func found() throws(CallError) -> [FoundPlace] {
    guard (wire.latDeg == nil) == (wire.lonDeg == nil) else {
      throw Self.invalid(
        wire.latDeg == nil ? "lat_deg" : "lon_deg", "lat_deg and lon_deg must be given together")
    }
    guard wire.kinds.count <= Self.mostKinds else {
      throw Self.invalid("kinds", "a search has at most \(Self.mostKinds) kinds of place")
    }
    let near = wire.latDeg.flatMap { lat in
      wire.lonDeg.map { Coordinate(latitudeDeg: lat, longitudeDeg: $0) }
    }
    let filter = PlaceFilter(
      category: wire.category.flatMap { PlaceCategory(rawValue: $0.rawValue) },
      kinds: Set(wire.kinds))
    let places = try filter.isEmpty ? named(near) : filtered(filter, near)
    guard places.isEmpty else { return places }
    if let near, !shared.graph.reaches(near) {
      throw CallError(
        code: "no_map_data",
        message: "The place of the search is outside the map; a map of its region is missing.",
        field: "lat_deg")
    }
    guard filter.isEmpty else {
      throw CallError(
        code: "not_found",
        message: "The map contains no such place"
          + (wire.line == nil ? "." : " within \(Int(wire.withinM)) m of the line."),
        field: wire.line != nil ? "line" : wire.category == nil ? "kinds" : "category")
    }
    throw CallError(
      code: "not_found", message: "The map contains no place named \"\(wire.text)\".",
      field: "text")
  }

  private func named(_ near: Coordinate?) throws(CallError) -> [FoundPlace] {
    guard wire.line == nil else {
      throw Self.invalid("line", "a search along a line needs a category or kinds of place")
    }
    return shared.places().search(wire.text, near: near, limit: Int(clamping: wire.limit)).places
  }

  private func filtered(
    _ filter: PlaceFilter, _ near: Coordinate?
  ) throws(CallError) -> [FoundPlace] {
    let limit = Int(clamping: wire.limit)
    guard let text = wire.line else {
      return shared.places().places(filter, named: wire.text, near: near, limit: limit)
    }
    let line: [Coordinate]
    do throws(PolylineError) {
      line = try EncodedPolyline.decode(text)
    } catch {
      throw Self.invalid("line", "the line is not a polyline6: \(error)")
    }
    guard line.count > 1 else {
      throw Self.invalid("line", "a line has at least two points")
    }
    return shared.places().places(
      filter, named: wire.text, along: line, withinM: wire.withinM, limit: limit)
  }

  private static func invalid(_ field: String, _ message: String) -> CallError {
    CallError(code: "invalid", message: message, field: field)
  }
}

extension FoundPlace {
  var wire: WireFoundPlace {
    WireFoundPlace(
      name: name, kind: WireFoundPlace.Kind(rawValue: kind.rawValue) ?? .place, detail: detail,
      latDeg: coordinate.latitudeDeg, lonDeg: coordinate.longitudeDeg, distanceM: distanceM,
      alongM: alongM)
  }
}
