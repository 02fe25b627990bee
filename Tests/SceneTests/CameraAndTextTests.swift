import Foundations
import Geodesy
import Scene
import Testing

@Suite struct CameraTests {
  @Test func `the indicator stands at (0.5, 0.775), RN-2`() throws {
    var scene = Scene()
    let view = try scene.shown(location(0, seconds: 0))
    #expect(view.anchorX == 0.5)
    #expect(view.anchorY == 0.775)
    #expect(view.camera.place == view.indicator.place)
    #expect(abs(view.camera.bearingDeg - 90) < 0.1)
  }

  @Test func `north up looks straight down, RN-2`() throws {
    var presentation = ScenePresentation()
    presentation.camera.isNorthUp = true
    var scene = Scene(presentation: presentation)
    let camera = try scene.shown(location(0, seconds: 0)).camera
    #expect(camera.bearingDeg == 0)
    #expect(camera.tiltDeg == 0)
  }

  @Test func `the dynamic camera comes closer before a maneuver, RN-2`() {
    let tuning = SceneTuning()
    func ahead(_ maneuverM: Double?) -> Double {
      CameraRules.viewAheadM(speedMps: 27, maneuverRemainingM: maneuverM, tuning: tuning)
    }
    #expect(ahead(nil) == 27 * tuning.viewAheadS)
    #expect(ahead(5000) == ahead(nil))
    #expect(ahead(200) < ahead(nil))
    #expect(ahead(10) == tuning.viewAheadM.lowerBound)
  }

  @Test func `the speed-based camera opens with speed and does not mind maneuvers, RN-2`() throws {
    func zoom(_ speedMps: Double, maneuverM: Double) throws -> Double {
      var presentation = ScenePresentation()
      presentation.camera.behaviour = .speedBased
      var scene = Scene(presentation: presentation)
      _ = scene.handle(.route(Road.route))
      _ = scene.handle(location(100, speedMps: speedMps, seconds: 0))
      return try scene.shown(progress(100, speedMps: speedMps, seconds: 0, maneuverM: maneuverM))
        .camera.zoom
    }
    #expect(try zoom(30, maneuverM: 900) < zoom(8, maneuverM: 900))
    #expect(try zoom(30, maneuverM: 20) == zoom(30, maneuverM: 900))
  }

  @Test func `the fixed camera keeps its zoom, RN-2`() throws {
    var presentation = ScenePresentation()
    presentation.camera.behaviour = .fixed
    presentation.camera.fixedZoom = 14.25
    var scene = Scene(presentation: presentation)
    let view1 = try scene.shown(location(0, speedMps: 33, seconds: 0))
    #expect(view1.camera.zoom == 14.25)
  }

  @Test func `a zoom shows as many metres as it was asked for`() {
    // At zoom 16 a pixel of the equator is 40075016.686 / (512 * 2^16) = 1.1943 m.
    let zoom = CameraRules.zoom(aheadM: 1194.3, pixels: 1000, latitudeDeg: 0)
    #expect(abs(zoom - 16) < 0.001)
  }
}

@Suite struct DistanceTextTests {
  @Test(arguments: [
    (0.0, "0 m"), (4.9, "0 m"), (14.9, "10 m"), (312.5, "300 m"), (95, "100 m"), (974, "950 m"),
    (976, "1.0 km"), (1249, "1.2 km"), (9_940, "9.9 km"), (9_960, "10 km"), (123_456, "123 km"),
    (-5, "0 m"), (.infinity, "0 m"),
  ])
  func `metres are printed as people read them`(metres: Double, text: String) {
    #expect(DistanceUnits.metric.text(metres) == text)
  }

  @Test(arguments: [
    (DistanceUnits.imperialUS, 45.72, "150 ft"), (.imperialUS, 804.672, "0.5 mi"),
    (.imperialUK, 182.88, "200 yd"), (.imperialUK, 24_140.16, "15 mi"),
  ])
  func `miles, feet and yards too`(units: DistanceUnits, metres: Double, text: String) {
    #expect(units.text(metres) == text)
  }
}

@Suite struct SunTests {
  /// Solar noon and midnight by the almanac: elevation is 90 - |latitude - declination| at noon.
  @Test(arguments: [
    // June solstice 2026, near solar noon at Greenwich: declination 23.44.
    (51.48, 0.0, 1_782_043_320.0, 61.96),
    // The same at midnight: -(90 - 51.48 - 23.44).
    (51.48, 0.0, 1_782_000_120.0, -15.08),
    // March equinox 2026, noon on the equator, 7.5 minutes after 12.
    (0.0, 0.0, 1_774_008_450.0, 90.0),
  ])
  func `the sun stands where the almanac says`(
    latitude: Double, longitude: Double, seconds: Double, elevation: Double
  ) {
    let place = Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
    let found = Sun.elevationDeg(at: place, when: Instant(seconds: seconds))
    #expect(abs(found - elevation) < 0.8)
  }
}
