import Foundations
import Geodesy
import Testing

@testable import RoadAhead

/// Roads that are taken for straight without a closer look have no bend.
@Suite struct StraightRoadTests {
  /// A line of pieces of 3 to 60 m, each of which turns by up to `turnDeg` from the one before.
  private func line(turnDeg: Double, _ random: inout SplitMix64) -> [Coordinate] {
    var bearing = Double.random(in: 0..<360, using: &random)
    var points = [
      Coordinate(
        latitudeDeg: Double.random(in: -65...65, using: &random),
        longitudeDeg: Double.random(in: -179...179, using: &random))
    ]
    for _ in 0..<Int.random(in: 2...12, using: &random) {
      let lengthM = Double.random(in: 3...60, using: &random)
      points.append(points[points.count - 1].moved(bearingDeg: bearing, distanceM: lengthM))
      bearing += Double.random(in: -turnDeg...turnDeg, using: &random)
    }
    return points
  }

  @Test(arguments: [
    // A motorway's wide bend, drawn in long pieces, and one that is too tight for its limit.
    (600.0, 50.0, 120.0, false), (450, 60, 120, false), (150, 25, 120, true),
    (300, 30, 80, false), (60, 15, 80, true), (15, 5, 50, true), (60, 20, 50, false),
  ])
  func `the radius decides, not how finely a bend is drawn, EV-4`(
    radiusM: Double, pieceM: Double, limitKmh: Double, isSharp: Bool
  ) {
    var points = [Coordinate(latitudeDeg: 48, longitudeDeg: 9)]
    var bearingDeg = 0.0
    func go(_ metres: Double) {
      points.append(points[points.count - 1].moved(bearingDeg: bearingDeg, distanceM: metres))
    }
    for _ in 0..<10 { go(40) }
    for _ in 0..<Int((.pi / 2 * radiusM / pieceM).rounded()) {
      bearingDeg += pieceM / radiusM * 180 / .pi
      go(pieceM)
    }
    for _ in 0..<10 { go(40) }
    let (road, limit) = (Polyline(points), limitKmh / 3.6)
    let bends = BendRule().bends(road, fromM: 0, lengthM: road.lengthM, limit)
    #expect(bends.isEmpty != isSharp)
  }

  @Test func `a road that passes for straight has no sharp bend, EV-4`() {
    var random = SplitMix64(seed: 17)
    let rule = BendRule()
    var (straight, bent) = (0, 0)
    for _ in 0..<4_000 {
      let turn = [0.2, 1, 3, 10, 40][Int.random(in: 0..<5, using: &random)]
      let limit = [30.0, 50, 80, 100, 130][Int.random(in: 0..<5, using: &random)] / 3.6
      let shape = line(turnDeg: turn, &random)
      let road = Polyline(shape)
      let bends = rule.bends(road, fromM: 0, lengthM: road.lengthM, limit)
      if !bends.isEmpty { bent += 1 }
      guard rule.isStraight(shape, limitMps: limit) else { continue }
      straight += 1
      #expect(bends.isEmpty, "\(shape), \(limit)")
    }
    #expect(straight > 1_000)
    #expect(bent > 300)
  }
}
