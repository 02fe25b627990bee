import Foundations
import Geodesy
import Scene
import Testing

@Suite struct IndicatorMotionTests {
  /// Eastings of the indicator at `hz` from `from` to `to` seconds.
  func eastings(
    _ motion: inout IndicatorMotion, from: Double, to: Double, hz: Double
  ) -> [Double] {
    stride(from: from, to: to, by: 1 / hz).compactMap { second in
      motion.advance(to: at(second))
      return motion.place.map { Road.eastM($0) }
    }
  }

  @Test(arguments: [30.0, 60.0])
  func `between fixes of 1 Hz it moves a little in each frame, RN-1`(hz: Double) {
    var motion = IndicatorMotion(tuning: SceneTuning())
    motion.follow(Road.line)
    var path: [Double] = []
    for second in 0..<20 {
      let seconds = Double(second)
      // The fixes are up to 3 m off, to and fro.
      let error = second % 2 == 0 ? 3.0 : -3.0
      motion.record(
        Road.place(0), bearingDeg: nil, speedMps: 14, offsetM: 14 * seconds + error, at: at(seconds)
      )
      path += eastings(&motion, from: seconds, to: seconds + 1, hz: hz)
    }
    let steps = zip(path, path.dropFirst()).map { $1 - $0 }.dropFirst(Int(hz))
    // Never back, and never more than double the speed: at 14 m/s 0.47 m a frame of 30 Hz.
    #expect(steps.allSatisfy { $0 >= 0 })
    #expect(steps.allSatisfy { $0 < 2 * 14 / hz })
    #expect(abs((path.last ?? 0) - 14 * 20) < 6)
  }

  @Test func `what it shows does not depend on the frame rate`() throws {
    func place(hz: Double) throws -> Double {
      var motion = IndicatorMotion(tuning: SceneTuning())
      motion.follow(Road.line)
      motion.record(Road.place(0), bearingDeg: nil, speedMps: 10, offsetM: 0, at: at(0))
      _ = eastings(&motion, from: 0, to: 1, hz: hz)
      motion.record(Road.place(0), bearingDeg: nil, speedMps: 10, offsetM: 15, at: at(1))
      return try #require(eastings(&motion, from: 1, to: 2.001, hz: hz).last)
    }
    #expect(abs(try place(hz: 10) - place(hz: 100)) < 1)
  }

  @Test func `a braking vehicle is not carried past where it stops`() throws {
    var motion = IndicatorMotion(tuning: SceneTuning())
    motion.follow(Road.line)
    motion.record(Road.place(0), bearingDeg: nil, speedMps: 8, offsetM: 0, at: at(0))
    motion.record(Road.place(0), bearingDeg: nil, speedMps: 4, offsetM: 6, at: at(1))
    // Braking at 4 m/s2 it stops 2 m further on.
    let path = eastings(&motion, from: 1, to: 6, hz: 30)
    #expect(try #require(path.last) < 9)
    #expect(try #require(path.last) > 7)
  }

  @Test func `a jump is shown as one`() throws {
    var motion = IndicatorMotion(tuning: SceneTuning())
    motion.follow(Road.line)
    motion.record(Road.place(0), bearingDeg: nil, speedMps: 10, offsetM: 0, at: at(0))
    motion.record(Road.place(0), bearingDeg: nil, speedMps: 10, offsetM: 1500, at: at(1))
    #expect(abs(Road.eastM(try #require(motion.place)) - 1500) < 1)
  }

  @Test func `a location that stays away is carried on for five seconds only, TU-3`() throws {
    var motion = IndicatorMotion(tuning: SceneTuning())
    motion.record(Road.place(0), bearingDeg: 90, speedMps: 10, offsetM: nil, at: at(0))
    let path = eastings(&motion, from: 0, to: 60, hz: 10)
    #expect(abs(try #require(path.last) - 50) < 1)
  }

  @Test func `it ends with the route`() throws {
    var motion = IndicatorMotion(tuning: SceneTuning())
    motion.follow(Road.line)
    motion.record(Road.place(0), bearingDeg: nil, speedMps: 30, offsetM: 1990, at: at(0))
    let path = eastings(&motion, from: 0, to: 4, hz: 30)
    #expect(try #require(path.last) <= Road.eastM(try #require(Road.line.points.last)) + 0.1)
  }
}
