import Documents
import Geodesy
import Maneuvers
import OSRM
import RoadGraph
import Route
import Routing

/// Routes as JSON: GeoJSON, and the answer of OSRM's route service, version 5.
enum RouteJSON {
  static func geoJSON(_ routes: [Route]) -> String {
    var json = JSONText()
    json.object { json in
      json.field("type", "FeatureCollection")
      json.list("features", routes) { write($1, to: &$0) }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func write(_ route: Route, to json: inout JSONText) {
    json.object { json in
      json.field("type", "Feature")
      json.object("properties") { json in
        json.field("id", route.id)
        json.field("length_m", exact: route.lengthM)
        json.field("duration_s", exact: route.durations.trafficS)
        json.list("maneuvers", route.maneuvers) { json, maneuver in
          json.object { json in
            json.field("offset_m", exact: maneuver.offsetM)
            json.field("action", maneuver.actionWord)
            json.field("text", maneuver.text)
            json.field("lon", exact: maneuver.place.longitudeDeg)
            json.field("lat", exact: maneuver.place.latitudeDeg)
          }
        }
      }
      json.object("geometry") { json in
        json.field("type", "LineString")
        json.list("coordinates", route.shape) { json, place in
          json.array { json in
            json.exact(place.longitudeDeg)
            json.exact(place.latitudeDeg)
          }
        }
      }
    }
  }

  /// The answer of OSRM's route service to a request with steps and the full geometry.
  ///
  /// `paths` are those of `routes`, found for `request`.
  static func osrm(
    _ routes: some Collection<Route>, _ paths: some Collection<FoundPath>,
    of request: RouteRequest, _ geometry: OSRMGeometry, on graph: RoadGraph
  ) -> String {
    var query = OSRMRequest(
      mode: request.mode, service: .route(alternatives: request.alternatives, goesOn: nil),
      places: request.waypoints.map { OSRMPlace($0.place) })
    query.format.steps = true
    query.format.overview = .full
    query.format.geometry = geometry
    let stops = paths.first?.stops ?? []
    let json = query.response(
      routes: zip(routes, paths).map { OSRMRoute(route: $0, edges: $1.segments(request)) },
      waypoints: stops.map {
        OSRMWaypoint(
          position: $0.position, coordinate: $0.coordinate, distanceM: $0.distanceM)
      }, on: graph)
    return String(decoding: json, as: UTF8.self)
  }
}
