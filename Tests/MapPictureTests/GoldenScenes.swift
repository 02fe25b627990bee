import Cartography
import DemoTown
import Foundation
import Geodesy
import MapMaking
import MapPicture
import Messages
import RoadFile

/// Scenes in the demo town whose pictures are kept in the folder Golden.
enum GoldenScenes {
  struct Scene {
    var name: String
    var width: Int
    var height: Int
    var scene: PictureScene
  }

  /// The demo town as a map, built once.
  static let map: Result<String, any Error> = Result {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "pictures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let town = folder.appending(path: "town.osm")
    try Data(OSMXML.text(Town.osm(seed: 1)).utf8).write(to: town)
    return try RoadFile.build(
      from: [town.path], to: folder.appending(path: "town.navmap").path
    ).output
  }

  /// The template of the page's style.
  static let style = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Nodes/nav-renderer/page/style.json").path

  static func painter(width: Int, height: Int) throws -> ScenePainter {
    let template = try MapTemplate(path: style)
    return try ScenePainter(
      map: try PictureMap(path: try map.get()), day: try template.sheet("day"),
      night: try template.sheet("night"), width: width, height: height)
  }

  static let hall = Coordinate(latitudeDeg: 46.99941, longitudeDeg: -30.0002)

  static func frame(
    _ place: Coordinate, zoom: Double, tilt: Double = 0, bearing: Double = 0, night: Bool = false,
    anchorY: Double = 0.5
  ) -> SceneFrame {
    SceneFrame(
      cameraLatDeg: place.latitudeDeg, cameraLonDeg: place.longitudeDeg, cameraZoom: zoom,
      cameraTiltDeg: tilt, cameraBearingDeg: bearing, cameraMode: .free, anchorX: 0.5,
      anchorY: anchorY, night: night)
  }

  /// A route of two kilometres to the north east, half of it slow, with a turn at 900 m.
  static func route(action: WireManeuverAction = .turn) -> WireRoute {
    let turn = hall.moved(bearingDeg: 10, distanceM: 900)
    let end = turn.moved(bearingDeg: 100, distanceM: 1100)
    let onto = WireRoad(name: "East Avenue", number: "A13")
    func maneuver(
      _ action: WireManeuverAction, at offsetM: Double, shape: Int64, length: Double
    ) -> WireManeuver {
      var made = WireManeuver(
        action: action, latDeg: turn.latitudeDeg, lonDeg: turn.longitudeDeg, offsetM: offsetM,
        section: 0, segment: 0, shapeIndex: shape, bearingBeforeDeg: 10, bearingAfterDeg: 100,
        fromRoad: WireRoad(name: "Station Road"), ontoRoad: onto, lengthM: length, durationS: 60,
        text: "Turn right")
      if action == .turn { made.grade = .right }
      if action == .roundabout {
        made.exitCount = 3
        made.roundaboutAngleDeg = 270
      }
      return made
    }
    let shape = EncodedPolyline.encode([hall, turn, end])
    var spans = WireRouteSpans()
    spans.startM = [0, 900, 1400]
    spans.lengthM = [900, 500, 600]
    spans.jamFactor = [0, 5, 9]
    spans.durationLatestS = [60, 120, 200]
    spans.durationFreeFlowS = [60, 40, 40]
    var route = WireRoute(
      id: "r-1", request: WireRouteRequest(), lengthM: 2000, durationFreeFlowS: 140,
      durationTrafficS: 380, durationLatestS: 380, southDeg: 46.9, westDeg: -30.1, northDeg: 47.1,
      eastDeg: -29.9, shape: shape, segments: WireRouteSegments(), spans: spans,
      maneuvers: [
        maneuver(.depart, at: 0, shape: 0, length: 900),
        maneuver(action, at: 900, shape: 1, length: 200),
        maneuver(.arrive, at: 2000, shape: 2, length: 0),
      ], computedNs: 0)
    route.waypoints = [hall, end].map { place in
      WireRouteWaypoint(
        original: WireWaypoint(latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg),
        matchedLatDeg: place.latitudeDeg, matchedLonDeg: place.longitudeDeg, offsetM: 0,
        section: 0)
    }
    return route
  }

  /// The scene of a driver on that route.
  static func drive(
    drivenShare: Double = 0.4, night: Bool = false, action: WireManeuverAction = .turn,
    lanes: Bool = true
  ) -> PictureScene {
    let route = route(action: action)
    let place = hall.moved(bearingDeg: 10, distanceM: 900 * drivenShare)
    var frame = frame(
      place, zoom: 15.6, tilt: 50, bearing: 10, night: night, anchorY: 0.775)
    frame.indicatorLatDeg = place.latitudeDeg
    frame.indicatorLonDeg = place.longitudeDeg
    frame.indicatorBearingDeg = 10
    frame.indicatorStyle = .car
    frame.routeId = "r-1"
    frame.eatUpShapeIndex = 0
    frame.eatUpShapeFraction = drivenShare
    var panel = WireScenePanel()
    panel.maneuverIndex = 1
    panel.action = action
    panel.maneuverRemainingM = 540
    panel.maneuverDistanceText = "550 m"
    panel.nextRoad = route.maneuvers[1].ontoRoad
    panel.signpost = WireSignpost(exitNumber: "7", destinations: ["Harbour", "Old Town"])
    if lanes {
      panel.lanes = [
        WireLane(directions: ["left", "through"]), WireLane(directions: ["through"]),
        WireLane(
          directions: ["through", "right"], active: "right", recommendation: .recommended),
        WireLane(
          directions: ["right"], active: "right", recommendation: .highlyRecommended,
          access: ["bus"]),
      ]
    }
    panel.speedMps = 17
    panel.speedLimitMps = 50 / 3.6
    panel.remainingM = 2000 - 900 * drivenShare
    panel.remainingS = 320
    panel.etaNs = 1_780_308_000_000_000_000
    panel.etaUtcOffsetS = -7200
    frame.panel = panel
    var scene = PictureScene(frame: frame, route: DrawnRoute(route))
    scene.road = WireRoad(name: "Station Road")
    scene.isTooFast = true
    return scene
  }

  static var all: [Scene] {
    [
      Scene(
        name: "map-day", width: 480, height: 270, scene: PictureScene(frame: frame(hall, zoom: 14))
      ),
      Scene(
        name: "map-night-tilted", width: 480, height: 270,
        scene: PictureScene(
          frame: frame(hall, zoom: 15.8, tilt: 55, bearing: 60, night: true, anchorY: 0.7))),
      Scene(name: "drive-day", width: 640, height: 360, scene: drive()),
      Scene(
        name: "drive-night-upright", width: 270, height: 480,
        scene: drive(drivenShare: 0.7, night: true, action: .roundabout, lanes: false)),
    ]
  }
}
