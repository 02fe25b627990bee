import Foundation
import Geodesy
import Maneuvers
import Route

/// The formats in which OSRM writes a line.
enum OSRMGeometry: String {
  case polyline
  case polyline6
  case geojson
}

/// Routes as JSON: GeoJSON, and the answer of OSRM's route service, version 5.
enum RouteJSON {
  static func geoJSON(_ routes: [Route]) throws(RouteCommandFault) -> String {
    let features = routes.map { route -> JSONTree in
      .object([
        ("type", .string("Feature")),
        (
          "properties",
          .object([
            ("id", .string(route.id)), ("length_m", .number(route.lengthM)),
            ("duration_s", .number(route.durations.trafficS)),
            (
              "maneuvers",
              .array(
                route.maneuvers.map { maneuver in
                  .object([
                    ("offset_m", .number(maneuver.offsetM)),
                    ("action", .string(maneuver.actionWord)), ("text", .string(maneuver.text)),
                    ("lon", .number(maneuver.place.longitudeDeg)),
                    ("lat", .number(maneuver.place.latitudeDeg)),
                  ])
                })
            ),
          ])
        ),
        ("geometry", line(route.shape, .geojson)),
      ])
    }
    return JSONTree.object([
      ("type", .string("FeatureCollection")), ("features", .array(features)),
    ]).text
  }

  static func osrm(
    _ routes: [Route], _ geometry: OSRMGeometry
  ) throws(RouteCommandFault) -> String {
    let waypoints = (routes.first?.waypoints ?? []).map { waypoint -> JSONTree in
      .object([
        ("hint", .string("")), ("distance", .number(rounded(waypoint.distanceM))),
        ("name", .string(waypoint.roadName)), ("location", place(waypoint.matched)),
      ])
    }
    return JSONTree.object([
      ("code", .string("Ok")),
      ("routes", .array(routes.map { OSRMRoute(route: $0, geometry: geometry).json })),
      ("waypoints", .array(waypoints)),
    ]).text
  }

  static func place(_ coordinate: Coordinate) -> JSONTree {
    .array([.number(coordinate.longitudeDeg), .number(coordinate.latitudeDeg)])
  }

  static func line(_ points: some Collection<Coordinate>, _ geometry: OSRMGeometry) -> JSONTree {
    switch geometry {
    case .polyline: .string(EncodedPolyline.encode(points, decimals: 5))
    case .polyline6: .string(EncodedPolyline.encode(points))
    case .geojson:
      .object([
        ("type", .string("LineString")), ("coordinates", .array(points.map(place))),
      ])
    }
  }

  /// Rounds to a tenth, as OSRM does for lengths and times.
  static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

/// JSON whose keys keep their order.
indirect enum JSONTree {
  case object([(String, JSONTree)])
  case array([JSONTree])
  case string(String)
  case number(Double)
  case bool(Bool)

  var text: String {
    switch self {
    case .object(let fields):
      "{" + fields.map { "\(Self.quoted($0.0)):\($0.1.text)" }.joined(separator: ",") + "}"
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .string(let value): Self.quoted(value)
    case .number(let value):
      value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    case .bool(let value): value ? "true" : "false"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case _ where scalar.value < 0x20: quoted += String(format: "\\u%04x", scalar.value)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
