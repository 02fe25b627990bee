import DrawnMaps
import Foundations
import Geodesy
import MatcherStage
import Messages
import RoadGraph
import Route
import RouteWire
import Stage
import Testing
import Traffic

@testable import RouterStage

/// A map that is replaced under running stages, OF-2.
@Suite struct MapChangeTests {
  private let start = Instant(seconds: 1_790_000_000)

  /// The same street, once in one piece and once cut and numbered anew.
  private static func street(isCut: Bool) throws -> DrawnMap {
    let ways: KeyValuePairs<String, String> =
      isCut
      ? ["bd": "highway=residential", "ab": "highway=primary", "bc": "highway=primary"]
      : ["abc": "highway=primary", "bd": "highway=residential"]
    return try DrawnMap(
      """
      a----b----c
           |
           d
      """, ways: ways)
  }

  private func fix(_ map: DrawnMap, _ second: Int) throws -> EncodedEvent {
    let place = try map.coordinate("a", "c", 0.05 + Double(second) * 0.01)
    let raw = LocationRaw(
      latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg,
      timeNs: start.advanced(bySeconds: Double(second)).nanoseconds, bearingDeg: 90, speedMps: 10,
      accuracyM: 5, provider: "gps")
    return .message(
      EncodedMessage(
        topic: LocationRaw.topic, stamp: start.advanced(bySeconds: Double(second)),
        source: "provider", run: 1, sequence: UInt64(second + 1), payload: raw.encoded()))
  }

  @Test(arguments: [5, 25])
  func `a matcher goes over between two fixes, and none is missed or reported twice, OF-2`(lag: Int)
    throws
  {
    let (old, new) = (try Self.street(isCut: false), try Self.street(isCut: true))
    func shared(_ map: DrawnMap) throws -> MatcherShared {
      let parameters = try Parameters(
        ["map": "drawn", "lag_fixes": .int(lag), "lag_s": 100],
        declared: MatcherStage.manifest.parameters)
      return MatcherShared(graph: map.graph, parameters: parameters)
    }
    var stage = MatcherStage(vehicle: "ego", shared: try shared(old))
    var ways: [Int64?] = []
    var smoothed: [Int64] = []
    for second in 0..<60 {
      if second == 30 { _ = stage.receiveMap(try shared(new)) }
      for case .publish(let topic, let stamp, let payload, _, _, _) in try stage.receive(
        fix(old, second))
      {
        if topic == LocationMatched.topic {
          let match = try LocationMatched(decoding: payload)
          #expect(match.state == .matched)
          #expect(match.consecutive == UInt64(second + 1))
          ways.append(match.segment?.way)
        } else if topic == LocationSmoothed.topic {
          smoothed.append(stamp.nanoseconds)
        }
      }
    }
    for (second, way) in ways.enumerated() where !(43...47).contains(second) {
      let wanted = second < 30 ? try old.way("abc") : try new.way(second < 45 ? "ab" : "bc")
      #expect(way == wanted, "second \(second)")
    }
    #expect(smoothed.count == 60 - lag)
    #expect(smoothed == Set(smoothed).sorted())
  }

  @Test func `answers that wait for ways to agree are reported before the map goes, OF-2 MM-8`()
    throws
  {
    let (old, new) = (try Self.street(isCut: false), try Self.street(isCut: true))
    func shared(_ map: DrawnMap) throws -> MatcherShared {
      let parameters = try Parameters(
        ["map": "drawn", "smoothing": "agreed"], declared: MatcherStage.manifest.parameters)
      return MatcherShared(graph: map.graph, parameters: parameters)
    }
    var stage = MatcherStage(vehicle: "ego", shared: try shared(old))
    var smoothed: [Int64] = []
    func record(_ outputs: [EncodedOutput]) {
      for case .publish(LocationSmoothed.topic, let stamp, _, _, _, _) in outputs {
        smoothed.append(stamp.nanoseconds)
      }
    }
    for second in 0..<60 {
      if second == 30 {
        record(stage.receiveMap(try shared(new)))
        #expect(smoothed.count == 30)
      }
      record(try stage.receive(fix(old, second)))
    }
    #expect(smoothed.count > 50)
    #expect(smoothed == Set(smoothed).sorted())
  }

  @Test func `a router keeps handles and traffic over a replaced map, OF-2 RT-16`() throws {
    var bench = RouterStageTests.Bench(try RouterStageTests.town())
    let route = try Route(wire: bench.route("ad"))
    try bench.jam("bc", speedMmps: 0, jam: 100, observedS: 110)
    // The same town; its long way is another now.
    let new = try DrawnMap(
      """
      a--b--c--d
      |        |
      e--------f
      """,
      ways: [
        "ab": "highway=secondary name=High Street maxspeed=50",
        "bc": "highway=secondary name=High Street maxspeed=50",
        "cd": "highway=secondary name=High Street maxspeed=50",
        "ae": "highway=secondary name=New Lane maxspeed=50",
        "efd": "highway=secondary name=New Lane maxspeed=50",
      ], cell: 100)
    _ = bench.stage.receiveMap(RouterShared(graph: new.graph))
    let around = try Route(wire: bench.route("ad", atS: 120))
    #expect(Set(around.spans.map(\.road.name)) == ["New Lane"])
    #expect(around.trafficAgeS == 10)
    let ask = RouteTrafficRequest(handle: try #require(route.handle))
    guard case .ok(let payload) = try bench.call("route/traffic", ask.encoded(), atS: 130) else {
      throw CallError(code: "internal", message: "the handle was lost")
    }
    #expect(try RouteTrafficReply(decoding: payload).body.routeId == route.id)
  }

  @Test func `of each map it is reported once what typical speeds have no road, OF-2 TR-7`() throws
  {
    let map = try RouterStageTests.town()
    func shared(_ lines: Int) throws -> RouterShared {
      let unknown = (0..<lines).map { "\($0 + 90_000),1,2,in\n" }.joined()
      return RouterShared(
        graph: map.graph, typical: try TypicalSpeeds(csv: "profile,in,40,24/7\n" + unknown))
    }
    func warnings(_ outputs: [EncodedOutput]) -> [String] {
      outputs.compactMap { output in
        guard case .log(.warning, let text) = output else { return nil }
        return text
      }
    }
    var stage = RouterStage(vehicle: "ego", shared: try shared(1))
    let wake = EncodedEvent.wake(now: Instant(seconds: 1))
    #expect(warnings(try stage.receive(wake)).count == 1)
    #expect(warnings(try stage.receive(wake)).isEmpty)
    let reported = warnings(stage.receiveMap(try shared(2)))
    #expect(reported.count == 1 && reported[0].contains("2 rows"))
    #expect(warnings(try stage.receive(wake)).isEmpty)
  }
}
