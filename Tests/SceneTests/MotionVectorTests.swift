import Foundation
import Foundations
import Geodesy
import Scene
import Testing

/// The algorithm of `IndicatorMotion`, compared with the vectors that the page's `motion.js` replays, too.
@Suite struct MotionVectorTests {
  static let file = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Page/motion-vectors.json")

  struct Shown: Codable, Equatable {
    var lat: Double
    var lon: Double
    var bearing: Double
    var offset: Double?
  }

  struct Fix: Codable {
    var at: Double
    var now: Double
    var lat: Double
    var lon: Double
    var bearing: Double?
    var speed: Double?
    var offset: Double?
  }

  struct Step: Codable {
    /// Latitude and longitude of each point; empty for no line.
    var follow: [[Double]]?
    var fix: Fix?
    var frames: [Double]?
    var shown: Shown?
  }

  struct Case: Codable {
    var name: String
    var steps: [Step]
  }

  static func instant(_ seconds: Double) -> Instant {
    Instant(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  static func shown(_ motion: IndicatorMotion) -> Shown? {
    motion.place.map {
      Shown(
        lat: $0.latitudeDeg, lon: $0.longitudeDeg, bearing: motion.bearingDeg,
        offset: motion.offsetM)
    }
  }

  /// Replays a drive; `frame` gets the motion at each time, and whether it is a fix.
  static func replay(
    _ drive: MotionCase, frame: (Double, IndicatorMotion) -> Void = { _, _ in }
  ) -> Case {
    var motion = IndicatorMotion(tuning: SceneTuning())
    var result = Case(name: drive.name, steps: [])
    for step in drive.steps {
      switch step {
      case .follow(let points):
        motion.follow(points.map(Polyline.init))
        result.steps.append(
          Step(follow: (points ?? []).map { [$0.latitudeDeg, $0.longitudeDeg] }))
      case .fix(let fix):
        motion.record(
          fix.place, bearingDeg: fix.bearingDeg, speedMps: fix.speedMps, offsetM: fix.offsetM,
          at: instant(fix.at), now: instant(fix.now ?? fix.at))
        result.steps.append(
          Step(
            fix: Fix(
              at: fix.at, now: fix.now ?? fix.at, lat: fix.place.latitudeDeg,
              lon: fix.place.longitudeDeg, bearing: fix.bearingDeg, speed: fix.speedMps,
              offset: fix.offsetM), shown: shown(motion)))
        frame(fix.now ?? fix.at, motion)
      case .frames(let times):
        for time in times {
          motion.advance(to: instant(time))
          frame(time, motion)
        }
        result.steps.append(Step(frames: times, shown: shown(motion)))
      }
    }
    return result
  }

  /// One line per step, so that a change is readable.
  static func text(_ cases: [Case]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let texts = try cases.map { one in
      let steps = try one.steps.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
      return "{\"name\":\"\(one.name)\",\"steps\":[\n\(steps.joined(separator: ",\n"))\n]}"
    }
    return "[\n\(texts.joined(separator: ",\n"))\n]\n"
  }

  @Test func `the vectors are what this algorithm shows, RN-1`() throws {
    let cases = MotionCase.all.map { Self.replay($0) }
    if ProcessInfo.processInfo.environment["NAV_WRITE_DOCS"] == "1" {
      try Self.text(cases).write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let stored = try JSONDecoder().decode([Case].self, from: Data(contentsOf: Self.file))
    let howTo: Comment =
      "run NAV_WRITE_DOCS=1 swift test --filter MotionVectorTests, and Tests/Page must agree"
    #expect(stored.map(\.name) == cases.map(\.name), howTo)
    for (old, new) in zip(stored, cases) {
      #expect(old.steps.count == new.steps.count, howTo)
      for (index, (was, now)) in zip(old.steps, new.steps).enumerated() {
        #expect(was.frames == now.frames, howTo)
        guard let was = was.shown, let now = now.shown else {
          #expect(was.shown == now.shown)
          continue
        }
        #expect(Self.differ(was, now) < 1e-6, "\(old.name), step \(index): \(was) \(now)")
      }
    }
  }

  /// The largest difference of two positions, in metres and degrees.
  static func differ(_ a: Shown, _ b: Shown) -> Double {
    let places = LocalPlane(origin: Coordinate(latitudeDeg: a.lat, longitudeDeg: a.lon))
      .point(Coordinate(latitudeDeg: b.lat, longitudeDeg: b.lon))
    guard (a.offset == nil) == (b.offset == nil) else { return .infinity }
    return max(
      places.distanceM(to: PlanePoint(eastM: 0, northM: 0)),
      Angle.differenceDeg(a.bearing, b.bearing), ((a.offset ?? 0) - (b.offset ?? 0)).magnitude)
  }

  @Test func `what is shown does not depend on the frame rate, RN-1, RN-6`() throws {
    func results(_ rate: FrameRate) -> [Shown?] {
      Self.replay(MotionCase.noisy(rate)).steps.map(\.shown)
    }
    let expected = results(.hz(60))
    #expect(expected.count > 20)
    for rate in [FrameRate.hz(1), .hz(4), .hz(10), .hz(30), .hz(144), .irregular] {
      for (one, other) in zip(results(rate), expected) {
        guard let one, let other else {
          #expect(one == other)
          continue
        }
        #expect(Self.differ(one, other) < 1e-6)
      }
    }
  }

  @Test(arguments: MotionCase.all.filter { $0.limitMps != nil }.map(\.name))
  func `it never moves faster than the vehicle can, and turns gradually, RN-1`(name: String) throws
  {
    let drive = try #require(MotionCase.all.first { $0.name == name })
    // The speed of the vehicle, and as much again to correct an error.
    let limitMps = 2 * max(try #require(drive.limitMps), 3)
    var last: (time: Double, place: Coordinate, bearingDeg: Double)?
    _ = Self.replay(drive) { time, motion in
      guard let place = motion.place else { return }
      if let last {
        let metres = last.place.distanceM(to: place)
        let seconds = time - last.time
        #expect(metres <= limitMps * seconds + 0.01, "\(metres) m in \(seconds) s at \(time)")
        let turn = Angle.differenceDeg(motion.bearingDeg, last.bearingDeg)
        #expect(turn <= 120 * seconds + 0.01, "\(turn) degrees in \(seconds) s at \(time)")
      }
      last = (time, place, motion.bearingDeg)
    }
    #expect(last != nil)
  }

  @Test func `a reroute turns the indicator over several frames, RN-1`() {
    var turns: [Double] = []
    var last: Double?
    _ = Self.replay(MotionCase.reroute) { _, motion in
      if let last { turns.append(Angle.differenceDeg(last, motion.bearingDeg)) }
      last = motion.bearingDeg
    }
    #expect((turns.max() ?? 180) < 4.1, "at 30 frames a second")
    #expect(turns.reduce(0, +) > 60, "it does turn")
  }

  @Test func `it does not move back while the vehicle drives, RN-1`() {
    var offsets: [Double] = []
    _ = Self.replay(MotionCase.noisy(.hz(60))) { _, motion in
      if let offset = motion.offsetM { offsets.append(offset) }
    }
    #expect(offsets.count > 100)
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $1 >= $0 - 1e-9 })
  }
}
