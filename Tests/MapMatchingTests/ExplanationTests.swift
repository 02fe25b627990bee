import EventTime
import MapMatching
import Positioning
import RoadGraph
import Testing

/// Why a fix is where it is.
@Suite struct ExplanationTests {
  /// Two parallel roads 12 m apart, joined at their western ends.
  private func network() throws -> MatchingNetwork {
    var map = TinyMap()
    let west = map.node(0, 0)
    map.road(west, map.node(2000, 0))
    let south = map.node(0, -12)
    map.road(west, south)
    map.road(south, map.node(2000, -12))
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  private func fixes(count: Int = 40) -> [Fix] {
    var drive = Drive(seed: 3, sigmaM: 4)
    drive.along([(100, 0), (100 + 12 * Double(count - 1), 0)], speedMps: 12)
    return drive.fixes
  }

  @Test func `the winner of the explanation is the answer, MM-13, BUS-10`() throws {
    let network = try network()
    let fixes = fixes()
    let matches = network.match(trace: fixes).matches
    let explained = network.explain(trace: fixes, wanted: 0..<fixes.count)
    #expect(explained.map(\.index) == Array(fixes.indices))
    for one in explained where !one.candidates.isEmpty {
      #expect(one.candidates[0].place?.segment == matches[one.index].place?.segment)
      #expect(one.candidates[0].totalNats == 0)
      let totals = one.candidates.map(\.totalNats)
      #expect(zip(totals, totals.dropFirst()).allSatisfy { $0 >= $1 })
      let sum = one.candidates.reduce(0) { $0 + $1.probability }
      #expect(abs(sum - 1) < 1e-6)
    }
  }

  @Test func `the runner-up is another road, reasons add up to its distance, MM-13, BUS-10`() throws
  {
    let one = try #require(try network().explain(trace: fixes(), wanted: 0..<1).first)
    try #require(one.candidates.count > 1)
    let (best, next) = (one.candidates[0], one.candidates[1])
    #expect(best.place?.segment != next.place?.segment)
    let place = try #require(best.place)
    #expect(one.winner?.segments.contains(place.segment) == true)
    #expect(one.runnerUp?.totalNats == next.totalNats)
    #expect(!one.reasons.isEmpty)
    let kinds = best.evidence
    #expect(
      abs(kinds.distance + kinds.course + kinds.speed + kinds.route + kinds.road - kinds.total)
        < 1e-9)
  }

  @Test func `online the answer at once is explained, MM-8`() throws {
    let network = try network()
    let fixes = fixes()
    var matcher = OnlineMatcher(network: network)
    let live = fixes.map { matcher.match($0).match }
    for number in [0, 7, 30] {
      let one = try #require(
        network.explain(trace: fixes, wanted: number..<(number + 1), isOnline: true).first)
      #expect(one.candidates.first?.place?.segment == live[number].place?.segment)
      #expect(one.winner?.after == nil)
    }
  }

  @Test func `a fix that was not weighed says why, MM-5`() throws {
    var fixes = fixes()
    fixes[10].time = nil
    fixes[20].accuracyM = 500
    let network = try network()
    for number in [10, 20] {
      let one = try #require(
        network.explain(trace: fixes, wanted: number..<(number + 1)).first)
      #expect(one.candidates.isEmpty && one.reasons.count == 1)
    }
  }

  @Test func `a long trace is settled in pieces, and answered as in one, MM-13`() throws {
    var map = TinyMap()
    let corners = [map.node(0, 0), map.node(400, 0), map.node(400, 300), map.node(0, 300)]
    map.line(corners + [corners[0]])
    map.road(map.node(0, -31), map.node(400, -31))
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    var drive = Drive(seed: 5, sigmaM: 5)
    for _ in 0..<75 {
      drive.along([(0, 0), (400, 0), (400, 300), (0, 300), (0, 0)], speedMps: 10)
    }
    #expect(drive.fixes.count > 10_000)
    let whole = network.match(trace: drive.fixes)
    #expect(whole.matches.count == drive.fixes.count)
    // The last piece alone gives the same answers as within the whole.
    let tail = network.match(trace: Array(drive.fixes.suffix(1_000)))
    let same = zip(whole.matches.suffix(900), tail.matches.suffix(900)).allSatisfy {
      $0.place?.segment == $1.place?.segment
    }
    #expect(same)
    let unsettled = whole.matches.prefix(9_000).allSatisfy { $0.place != nil }
    #expect(unsettled)
  }
}
