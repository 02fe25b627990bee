import Foundations
import Geodesy
import Scene
import Testing

@Suite struct SceneTests {
  @Test func `without a location nothing is shown`() {
    var scene = Scene()
    #expect(scene.handle(.route(Road.route)).isEmpty)
    #expect(scene.handle(.tick(at(0))).isEmpty)
  }

  @Test func `without a route the indicator stands where the location is, and the style says so`()
    throws
  {
    var scene = Scene()
    let view = try scene.shown(location(40, northM: 7, seconds: 0))
    #expect(view.indicator.place.distanceM(to: Road.place(40, northM: 7)) < 0.01)
    #expect(view.indicator.style == .tracking)
    #expect(view.eatUp == nil)
    #expect(view.camera.behaviour == .speedBased)
    #expect(view.panel.maneuverIndex == nil)
    #expect(view.panel.speedMps == 10)
  }

  @Test func `on a route the indicator stands on it, RN-1`() throws {
    var scene = Scene()
    _ = scene.handle(.route(Road.route))
    _ = scene.handle(location(450, northM: 12, seconds: 0))
    let view = try scene.shown(progress(450, seconds: 0))
    #expect(view.indicator.place.distanceM(to: Road.place(450)) < 0.5)
    #expect(view.indicator.style == .car)
    let eatUp = try #require(view.eatUp)
    #expect(eatUp.shapeIndex == 4)
    #expect(abs(eatUp.shapeFraction - 0.5) < 0.02)
    #expect(view.panel.maneuverDistanceText == "1.6 km")
  }

  @Test func `while guided, a location waits for its progress`() {
    var scene = Scene()
    _ = scene.handle(.route(Road.route))
    _ = scene.handle(location(100, seconds: 0))
    _ = scene.handle(progress(100, seconds: 0))
    #expect(scene.handle(location(110, northM: 20, seconds: 1)).isEmpty)
    #expect(scene.handle(progress(110, seconds: 1)).count == 1)
  }

  @Test func `without a navigator, locations are shown again from the second on`() throws {
    var scene = Scene()
    _ = scene.handle(.route(Road.route))
    _ = scene.handle(location(100, seconds: 0))
    _ = scene.handle(progress(100, seconds: 0))
    _ = scene.handle(location(110, seconds: 1))
    let view = scene.view(location(120, seconds: 2))
    #expect(view != nil)
  }

  @Test func `off the route the indicator is where the vehicle is, and what is eaten up stays`()
    throws
  {
    var scene = Scene()
    _ = scene.handle(.route(Road.route))
    _ = scene.handle(location(300, seconds: 0))
    _ = scene.handle(progress(300, seconds: 0))
    _ = scene.handle(location(310, northM: 60, seconds: 1))
    _ = scene.handle(.deviation)
    var view: SceneView?
    for second in 2...6 {
      view = scene.view(
        location(310 + Double(second), northM: 60, speedMps: 1, seconds: Double(second)))
    }
    let last = try #require(view)
    #expect(abs(Road.plane.point(last.indicator.place).northM - 60) < 2)
    #expect(last.eatUp?.shapeIndex == 3)
  }

  @Test func `progress of another route is not shown`() {
    var scene = Scene()
    _ = scene.handle(.route(Road.route))
    _ = scene.handle(location(100, seconds: 0))
    #expect(scene.handle(progress(100, seconds: 0, route: "r-0")).isEmpty)
  }

  @Test func `lanes are shown for their own maneuver only, EV-6`() throws {
    var scene = Scene()
    _ = scene.handle(.route(Road.route))
    _ = scene.handle(location(100, seconds: 0))
    _ = scene.handle(progress(100, seconds: 0))
    let view1 = try scene.shown(.lanes(maneuver: 1))
    #expect(view1.panel.showsLanes)
    let view2 = try scene.shown(.lanes(maneuver: 2))
    #expect(view2.panel.showsLanes == false)
    let view3 = try scene.shown(.lanes(maneuver: nil))
    #expect(view3.panel.showsLanes == false)
  }

  @Test func `an old location turns the indicator grey, RN-7`() throws {
    var scene = Scene()
    _ = scene.handle(location(100, seconds: 0))
    let view4 = try scene.shown(.tick(at(2.5)))
    #expect(view4.indicator.style == .tracking)
    let view5 = try scene.shown(.tick(at(3)))
    #expect(view5.indicator.style == .grey)
    #expect(view5.panel.speedMps == nil && view5.panel.speedLimitMps == nil)
  }

