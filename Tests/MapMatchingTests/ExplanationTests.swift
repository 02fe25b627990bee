import DrawnMaps
import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

/// Explanations of matches: the candidates of a fix, and the reasons for the winner.
@Suite struct ExplanationTests {
  /// Two parallel roads 12 m apart, connected at their western ends.
  private let map: DrawnMap
  private let network: MatchingNetwork

  init() throws {
    map = try DrawnMap(
      """
      a1----2------------3b
      c-------------------d
      """, ways: ["ab": "", "ac": "", "cd": ""], line: 12)
    network = MatchingNetwork(map)
  }

  /// Forty fixes on the northern road.
  private func fixes() throws -> [Fix] {
    var trace = DrawnTrace(on: map, accuracyM: 6, hasMotion: true)
    try trace.drive("12", speedMps: 12)
    return Array(trace.fixes.withErrors(seed: 3, sigmaM: 4).prefix(40))
  }

  @Test func `the winner of the explanation is the match, MM-13, BUS-10`() throws {
    let fixes = try fixes()
    let matches = network.match(trace: fixes).matches
    let explained = network.explain(trace: fixes, wanted: 0..<fixes.count)
    #expect(explained.map(\.index) == Array(fixes.indices))
    #expect(explained.allSatisfy { !$0.candidates.isEmpty })
    #expect(explained.contains { $0.candidates.count >= 3 })
    for one in explained where !one.candidates.isEmpty {
      let place = try #require(matches[one.index].place)
      let best = try #require(one.candidates[0].place)
      #expect(best.segment == place.segment && best.coordinate == place.coordinate)
      #expect(abs(one.candidates[0].probability - place.probability) < 1e-6)
      let offRoad = one.candidates.first { $0.place == nil }?.probability ?? 0
      #expect(abs(offRoad - (matches[one.index].offRoadProbability ?? 0)) < 1e-6)
      // The path starts at the winner of the previous fix, and has the length of the drive.
      let path = one.candidates[0].transition
      #expect(one.index == 0 ? path.kind == .start : path.kind == .drive && path.from == 0)
      if one.index > 0 {
        let drivenM = place.offsetM - (matches[one.index - 1].place?.offsetM ?? 0)
        #expect(abs((path.lengthM ?? -1) - drivenM) < 0.01)
        #expect(abs((path.expectedM ?? -1) - 12) < 8)
      }
      #expect(one.candidates[0].totalNats == 0)
      let totals = one.candidates.map(\.totalNats)
      #expect(zip(totals, totals.dropFirst()).allSatisfy { $0 >= $1 })
      let sum = one.candidates.reduce(0) { $0 + $1.probability }
      #expect(abs(sum - 1) < 1e-6)
    }
  }

  @Test func `the runner-up is another road, reasons add up to its distance, MM-13, BUS-10`() throws
  {
    let one = try #require(try network.explain(trace: fixes(), wanted: 0..<1).first)
    try #require(one.candidates.count > 1)
    let (best, next) = (one.candidates[0], one.candidates[1])
    #expect(best.place?.segment != next.place?.segment)
    let place = try #require(best.place)
    #expect(one.winner?.segments.contains(place.segment) == true)
    #expect(one.runnerUp?.totalNats == next.totalNats)
    #expect(one.runnerUp?.segments.contains(try #require(next.place).segment) == true)
    for kinds in one.candidates.filter({ $0.place != nil }).map(\.evidence) {
      let sum = kinds.distance + kinds.course + kinds.speed + kinds.route + kinds.road
      #expect(abs(sum - kinds.total) < 1e-9 && kinds.distance <= 0)
    }
    // "… favours the first by 1.2 nats": the signed values add up to the difference of the two.
    var reported = 0.0
    for reason in one.reasons {
      let words = reason.split(separator: " ")
      let nats = try #require(words.dropLast().last.flatMap { Double($0) })
      reported += reason.contains("favours the first") ? nats : -nats
    }
    #expect(!one.reasons.isEmpty)
    #expect(abs(reported + next.totalNats) <= 0.05 * 7 + 0.05 * 7)
  }

