import DrawnRoutes
import Foundations
import Guidance
import Route
import Testing

/// The pace of a driver, and what it does to the ETA.
@Suite struct PaceTests {
  private func drive(
    _ pace: inout DrivingPace, from: Int, seconds: Int, speedMps: Double?, usualMps: Double?
  ) {
    for second in from..<(from + seconds) {
      pace.moved(
        at: Instant(seconds: Double(second)), speedMps: speedMps, usualMps: usualMps)
    }
  }

  @Test func `a slow driver's pace is learned within minutes, a usual one's stays, PR-15`() {
    var slow = DrivingPace()
    #expect(slow.ratio == 1)
    drive(&slow, from: 0, seconds: 300, speedMps: 8, usualMps: 10)
    #expect((1.19...1.25).contains(slow.ratio))
    drive(&slow, from: 300, seconds: 1200, speedMps: 8, usualMps: 10)
    #expect(abs(slow.ratio - 1.25) < 0.02)
    // Who drives faster from there on is believed after a quarter of an hour.
    drive(&slow, from: 1500, seconds: 1800, speedMps: 10, usualMps: 10)
    #expect(slow.ratio < 1.05)
    var usual = DrivingPace()
    drive(&usual, from: 0, seconds: 3600, speedMps: 10, usualMps: 10)
    #expect(usual.ratio == 1)
  }

  @Test func `standing, braking, jams and gaps teach nothing, PR-15`() {
    var pace = DrivingPace()
    drive(&pace, from: 0, seconds: 100, speedMps: 0, usualMps: 10)
    drive(&pace, from: 100, seconds: 100, speedMps: 3, usualMps: 10)
    drive(&pace, from: 200, seconds: 100, speedMps: 7, usualMps: nil)
    drive(&pace, from: 300, seconds: 100, speedMps: nil, usualMps: 10)
    for second in 0..<100 {
      let speedMps = second.isMultiple(of: 2) ? 7.0 : 8
      pace.moved(at: Instant(seconds: Double(400 + second)), speedMps: speedMps, usualMps: 10)
    }
    for step in 0..<100 {
      pace.moved(at: Instant(seconds: Double(600 + step * 30)), speedMps: 8, usualMps: 10)
    }
    // Time that stands or goes back is no time.
    pace.moved(at: Instant(seconds: 3570), speedMps: 8, usualMps: 10)
    pace.moved(at: Instant(seconds: 3000), speedMps: 8, usualMps: 10)
    #expect(pace.ratio == 1)
  }
}
