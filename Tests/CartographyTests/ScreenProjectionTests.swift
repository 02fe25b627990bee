import Foundation
import Geodesy
import Testing

@testable import Cartography

@Suite struct ScreenProjectionTests {
  private func view(tilt: Double, bearing: Double = 30, zoom: Double = 16) -> ScreenProjection {
    ScreenProjection(
      center: Coordinate(latitudeDeg: 47, longitudeDeg: 8), zoom: zoom, tiltDeg: tilt,
      bearingDeg: bearing, width: 1280, height: 720, anchor: ScreenPoint(x: 640, y: 558))
  }

  @Test(arguments: [0.0, 30, 50, 70])
  func `the camera looks at its place, and places ahead are above it, RN-5`(tilt: Double) {
    let view = view(tilt: tilt)
    let middle = view.screen(view.ground(view.center))
    #expect(hypot(middle.x - 640, middle.y - 558) < 1e-6)
    let ahead = view.center.moved(bearingDeg: 30, distanceM: 200)
    let point = view.screen(view.ground(ahead))
    #expect((point.x - 640).magnitude < 1)
    #expect(point.y < 558)
  }

  @Test func `a metre has the same length in all directions, looking straight down, RN-5`() {
    let view = view(tilt: 0)
    for bearing in stride(from: 0.0, to: 360, by: 45) {
      let place = view.center.moved(bearingDeg: bearing, distanceM: 100)
      let point = view.screen(view.ground(place))
      let length = hypot(point.x - 640, point.y - 558)
      #expect((length / (100 * view.pixelsPerMetre) - 1).magnitude < 0.005)
    }
  }

  @Test func `points go to the map and back, and heights rise, RN-5`() {
    let view = view(tilt: 50)
    let ground = GroundPoint(x: 120, y: 340)
    let back = view.ground(view.map(ground))
    #expect(hypot(back.x - ground.x, back.y - ground.y) < 1e-3)
    #expect(view.screen(ground, upPx: 40).y < view.screen(ground).y)
  }

  @Test func `the visible ground fills the picture, RN-5`() throws {
    for tilt in [0.0, 50, 70] {
      let view = view(tilt: tilt)
      let corners = view.visibleGround.map { view.screen($0) }
      let range = view.visibleAheadPx
      #expect(corners.allSatisfy { ($0.x - 0).magnitude < 1e-6 || ($0.x - 1280).magnitude < 1e-6 })
      #expect(view.screen(GroundPoint(x: 0, y: range.lowerBound)).y > 720)
      if view.horizonY == nil {
        #expect(view.screen(GroundPoint(x: 0, y: range.upperBound)).y < 1e-6)
      }
    }
    // tan 70 deg of 1.5 heights is above the anchor, so a far camera sees the horizon.
    #expect(view(tilt: 50).horizonY == nil)
    #expect(try #require(view(tilt: 75).horizonY) > 0)
  }
}

@Suite struct LineOutlineTests {
  private func area(_ outline: LineOutline) -> [Double] {
    var start = 0
    return outline.ends.map { end in
      let ring = Array(outline.points[start..<end])
      start = end
      return zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
        $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) / 2
      }
    }
  }

  @Test func `all parts of an outline turn the same way, so that none cuts a hole, RN-5`() {
    for bend in stride(from: -170.0, through: 170, by: 20) {
      let a = bend * .pi / 180
      let line = [
        GroundPoint(x: 0, y: 0), GroundPoint(x: 0, y: 50),
        GroundPoint(x: 50 * sin(a), y: 50 + 50 * cos(a)),
      ]
      var outline = LineOutline()
      outline.add(line, widthPx: 10, hasRoundEnds: true)
      let areas = area(outline)
      #expect(areas.allSatisfy { $0 > 0 })
      #expect(areas.reduce(0, +) > 2 * 500)
    }
  }

  @Test func `dashes have their lengths, and gaps between them, RN-5`() {
    let line = [GroundPoint(x: 0, y: 0), GroundPoint(x: 0, y: 7), GroundPoint(x: 0, y: 30)]
    let dashes = LineOutline.dashes(line, pattern: [4, 6])
    #expect(dashes.map { [$0.first?.y, $0.last?.y] } == [[0, 4], [10, 14], [20, 24]])
  }

  @Test func `lines and areas end where the view does, RN-5`() {
    let line = [GroundPoint(x: 0, y: -10), GroundPoint(x: 0, y: 10), GroundPoint(x: 8, y: -10)]
    let parts = LineOutline.clipped(line, aheadPx: 0...5)
    #expect(parts.map { $0.map(\.y) } == [[0, 5], [5, 0]])
    let ring = [
      GroundPoint(x: 0, y: -1), GroundPoint(x: 2, y: -1), GroundPoint(x: 2, y: 1),
      GroundPoint(x: 0, y: 1),
    ]
    #expect(LineOutline.clippedRing(ring, aheadPx: 0...9).map(\.y).min() == 0)
    #expect(LineOutline.clippedRing(ring, aheadPx: 3...9).isEmpty)
  }
}

@Suite struct IconTests {
  @Test func `an arc ends at its end, and a circle is round, RN-5`() {
    let path = VectorPath(svg: "M10 0A10 10 0 0 1 0 10")
    guard case .curve(_, _, let end)? = path.steps.last else {
      Issue.record("the arc is missing")
      return
    }
    #expect(end == ScreenPoint(x: 0, y: 10))
    let relative = VectorPath(svg: "M5 4h9v16H5zm2-2l.5-.5")
    #expect(relative.steps.count == 7)
    for case .curve(_, _, let point) in VectorPath.circle(ScreenPoint(x: 3, y: 4), radius: 2).steps
    {
      #expect((hypot(point.x - 3, point.y - 4) - 2).magnitude < 1e-9)
    }
  }

  @Test(arguments: [(180.0, 0.0), (90, 90), (270, -90), (-90, -90)])
  func `the arrow of a roundabout leaves where the road does, RN-5`(driven: Double, turn: Double) {
    let icon = ManeuverSymbol(action: .roundabout, roundaboutDeg: driven, exitCount: 2).icon
    guard case .line(let tip)? = icon.shapes[1].path.steps.last else {
      Issue.record("the arrow is missing")
      return
    }
    let angle = atan2(tip.x - 36, 33 - tip.y) * 180 / .pi
    #expect((angle - turn).magnitude < 1e-6)
    #expect(icon.caption?.text == "2")
  }

  @Test func `each maneuver and each kind of place has a picture, RN-5`() {
    let actions: [ManeuverSymbol.Action] = [
      .depart, .arrive, .continue, .turn, .uTurn, .fork, .exit, .ramp, .merge, .roundabout, .ferry,
    ]
    for action in actions {
      #expect(!ManeuverSymbol(action: action, turnDeg: 90, side: -1).icon.shapes.isEmpty)
    }
    let styles = ["tracking", "car", "truck", "bus", "scooter", "bicycle", "pedestrian", "grey"]
    #expect(Set(styles.map { IndicatorIcon.icon(style: $0) }).count == styles.count)
    #expect(PlaceIcon.icon(category: "fuel") != nil)
    #expect(PlaceIcon.icon(category: "nothing") == nil)
    let lane = LaneSymbol(
      directions: ["left", "through"], active: "left", isUsed: true, isBest: false,
      access: ["bus", "psv"])
    #expect(lane.mark == "BUS")
    // The arrow to follow is lit and lies on top.
    #expect(lane.icon.shapes.map(\.opacity) == [0.34, 0.34, 1, 1])
  }
}