  @Test func `a bearing is part of the reasons, a route that is not set is not, MM-13, BUS-10`()
    throws
  {
    var fixes = try fixes()
    for index in fixes.indices { fixes[index].place.latitudeDeg -= 6 / 111_200.0 }
    for index in fixes.indices { fixes[index].bearingDeg = nil }
    let without = try #require(network.explain(trace: fixes, wanted: 20..<21).first)
    #expect(without.candidates.allSatisfy { $0.evidence.course == 0 && $0.evidence.route == 0 })
    for index in fixes.indices { fixes[index].bearingDeg = 90 }
    let with = try #require(network.explain(trace: fixes, wanted: 20..<21).first)
    let (east, west) = (90.0, 270.0)
    func course(_ bearing: Double) -> Double? {
      with.candidates.first { abs(($0.place?.bearingDeg ?? 0) - bearing) < 10 }?.evidence.course
    }
    #expect(try #require(course(east)) > (course(west) ?? -.infinity) + 1)
  }

  @Test func `one fix of a long trace is explained as if all were requested, MM-13`() throws {
    var trace = DrawnTrace(on: map, accuracyM: 9, hasMotion: true)
    for _ in 0..<24 {
      try trace.drive("13", speedMps: 12)
      try trace.drive("31", speedMps: 12)
    }
    var fixes = trace.fixes.withErrors(seed: 9, sigmaM: 6)
    fixes[3000].accuracyM = 500
    #expect(fixes.count > 7_000)
    let all = network.explain(trace: fixes, wanted: 0..<fixes.count)
    #expect(all.map(\.index) == Array(fixes.indices))
    for number in [0, 1, 1_500, 3_000, 5_000, fixes.count - 1] {
      let one = network.explain(trace: fixes, wanted: number..<(number + 1))
      #expect(one == [all[number]])
    }
    let matches = network.match(trace: fixes).matches
    let same = zip(all, matches).allSatisfy {
      $0.candidates.isEmpty || $0.candidates[0].place?.segment == $1.place?.segment
    }
    #expect(same)
  }

  @Test func `online a gap in the trace changes no number, MM-8`() throws {
    var fixes = try fixes()
    for index in 20..<fixes.count {
      fixes[index].time = fixes[index].time?.advanced(bySeconds: 4_000)
    }
    let explained = network.explain(trace: fixes, wanted: 0..<fixes.count, isOnline: true)
    #expect(explained.map(\.index) == Array(fixes.indices))
    #expect(explained[20].candidates.first?.transition.kind == .start)
  }

  @Test func `online the immediate match is explained, MM-8`() throws {
    let fixes = try fixes()
    var matcher = OnlineMatcher(map)
    let live = matcher.match(all: fixes)
    for number in [0, 7, 30] {
      let one = try #require(
        network.explain(trace: fixes, wanted: number..<(number + 1), isOnline: true).first)
      #expect(one.candidates.first?.place?.segment == live[number].place?.segment)
      #expect(one.winner?.after == nil)
    }
  }

  @Test func `a fix that was not evaluated has a reason, MM-5`() throws {
    var fixes = try fixes()
    fixes[10].time = nil
    fixes[20].accuracyM = 500
    for number in [10, 20] {
      let one = try #require(
        network.explain(trace: fixes, wanted: number..<(number + 1)).first)
      #expect(one.candidates.isEmpty && one.reasons.count == 1)
    }
  }

  @Test func `a long trace is finished in parts with the matches of the whole, MM-13`() throws {
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
    // The last part alone has the same matches as within the whole.
    let tail = network.match(trace: Array(drive.fixes.suffix(1_000)))
    let same = zip(whole.matches.suffix(900), tail.matches.suffix(900)).allSatisfy {
      $0.place?.segment == $1.place?.segment
    }
    #expect(same)
    let areMatched = whole.matches.prefix(9_000).allSatisfy { $0.place != nil }
    #expect(areMatched)
  }
}
