import Cartography
import Geodesy
import Messages

/// Draws the route: the driven part and the rest with outlines, its traffic, the arrow of the next maneuver,
/// and its stops.
struct RoutePainter {
  let style: StyleSheet
  let canvas: Canvas
  let view: MapView
  let drawn: DrawnRoute
  let frame: SceneFrame

  private var projection: ScreenProjection { view.projection }

  /// A width that grows with the zoom, as the page draws it.
  private func width(_ stops: [(zoom: Double, px: Double)]) -> Double {
    let stops = stops.map {
      StyleExpression.Stop(input: $0.zoom, output: .literal(.number($0.px)))
    }
    return StyleExpression.interpolate(base: 1.4, .zoom, stops)
      .value(zoom: projection.zoom, [:]).number ?? 1
  }

  private var fill: Double { width([(9, 3), (14, 6), (16, 10), (18, 22)]) }
  private var edge: Double { width([(9, 5), (14, 9), (16, 14.5), (18, 29)]) }
  private var slim: Double { width([(9, 2.5), (14, 5), (18, 14)]) }

  /// Metres that are driven.
  private var drivenM: Double {
    drawn.offsetM(shapeIndex: frame.eatUpShapeIndex, fraction: frame.eatUpShapeFraction)
  }

  private func stroke(_ points: [MapPoint], _ width: Double, _ colour: String) {
    var outline = LineOutline()
    for line in view.lines(points) { outline.add(line, widthPx: width, hasRoundEnds: true) }
    canvas.fill(outline, Paint(style[colour]), projection)
  }

  /// Draws the lines, below the names of the map.
  func drawLines() {
    let length = drawn.line.lengthM
    let driven = frame.routeId == drawn.route.id ? drivenM : 0
    let behind = drawn.part(fromM: 0, toM: driven)
    let ahead = drawn.part(fromM: driven, toM: length)
    stroke(behind, edge, RouteColour.behind.edge)
    stroke(behind, fill, RouteColour.behind.rawValue)
    stroke(ahead, edge, RouteColour.ahead.edge)
    let stretches = drawn.stretches(fromM: driven, showsTraffic: true)
    // From the end on, so that the round end of a stretch lies on the next one.
    for (index, stretch) in stretches.enumerated().reversed() {
      let from = index == 0 ? driven : stretches[index - 1].toM
      stroke(drawn.part(fromM: from, toM: stretch.toM), fill, stretch.colour)
    }
    drawOffRoad()
    drawArrow()
  }

  private func drawOffRoad() {
    let route = drawn.route
    guard let latitude = route.offRoadLatDeg, let longitude = route.offRoadLonDeg,
      let last = drawn.points.last
    else { return }
    let end = MapPoint(Coordinate(latitudeDeg: latitude, longitudeDeg: longitude))
    var outline = LineOutline()
    for line in view.lines([last, end]) {
      for dash in LineOutline.dashes(line, pattern: [0.4 * slim, 2 * slim]) {
        outline.add(dash, widthPx: slim, hasRoundEnds: true)
      }
    }
    canvas.fill(outline, Paint(style["off-road"]), projection)
  }

  private static let beforeM = 28.0
  private static let afterM = 32.0

  /// Draws the arrow of the next maneuver on the road.
  private func drawArrow() {
    guard let index = frame.panel?.maneuverIndex.map({ Int(clamping: $0) }),
      drawn.route.maneuvers.indices.contains(index), projection.zoom >= 13
    else { return }
    let maneuver = drawn.route.maneuvers[index]
    guard maneuver.action != .arrive, maneuver.action != .depart else { return }
    let after =
      maneuver.action == .roundabout ? min(maneuver.lengthM, 90) : Self.afterM
    let end = min(maneuver.offsetM + after, drawn.line.lengthM)
    let shaft = drawn.part(fromM: max(maneuver.offsetM - Self.beforeM, 0), toM: end)
    guard let tip = drawn.part(fromM: max(end - 6, 0), toM: end).last,
      let back = drawn.part(fromM: max(end - 6, 0), toM: end).first
    else { return }
    stroke(shaft, width([(14, 8), (18, 18)]), "arrow-edge")
    let (a, b) = (projection.ground(back), projection.ground(tip))
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = max((dx * dx + dy * dy).squareRoot(), 1e-9)
    let size = 32 * width([(14, 0.6), (16, 0.8), (18, 1.1)]) / 64
    // The head of the page's picture, with its middle a little before the tip.
    let head = [(0.0, 32.0), (26.0, -14.0), (0.0, -4.0), (-26.0, -14.0)].map { right, up in
      GroundPoint(
        x: b.x + (dx * up + dy * right) / length * size,
        y: b.y + (dy * up - dx * right) / length * size)
    }
    guard head.allSatisfy({ view.ahead.contains($0.y) }) else { return }
    var rim = LineOutline()
    rim.add(head + [head[0], head[1]], widthPx: 8 * size, hasRoundEnds: true)
    canvas.fill(rim, Paint(style["arrow-edge"]), projection)
    stroke(shaft, width([(14, 5), (18, 11)]), "arrow")
    canvas.beginPath()
    canvas.addPolygon(head.map { projection.screen($0) })
    canvas.fillPath(Paint(style["arrow"]))
  }

  /// Draws the stops and the destination, above the names of the map.
  func drawStops() {
    let places = drawn.route.waypoints.dropFirst()
    for (index, waypoint) in places.enumerated() {
      let isLast = index == places.count - 1
      var place = Coordinate(
        latitudeDeg: waypoint.matchedLatDeg, longitudeDeg: waypoint.matchedLonDeg)
      if isLast, let latitude = drawn.route.offRoadLatDeg,
        let longitude = drawn.route.offRoadLonDeg
      {
        place = Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
      }
      let ground = projection.ground(place)
      guard view.ahead.contains(ground.y) else { continue }
      let point = projection.screen(ground)
      if isLast { drawPin(point) } else { drawStop(point) }
    }
  }

  private func drawPin(_ point: ScreenPoint) {
    let path = VectorPath(svg: "M32 80C32 80 60 50 60 31A28 28 0 1 0 4 31C4 50 32 80 32 80Z")
    let hole = VectorPath.circle(ScreenPoint(x: 32, y: 31), radius: 11)
    let pin = Icon(
      width: 64, height: 84,
      [
        .init(path, .fill, colour: style["ahead"]),
        .init(path, .stroke(width: 4), colour: style["ahead-edge"]),
        .init(hole, .fill, colour: "#ffffff"),
      ])
    canvas.draw(pin, x: point.x - 16, y: point.y - 41, width: 32, height: 42, .white)
  }

  private func drawStop(_ point: ScreenPoint) {
    let dot = VectorPath.circle(point, radius: 6.5)
    canvas.fill(dot, .white)
    canvas.stroke(dot, Paint(style["ahead-edge"]), width: 3)
  }
}
