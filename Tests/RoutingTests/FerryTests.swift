import DrawnMaps
import RoadGraph
import Route
import Testing

@testable import Routing

/// The cost of a ferry: its crossing, and once the mean wait for its departure.
@Suite struct FerryTests {
  /// A ferry of two pieces, since another one ends in its middle, and a longer road.
  private static func map(_ ferry: String) throws -> DrawnMap {
    try DrawnMap(
      """
      a-b--c--d-e
      |    |    |
      |    z    |
      |    |    |
      |    h    |
      f---------g
      """,
      ways: [
        "ab": "highway=secondary", "de": "highway=secondary",
        "bcd": "route=ferry name=Strait \(ferry)", "cz": "route=ferry name=Branch duration=00:05",
        "zh": "highway=secondary", "afge": "highway=secondary",
      ], cell: 500)
  }

  private func durationS(_ map: DrawnMap, _ letters: String) throws -> Double {
    let router = DrawnRouter(map)
    let route = try router.route(router.request(letters))
    return route.durations.latestS
  }

  @Test func `the mean wait counts once, in both directions, and not aboard, TR-10`() throws {
    let (free, waited) = (try Self.map("duration=00:04"), try Self.map("duration=00:04 interval=6"))
    for letters in ["ae", "ea", "ad", "eb"] {
      let addedS = try durationS(waited, letters) - durationS(free, letters)
      #expect(abs(addedS - 180) < 0.1, "\(letters)")
    }
    // The branch has no interval of its own, and the vehicle comes from a ferry.
    #expect(abs(try durationS(waited, "ah") - durationS(free, "ah") - 180) < 0.1)
    let router = DrawnRouter(waited)
    let route = try router.route(router.request("ae"))
    let ferry = try #require(route.spans.first { $0.road.isFerry })
    #expect(ferry.road.name == "Strait")
    let aboardS = route.spans.filter(\.road.isFerry).reduce(0) { $0 + $1.durations.latestS }
    #expect(abs(aboardS - (240 + 180)) < 3)
  }

  @Test func `a ferry that leaves seldom is not worth the wait, TR-10`() throws {
    for (interval, letters) in [("6", "abcde"), ("03:00", "ae")] {
      let router = DrawnRouter(try Self.map("duration=00:04 interval=\(interval)"))
      #expect(try router.letters(router.request("ae")) == letters, "\(interval)")
    }
  }
}
