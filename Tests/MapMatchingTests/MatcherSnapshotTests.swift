import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// Snapshots of a matcher, which arrive by the bus and may contain anything.
@Suite struct MatcherSnapshotTests {
  private let map: DrawnMap

  init() throws {
    map = try DrawnMap("a--b--c--d", ways: ["abcd": "highway=primary"], cell: 50)
  }

  private func fix(_ second: Int) throws -> Fix {
    let start = try map.coordinate("a").moved(bearingDeg: 90, distanceM: Double(second) * 12)
    return Fix(place: start, time: Instant(seconds: 1_000 + Double(second)), accuracyM: 5)
  }

  private func driven(_ seconds: Int) throws -> OnlineMatcher {
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: map.graph, mode: .car))
    for second in 0..<seconds { _ = matcher.match(try fix(second)) }
    return matcher
  }

  @Test func `a changed integer does not crash the matcher, PR-11`() throws {
    let whole = try driven(8).memory
    var refused = 0
    for index in whole.integers.indices {
      for value in [Int64.min, -1, 0, 1 << 33, .max - 1, .max] {
        var changed = whole
        changed.integers[index] = value
        var matcher = OnlineMatcher(network: MatchingNetwork(graph: map.graph, mode: .car))
        guard let isTaken = try? matcher.recall(changed), isTaken else {
          refused += 1
          continue
        }
        for second in 8..<20 { _ = matcher.match(try fix(second)) }
        _ = matcher.finish()
      }
    }
    #expect(refused > whole.integers.count)
  }

  @Test(arguments: [MatcherTuning(), MatcherTuning().forConvergence])
  func `a changed measure does not crash the matcher, PR-11`(tuning: MatcherTuning) throws {
    let network = MatchingNetwork(graph: map.graph, mode: .car)
    var matcher = OnlineMatcher(network: network, tuning: tuning)
    for second in 0..<8 { _ = matcher.match(try fix(second)) }
    let whole = matcher.memory
    var answers = 0
    for index in whole.numbers.indices {
      for value in [Double.nan, .infinity, -.infinity, -1e300, 1e300, 0] {
        var changed = whole
        changed.numbers[index] = value
        var matcher = OnlineMatcher(network: network, tuning: tuning)
        guard let isTaken = try? matcher.recall(changed), isTaken else { continue }
        for second in 8..<20 { answers += matcher.match(try fix(second)).smoothed.count }
        answers += matcher.finish().count
      }
    }
    // Nearly all are accepted, because later fixes correct wrong measures.
    #expect(answers > 10 * whole.numbers.count)
  }

  @Test func `a snapshot of another map is refused, even of a similar one`() throws {
    let other = try DrawnMap("a--b--c--d", ways: ["abcd": "highway=secondary"], cell: 50)
    #expect(other.graph.edgeCount == map.graph.edgeCount)
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: other.graph, mode: .car))
    #expect(try !matcher.recall(try driven(4).memory))
    var same = OnlineMatcher(network: MatchingNetwork(graph: map.graph, mode: .car))
    #expect(try same.recall(try driven(4).memory))
  }
}
