import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import RoadGraph
import Route
import Testing

/// Positions that the vehicle did not drive to are no evidence of a departure (PR-7).
@Suite struct JumpTests {
  private func doubts(_ places: [(eastM: Double, northM: Double)], everyS: Double = 1) -> [Bool] {
    var watch = JumpDetector()
    return places.enumerated().map { number, at in
      watch.saw(place(at.eastM, north: at.northM), at: Instant(seconds: Double(number) * everyS))
    }
  }

  @Test(arguments: [55.0, 90, 600, 100_000])
  func `a receiver that leaps aside is in doubt until it leaps back, PR-7`(awayM: Double) {
    var places: [(eastM: Double, northM: Double)] = []
    for step in 0..<60 {
      places.append((Double(step) * 14, (20..<40).contains(step) ? awayM : Double(step % 3)))
    }
    let doubts = doubts(places)
    #expect(doubts.indices.allSatisfy { doubts[$0] == (20..<40).contains($0) })
  }

  @Test func `one far fix leaves no doubt behind, PR-7`() {
    let doubts = doubts((0..<40).map { (eastM: Double($0) * 14, northM: $0 == 20 ? 5000.0 : 0.0) })
    #expect(doubts.indices.filter { doubts[$0] } == [20])
  }

  @Test func `a turn is no leap, nor is the noise of a poor receiver, PR-7`() {
    var turn: [(eastM: Double, northM: Double)] = []
    for step in 0..<40 {
      let metres = Double(step) * 14
      turn.append(step < 20 ? (metres, 0) : (266, metres - 266))
    }
    #expect(!doubts(turn).contains(true))
    var noisy: [(eastM: Double, northM: Double)] = []
    var state: UInt64 = 1
    func error() -> Double {
      state = (state &* 1_103_515_245 &+ 12_345) % 2_147_483_648
      return Double(state / 65_536 % 41) - 20
    }
    for step in 0..<200 { noisy.append((Double(step) * 14 + error(), error())) }
    #expect(!doubts(noisy).contains(true))
  }

  @Test func `a doubt ends after half a minute, PR-7`() {
    let doubts = doubts((0..<80).map { (eastM: Double($0) * 14, northM: $0 < 20 ? 0.0 : 90.0) })
    #expect(doubts[20..<49].allSatisfy { $0 } && !doubts[50...].contains(true))
  }

  @Test func `a fix that the matcher did not use is no departure, PR-7`() {
    var drive = Following(drawn("abcdefghij"))
    for second in 0..<8 {
      drive.sees(on(drawn("abcdefghij"), second / 10, Double(second) * 10, t: Double(second)))
    }
    for second in 8..<70 {
      var sighting = VehicleLocation(
        time: Instant(seconds: Double(second)), match: nil, raw: place(0, north: 90_000))
      sighting.isUnused = true
      let said = drive.sees(sighting)
      #expect(!said.contains { if case .deviation = $0 { true } else { false } })
    }
  }
}