  @Test func `a receiver with a long interval is waited for, but not for ever, RN-7`() throws {
    var scene = Scene()
    _ = scene.handle(location(100, seconds: 0))
    _ = scene.handle(location(200, seconds: 10))
    #expect(scene.lostAt == at(35))
    #expect(try scene.shown(.tick(at(34))).indicator.style == .tracking)
    #expect(try scene.shown(.tick(at(36))).indicator.style == .grey)
    _ = scene.handle(location(300, seconds: 510))
    #expect(scene.lostAt == at(570))
  }

  @Test func `extrapolated locations do not hide a lost receiver, except in a tunnel, RN-7, TU-2`()
    throws
  {
    func estimate(_ seconds: Double, isInTunnel: Bool) -> Scene.Event {
      .location(
        SceneLocation(
          place: Coordinate(latitudeDeg: 47, longitudeDeg: 9), bearingDeg: 90, speedMps: 10,
          at: at(seconds), isEstimated: true, isInTunnel: isInTunnel))
    }
    for isInTunnel in [false, true] {
      var scene = Scene()
      _ = scene.handle(location(100, seconds: 0))
      for second in 1...4 { _ = scene.handle(estimate(Double(second), isInTunnel: isInTunnel)) }
      let style = try scene.shown(estimate(5, isInTunnel: isInTunnel)).indicator.style
      #expect((style == .grey) == !isInTunnel)
    }
  }

  @Test func `an estimated position is marked, with its accuracy, until the next fix, RN-7, TU-2`()
    throws
  {
    func shown(_ seconds: Double, isEstimated: Bool, accuracyM: Double?) -> Scene.Event {
      .location(
        SceneLocation(
          place: Road.place(seconds * 10), bearingDeg: 90, speedMps: 10, at: at(seconds),
          isEstimated: isEstimated, isInTunnel: isEstimated, accuracyM: accuracyM))
    }
    var scene = Scene()
    let before = try scene.shown(shown(0, isEstimated: false, accuracyM: nil)).indicator
    #expect(!before.isEstimated && before.accuracyM == nil)
    let inside = try scene.shown(shown(1, isEstimated: true, accuracyM: 35)).indicator
    #expect(inside.isEstimated && inside.accuracyM == 35 && inside.style == .tracking)
    let after = try scene.shown(shown(2, isEstimated: false, accuracyM: 4)).indicator
    #expect(!after.isEstimated && after.accuracyM == 4)
  }

  @Test func `off the route the panel has no maneuver, RN-1`() throws {
    var scene = Scene()
    _ = scene.handle(.route(Road.route))
    _ = scene.handle(location(100, seconds: 0))
    let on = try scene.shown(progress(100, seconds: 0))
    #expect(on.panel.maneuverIndex != nil)
    let off = try scene.shown(.deviation)
    #expect(off.panel.maneuverIndex == nil && off.panel.maneuverDistanceText == nil)
    _ = scene.handle(location(110, seconds: 1))
    #expect(try scene.shown(progress(110, seconds: 1)).panel.maneuverIndex != nil)
  }

  @Test func `the end of guidance gives the tracking style back, RN-7`() throws {
    var scene = Scene()
    _ = scene.handle(.route(Road.route))
    _ = scene.handle(location(100, seconds: 0))
    _ = scene.handle(progress(100, seconds: 0))
    let view = try scene.shown(.route(nil))
    #expect(view.indicator.style == .tracking)
    #expect(view.routeID == nil)
    #expect(view.panel.maneuverIndex == nil)
  }

  @Test func `night comes with the sun, or by wish, RN-1`() throws {
    var scene = Scene()
    let view6 = try scene.shown(location(0, seconds: 0))
    #expect(view6.isNight == false)
    let view7 = try scene.shown(location(0, seconds: 12 * 3600))
    #expect(view7.isNight)
    var presentation = ScenePresentation()
    presentation.theme = .night
    scene = Scene(presentation: presentation)
    let view8 = try scene.shown(location(0, seconds: 0))
    #expect(view8.isNight)
  }

  @Test func `the same events give the same views`() {
    func run() -> [Scene.Output] {
      var scene = Scene()
      var outputs = scene.handle(.route(Road.route))
      for second in 0..<60 {
        outputs += scene.handle(location(Double(second) * 10, seconds: Double(second)))
        outputs += scene.handle(progress(Double(second) * 10, seconds: Double(second)))
        outputs += scene.handle(.tick(at(Double(second) + 0.5)))
      }
      return outputs
    }
    #expect(run() == run())
  }
}
