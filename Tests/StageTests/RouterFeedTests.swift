import DrawnMaps
import Foundation
import Foundations
import Geodesy
import Messages
import RoadGraph
import Route
import RouteWire
import Stage
import Testing
import Traffic

@testable import RouterStage

/// Feeds as they come: wrong clocks, values that cannot be, places that are not on the map.
@Suite struct RouterFeedTests {
  private typealias Bench = RouterStageTests.Bench

  /// What a stage wants done, work done at once.
  private struct Said {
    var logs: [String] = []
    var counts: [String: Int] = [:]
    var closed: [Int64] = []
    var speeds: [Int64] = []
    var changed: [[SegmentReference]] = []
    var wakesS: [Double] = []

    init(_ outputs: [EncodedOutput]) throws {
      for output in outputs { try add(output) }
    }

    private mutating func add(_ output: EncodedOutput) throws {
      switch output {
      case .log(_, let line): logs.append(line)
      case .count(let name, let count): counts[name, default: 0] += count
      case .publish("route/closures", _, let payload, _, _, _):
        let change = try RouteClosures(decoding: payload)
        closed.append(change.closed)
        speeds.append(change.speeds)
        changed.append(change.changed.map(SegmentReference.init(wire:)))
      case .wake(let at): wakesS.append(at.seconds)
      case .work(_, let body): for output in body() { try add(output) }
      default: break
      }
    }
  }

  private func flow(
    _ bench: inout Bench, _ feed: String, _ rows: [(segment: SegmentReference, mmps: Int64)],
    observedS: Double, stampS: Double, jam: Int64 = 0
  ) throws -> Said {
    let message = TrafficFlow(
      feed: feed, observedNs: Instant(seconds: observedS).nanoseconds,
      flow: WireFlowColumns(
        way: rows.map(\.segment.way), from: rows.map(\.segment.from), to: rows.map(\.segment.to),
        speedMmps: rows.map(\.mmps), jamFactor: rows.map { _ in jam }, untilS: rows.map { _ in 0 }))
    return try Said(
      bench.stage.receive(
        .message(
          EncodedMessage(
            topic: "traffic/flow", stamp: Instant(seconds: stampS), source: feed, run: 1,
            sequence: 1, key: feed, payload: message.encoded()))))
  }

  private func incidents(
    _ bench: inout Bench, _ list: [WireIncident], atS: Double = 100
  ) throws -> Said {
    let message = TrafficIncidents(
      feed: "police", observedNs: Instant(seconds: atS).nanoseconds, incidents: list)
    return try Said(
      bench.stage.receive(
        .message(
          EncodedMessage(
            topic: "traffic/incidents", stamp: Instant(seconds: atS), source: "police", run: 1,
            sequence: 1, key: "police", payload: message.encoded()))))
  }

  private func wake(_ bench: inout Bench, _ seconds: Double) throws -> Said {
    try Said(bench.stage.receive(.wake(now: Instant(seconds: seconds))))
  }

