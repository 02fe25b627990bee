import EventTime
import Geodesy
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
    #expect(explained.allSatisfy { !$0.candidates.isEmpty })
    #expect(explained.contains { $0.candidates.count >= 3 })
    for one in explained where !one.candidates.isEmpty {
      let place = try #require(matches[one.index].place)
      let best = try #require(one.candidates[0].place)
      #expect(best.segment == place.segment && best.coordinate == place.coordinate)
      #expect(abs(one.candidates[0].probability - place.probability) < 1e-6)
      let offRoad = one.candidates.first { $0.place == nil }?.probability ?? 0
      #expect(abs(offRoad - (matches[one.index].offRoadProbability ?? 0)) < 1e-6)
      // The way begins at the candidate that won the fix before, and is as long as was driven.
      let way = one.candidates[0].transition
      #expect(one.index == 0 ? way.kind == .start : way.kind == .drive && way.from == 0)
      if one.index > 0 {
        let drivenM = place.offsetM - (matches[one.index - 1].place?.offsetM ?? 0)
        #expect(abs((way.lengthM ?? -1) - drivenM) < 0.01)
        #expect(abs((way.expectedM ?? -1) - 12) < 8)
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
    let one = try #require(try network().explain(trace: fixes(), wanted: 0..<1).first)
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
    // "… favours the first by 1.2 nats": with their signs they are the distance of the two.
    var reported = 0.0
    for reason in one.reasons {
      let words = reason.split(separator: " ")
      let nats = try #require(words.dropLast().last.flatMap { Double($0) })
      reported += reason.contains("favours the first") ? nats : -nats
    }
    #expect(!one.reasons.isEmpty)
    #expect(abs(reported + next.totalNats) <= 0.05 * 7 + 0.05 * 7)
  }

  @Test func `a route and a course show in the reasons, MM-13, BUS-10`() throws {
    let network = try network()
    var fixes = fixes()
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

  @Test func `what is asked of a long trace is reported as if all were, MM-13`() throws {
    let network = try network()
    var drive = Drive(seed: 9, sigmaM: 6)
    for _ in 0..<24 {
      drive.along([(100, 0), (1900, 0)], speedMps: 12)
      drive.along([(1900, 0), (100, 0)], speedMps: 12)
    }
    drive.fixes[3000].accuracyM = 500
    let fixes = drive.fixes
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
    let network = try network()
    var fixes = fixes()
    for index in 20..<fixes.count {
      fixes[index].time = fixes[index].time?.advanced(bySeconds: 4_000)
    }
    let explained = network.explain(trace: fixes, wanted: 0..<fixes.count, isOnline: true)
    #expect(explained.map(\.index) == Array(fixes.indices))
    #expect(explained[20].candidates.first?.transition.kind == .start)
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
