import Foundations
import Geodesy
import Scene
import Testing

/// A straight road to the east, 2 km long, with a point each 100 m.
enum Road {
  static let start = Coordinate(latitudeDeg: 47, longitudeDeg: 9)
  static let plane = LocalPlane(origin: start)
  static let line = Polyline((0...20).map { place(Double($0) * 100) })
  static let route = SceneRoute(id: "r-1", style: .car, line: line)

  static func place(_ eastM: Double, northM: Double = 0) -> Coordinate {
    plane.coordinate(PlanePoint(eastM: eastM, northM: northM))
  }

  static func eastM(_ place: Coordinate) -> Double { plane.point(place).eastM }
}

/// Noon on a day in June, `seconds` later.
func at(_ seconds: Double) -> Instant { Instant(seconds: 1_781_956_800 + seconds) }

func location(
  _ eastM: Double, northM: Double = 0, speedMps: Double = 10, seconds: Double
) -> Scene.Event {
  .location(
    SceneLocation(
      place: Road.place(eastM, northM: northM), bearingDeg: 90, speedMps: speedMps,
      at: at(seconds), isEstimated: false))
}

func progress(
  _ offsetM: Double, speedMps: Double = 10, seconds: Double, route: String = "r-1",
  maneuverM: Double? = nil, isOnRoute: Bool = true
) -> Scene.Event {
  .progress(
    SceneProgress(
      routeID: route, shapeIndex: Int(offsetM / 100),
      shapeFraction: offsetM / 100 - Double(Int(offsetM / 100)),
      speedMps: speedMps, at: at(seconds), isOnRoute: isOnRoute, remainingM: 2000 - offsetM,
      remainingS: (2000 - offsetM) / 10, arrivesAt: at(200), maneuverIndex: 1,
      maneuverRemainingM: maneuverM ?? 2000 - offsetM, speedLimitMps: 13.9))
}

extension Scene {
  /// The last view that an event brought about; nil where it brought about none.
  mutating func view(_ event: Event) -> SceneView? {
    var last: SceneView?
    for case .view(let view) in handle(event) { last = view }
    return last
  }

  /// The view that an event must bring about.
  mutating func shown(_ event: Event) throws -> SceneView {
    let view = view(event)
    return try #require(view)
  }
}