  @Test(arguments: [1000.0, 4600])
  func `a feed whose clock is an hour ahead does not win over an honest one, TR-7`(
    stampS: Double
  ) throws {
    var bench = Bench(try RouterStageTests.town())
    let segment = bench.map.graph.reference(try bench.map.edge("bc"))
    _ = try wake(&bench, 1000)
    var said = try flow(&bench, "ahead", [(segment, 13_000)], observedS: 4600, stampS: stampS)
    if stampS > 1000 {
      #expect(said.logs.isEmpty && said.wakesS == [1000])
      said = try wake(&bench, 1000)
    }
    #expect(
      said.logs == [
        "traffic/flow ahead: its clock is 3600 s ahead; its stamps are corrected by that"
      ])
    #expect(said.counts == ["traffic_clock": 1])
    _ = try flow(&bench, "honest", [(segment, 1000)], observedS: 1001, stampS: 1001)
    let route = try bench.route("ad", atS: 1002)
    #expect(route.lengthM > 1100)
    #expect(route.trafficAgeS == 1)
    // Once in the log, and each time in the counter.
    said = try flow(&bench, "ahead", [(segment, 13_000)], observedS: 4660, stampS: stampS + 60)
    let later = try wake(&bench, 1060)
    #expect(said.logs.isEmpty && later.logs.isEmpty)
    #expect((said.counts["traffic_clock"] ?? 0) + (later.counts["traffic_clock"] ?? 0) == 1)
    // The newest measured value counts, corrected.
    #expect(try bench.route("ad", atS: 1060).lengthM < 1000)
  }

  @Test func `changed speeds are reported with their roads, at most each 15 s, TR-4`() throws {
    var bench = Bench(try RouterStageTests.town())
    let segment = bench.map.graph.reference(try bench.map.edge("bc"))
    let roads = (0..<10).map { SegmentReference(way: segment.way + $0, from: 1, to: 2 + $0) }
    func rows(slow: Int) -> [(segment: SegmentReference, mmps: Int64)] {
      roads.enumerated().map { (segment: $1, mmps: $0 < slow ? 2000 : 13_000) }
    }
    func city(slow: Int, atS: Double) throws -> Said {
      _ = try wake(&bench, atS)
      return try flow(&bench, "city", rows(slow: slow), observedS: atS, stampS: atS)
    }
    // The first speeds concern any road.
    let first = try city(slow: 0, atS: 1000)
    #expect(first.speeds == [10] && first.changed == [[]])
    // One of ten is named, so that only its drivers ask again.
    #expect(try city(slow: 1, atS: 1040).changed == [[roads[0]]])
    #expect(try city(slow: 1, atS: 1060).speeds == [])
    // Too early to be reported; the report is due after the pause.
    _ = try city(slow: 0, atS: 1070)
    let early = try city(slow: 1, atS: 1075)
    #expect(early.speeds == [] && early.wakesS == [1085])
    #expect(try wake(&bench, 1085).changed == [[roads[0]]])
    // Four of ten concern any road again.
    #expect(try city(slow: 5, atS: 1110).changed == [[]])
    #expect(try wake(&bench, 1200).speeds == [])
  }

  @Test func `a dead feed is forgotten, and its closures open when they have faded`() throws {
    var bench = Bench(try RouterStageTests.town())
    let segment = bench.map.graph.reference(try bench.map.edge("bc"))
    _ = try wake(&bench, 1000)
    let said = try flow(&bench, "f", [(segment, 0)], observedS: 1000, stampS: 1000)
    #expect(said.closed == [1] && said.wakesS == [2200])
    #expect(try bench.route("ad", atS: 2199).lengthM > 1100)
    let open = try wake(&bench, 2200)
    #expect(open.closed == [0] && open.wakesS == [])
    let route = try bench.route("ad", atS: 2200)
    #expect(route.lengthM < 1000 && route.trafficAgeS == nil)
    let stale = try flow(&bench, "f", [(segment, 0)], observedS: 1000, stampS: 2201)
    #expect(stale.counts == ["traffic_stale": 1] && stale.closed.isEmpty)
    #expect(
      stale.logs == [
        "traffic/flow f: its values are 1201 s old without an end and are no longer used"
      ])
  }

  @Test func `rows that cannot be are refused by name, rows of no road are counted`() throws {
    var bench = Bench(try RouterStageTests.town())
    let segment = bench.map.graph.reference(try bench.map.edge("bc"))
    let nowhere = SegmentReference(way: 1, from: 2, to: 3)
    _ = try wake(&bench, 1000)
    let said = try flow(
      &bench, "f", [(nowhere, 5000), (segment, -1), (segment.reversed, 60_000)], observedS: 1000,
      stampS: 1000)
    #expect(
      said.counts == ["traffic_bad_values": 1, "traffic_unplaced": 1, "traffic_clipped": 1])
    #expect(said.logs.count == 3)
    #expect(said.logs.first?.contains("1 of 3 rows are refused") == true)
    #expect(said.logs.contains { $0.contains("way 1 from 2 to 3") })
    #expect(try bench.route("ad", atS: 1000).lengthM < 1000)
    // A reason is named once for each feed.
    let again = try flow(
      &bench, "f", [(nowhere, 5000), (segment, 5000)], observedS: 1001, stampS: 1001)
    #expect(again.counts == ["traffic_unplaced": 1] && again.logs.isEmpty)
    let jam = try flow(&bench, "g", [(segment, 5000)], observedS: 1001, stampS: 1001, jam: 101)
    #expect(jam.counts == ["traffic_bad_values": 1])
  }

  @Test func `an incident with a place only closes the road that it lies on, TR-1`() throws {
    var bench = Bench(try RouterStageTests.town())
    let at = try bench.map.coordinate("b", "c", 0.5)
    func works(bearingDeg: Double?) -> WireIncident {
      WireIncident(
        id: "w", kind: .roadClosed, latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg,
        bearingDeg: bearingDeg, segments: [], closed: true)
    }
    #expect(try incidents(&bench, [works(bearingDeg: nil)]).closed == [2])
    #expect(try bench.route("ad").lengthM > 1100)
    #expect(try bench.route("da").lengthM > 1100)
    #expect(try incidents(&bench, [works(bearingDeg: 80)]).closed == [1])
    #expect(try bench.route("ad").lengthM > 1100)
    #expect(try bench.route("da").lengthM < 1000)
    let lost = try incidents(
      &bench,
      [
        works(bearingDeg: nil),
        WireIncident(id: "x", kind: .accident, latDeg: 1, lonDeg: 2, segments: [], closed: false),
      ])
    #expect(lost.counts == ["traffic_unplaced": 1])
    #expect(
      lost.logs == [
        "traffic/incidents police: 1 of 2 lie on no road of the map: x: no road within 50 m of 1.0, 2.0"
      ])
    // On another map it is placed anew.
    let other = try RouterStageTests.town()
    _ = bench.stage.receiveMap(RouterShared(graph: other.graph))
    #expect(try bench.route("ad").lengthM > 1100)
  }

  @Test func `an incident with an OpenLR line closes the road that it runs along`() throws {
    var bench = Bench(try RouterStageTests.town())
    let (b, c) = (try bench.map.coordinate("b"), try bench.map.coordinate("c"))
    func word(_ value: Double, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: Int(value) >> (8 * $0)) }
    }
    func absolute(_ degrees: Double) -> [UInt8] {
      word((degrees * 16_777_216 / 360 + (degrees < 0 ? -0.5 : 0.5)).rounded(.towardZero), 3)
    }
    // Secondary roads of one carriageway, eastwards for 300 m, then back to the west.
    let bytes =
      [0x0b] + absolute(b.longitudeDeg) + absolute(b.latitudeDeg) + [3 << 3 | 3, 3 << 5 | 8, 5]
      + word(((c.longitudeDeg - b.longitudeDeg) * 1e5).rounded(), 2)
      + word(((c.latitudeDeg - b.latitudeDeg) * 1e5).rounded(), 2) + [3 << 3 | 3, 24]
    let works = WireIncident(
      id: "w", kind: .roadClosed, openlr: Data(bytes).base64EncodedString(), segments: [],
      closed: true)
    #expect(try incidents(&bench, [works]).closed == [1])
    #expect(try bench.route("ad").lengthM > 1100)
    #expect(try bench.route("da").lengthM < 1000)
  }

  @Test func `OpenLR lines that give no road are counted and named, TR-1`() throws {
    var bench = Bench(try RouterStageTests.town())
    let at = try bench.map.coordinate("b", "c", 0.5)
    func works(_ id: String, _ code: String, isPlaced: Bool) -> WireIncident {
      WireIncident(
        id: id, kind: .construction, latDeg: isPlaced ? at.latitudeDeg : nil,
        lonDeg: isPlaced ? at.longitudeDeg : nil, openlr: code, segments: [], closed: false)
    }
    // Malformed; of Luxembourg, which is not on the map; a circle.
    let luxembourg = "CwRbWyNG9RpsCQCb/jsbtAT/6/+jK1lE"
    let lost = try incidents(
      &bench,
      [
        works("m", "CwRb", isPlaced: true), works("l", luxembourg, isPlaced: false),
        works("c", "AwRbWyNG9RpsCQ==", isPlaced: true),
      ])
    #expect(lost.counts == ["traffic_unplaced": 1, "traffic_openlr": 3])
    let sentence = try #require(lost.logs.first { $0.contains("OpenLR lines") })
    #expect(
      sentence.hasPrefix(
        "traffic/incidents police: 3 OpenLR lines of 3 incidents match no road: "))
    #expect(sentence.contains("m: OpenLR \"CwRb\": it has 3 bytes, which is too short for a line"))
    #expect(sentence.contains("l: OpenLR \"\(luxembourg)\": it lies outside the map"))
    #expect(
      sentence.contains("c: OpenLR \"AwRbWyNG9RpsCQ==\": it is a circle; only lines are supported"))
    // Each message counts; the log names a reason once for each feed.
    let again = try incidents(&bench, [works("m", "CwRb", isPlaced: true)])
    #expect(again.counts == ["traffic_openlr": 1] && again.logs.isEmpty)
  }

  @Test func `a delay is priced, and a negative one is refused`() throws {
    var bench = Bench(try RouterStageTests.town())
    let segment = bench.map.graph.reference(try bench.map.edge("bc")).wire
    func accident(_ delayS: Double) -> WireIncident {
      WireIncident(
        id: "a", kind: .accident, segments: [segment], closed: false, delayS: delayS)
    }
    let plain = try bench.route("ad")
    #expect(try incidents(&bench, [accident(20)]).logs.isEmpty)
    let delayed = try bench.route("ad")
    #expect(abs(delayed.durationLatestS - plain.durationLatestS - 20) < 0.1)
    #expect(abs(delayed.durationFreeFlowS - plain.durationFreeFlowS) < 0.01)
    _ = try incidents(&bench, [accident(600)])
    #expect(try bench.route("ad").lengthM > 1100)
    let bad = try incidents(&bench, [accident(-5)])
    #expect(bad.counts == ["traffic_bad_values": 1])
    #expect(bad.logs.first?.contains("the first is that of a") == true)
    #expect(try bench.route("ad").durationLatestS == plain.durationLatestS)
  }
}
