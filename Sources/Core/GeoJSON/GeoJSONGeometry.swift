public import Documents
public import Geodesy

/// A part of a GeoJSON geometry (RFC 7946).
public enum GeoJSONPart: Hashable, Sendable {
  case point(Coordinate)
  /// At least two places.
  case line([Coordinate])
  /// Rings of at least four places, the outer one first; at least one ring.
  case area([[Coordinate]])
}

/// Reads GeoJSON geometries into points, lines and areas.
public enum GeoJSONGeometry {
  private static let types =
    "Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon and GeometryCollection"

  /// The parts of a geometry in their order.
  ///
  /// - Throws: `GeoJSONFault` for the first invalid part.
  public static func parts(_ geometry: JSONValue) throws(GeoJSONFault) -> [GeoJSONPart] {
    try parts(geometry, depth: 0)
  }

  private static func parts(
    _ geometry: JSONValue, depth: Int
  ) throws(GeoJSONFault) -> [GeoJSONPart] {
    let coordinates = geometry["coordinates"]
    var parts: [GeoJSONPart] = []
    switch geometry["type"]?.string {
    case "Point": parts.append(.point(try point(coordinates)))
    case "MultiPoint": for one in try list(coordinates) { parts.append(.point(try point(one))) }
    case "LineString": parts.append(.line(try line(coordinates, atLeast: 2)))
    case "MultiLineString":
      for one in try list(coordinates) { parts.append(.line(try line(one, atLeast: 2))) }
    case "Polygon": parts.append(.area(try rings(coordinates)))
    case "MultiPolygon": for one in try list(coordinates) { parts.append(.area(try rings(one))) }
    case "GeometryCollection":
      guard depth < 4, let members = geometry["geometries"]?.array else {
        throw GeoJSONFault("geometry.geometries: not a list, or nested deeper than 4")
      }
      for member in members { parts += try Self.parts(member, depth: depth + 1) }
    case let type:
      throw GeoJSONFault("geometry.type: \(type ?? "nothing"); supported are \(types)")
    }
    return parts
  }

  private static func list(_ value: JSONValue?) throws(GeoJSONFault) -> [JSONValue] {
    guard let list = value?.array else { throw GeoJSONFault("coordinates: not a list") }
    return list
  }

  private static func rings(_ value: JSONValue?) throws(GeoJSONFault) -> [[Coordinate]] {
    var rings: [[Coordinate]] = []
    for ring in try list(value) { rings.append(try line(ring, atLeast: 4)) }
    guard !rings.isEmpty else { throw GeoJSONFault("coordinates: an area needs a ring") }
    return rings
  }

  private static func line(
    _ value: JSONValue?, atLeast least: Int
  ) throws(GeoJSONFault) -> [Coordinate] {
    var points: [Coordinate] = []
    for one in try list(value) { points.append(try point(one)) }
    guard points.count >= least else {
      throw GeoJSONFault("coordinates: \(points.count) points, at least \(least) are required")
    }
    return points
  }

  private static func point(_ value: JSONValue?) throws(GeoJSONFault) -> Coordinate {
    guard let pair = value?.array, pair.count >= 2, let longitude = pair[0].number,
      let latitude = pair[1].number
    else { throw GeoJSONFault("coordinates: a place must be [longitude, latitude]") }
    let place = Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
    guard place.isValid else {
      throw GeoJSONFault("coordinates: [\(longitude), \(latitude)] is outside the valid range")
    }
    return place
  }
}

/// What is wrong with a geometry, by its member.
public struct GeoJSONFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}
