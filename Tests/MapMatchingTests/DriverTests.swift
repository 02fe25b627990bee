import EventTime
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// What the matcher knows of how people drive.
@Suite struct DriverTests {
  @Test func `a minute apart the fast road is taken, not the shortest, MM-3`() throws {
    var map = TinyMap()
    let ends = [map.node(-400, 0), map.node(0, 0), map.node(1000, 0), map.node(1400, 0)]
    let (near, far) = (map.node(100, -100), map.node(900, -100))
    map.road(ends[0], ends[1], speedKmh: 50)
    map.road(ends[1], ends[2], speedKmh: 15)
    map.road(ends[1], near, speedKmh: 90)
    map.road(near, far, speedKmh: 90)
    map.road(far, ends[2], speedKmh: 90)
    map.road(ends[2], ends[3], speedKmh: 50)
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    let fixes = [(-300.0, 0.0), (1300.0, 60.0)].map { eastM, second in
      Fix(
        place: TinyMap.coordinate(eastM, 0), time: Instant(seconds: 1_790_000_000 + second),
        accuracyM: 5)
    }
    func ways(_ tuning: MatcherTuning) -> [Int64] {
      network.match(trace: fixes, tuning: tuning).path.map { network.reference($0).way - 100 }
    }
    #expect(ways(.wholeTrace) == [0, 2, 3, 4, 5])
    var shortest = MatcherTuning.wholeTrace
    shortest.speedExponent = 0
    shortest.turnM = 0
    #expect(ways(shortest) == [0, 1, 5])
  }

  @Test func `the place told at once errs less along the road than its fix, MM-8`() throws {
    var (told, raw) = (0.0, 0.0)
    for seed in 0..<10 as Range<UInt64> {
      let (ours, theirs) = try squaredErrors(seed: seed)
      #expect(ours < theirs, "seed \(seed)")
      told += ours
      raw += theirs
    }
    #expect(told < 0.95 * raw)
  }

  // Sums along the road, of places told and of their fixes.
  private func squaredErrors(seed: UInt64) throws -> (told: Double, raw: Double) {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(3000, 0)])
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: try map.graph(), mode: .car))
    var drive = Drive(seed: seed, sigmaM: 8, hasSpeed: false)
    drive.along([(100, 0), (2900, 0)], speedMps: 14)
    var (told, raw) = (0.0, 0.0)
    for (index, match) in matcher.match(all: drive.fixes).enumerated() {
      let truthM = 100 + 14 * Double(index)
      let place = try #require(match.place)
      let error = TinyMap.plane.point(place.coordinate).eastM - truthM
      let noise = TinyMap.plane.point(match.fix.place).eastM - truthM
      told += error * error
      raw += noise * noise
      // Never farther from where the fix puts it than the noise, but for what holds it back.
      #expect(abs(error - noise) <= 2 * 8 * 1.5 + 10)
    }
    return (told, raw)
  }
}
