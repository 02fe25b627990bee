import DrawnMaps
import Foundation
import Foundations
import Geodesy
import LocationStage
import Messages
import RoadFile
import RoadGraph
import Route
import RouteWire
import Stage
import Testing

/// The traffic through which a simulated driver drives.
@Suite struct SimulatedTrafficTests {
  /// 1.2 km at 45 km/h; b and d are junctions, c lies between, and e and f are 30 m apart.
  private static func town() throws -> DrawnMap {
    try DrawnMap(
      """
      a---------b---------c---------d---------ef
                |                   |         |
                x                   y         z
      """,
      ways: ["abcdef": "highway=primary maxspeed=50", "bx": "", "dy": "", "ez": ""], cell: 30)
  }

  private struct Drive {
    let map: DrawnMap
    let route: WireRoute
    let folder: URL
    var stage: LocationStage
    var warnings: [String] = []
    var refused = 0
    private var sequence: UInt64 = 0

    static let start = Instant(seconds: 1_790_000_000)

    init() throws {
      map = try SimulatedTrafficTests.town()
      var router = RouterStageTests.Bench(map)
      route = try router.route("af", atS: Self.start.seconds)
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "traffic-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("town.navmap").path
      try RoadFile.write(map.graph.columns, hash: map.graph.hash, to: file)
      let place = try map.coordinate("a")
      let parameters = try Parameters(
        [
          "map": .string(file), "start_time": .string(TimeText.utc(Self.start)),
          "start_at": .string("\(place.latitudeDeg),\(place.longitudeDeg)"),
        ], declared: LocationStage.manifest.parameters)
      stage = LocationStage(vehicle: "ego", shared: try LocationStage.load(parameters))
    }

    private mutating func handle(_ event: EncodedEvent) throws -> [LocationRaw] {
      try stage.receive(event).compactMap { output in
        switch output {
        case .publish(LocationRaw.topic, _, let payload, _, _, _):
          return try LocationRaw(decoding: payload)
        case .log(.warning, let text): warnings.append(text)
        case .count(let name, let count) where name.hasSuffix("refused"): refused += count
        default: break
        }
        return nil
      }
    }

    private mutating func send(
      _ topic: String, key: String? = nil, _ payload: [UInt8], at time: Instant
    ) throws {
      sequence += 1
      _ = try handle(
        .message(
          EncodedMessage(
            topic: topic, stamp: time, source: "test", run: 1, sequence: sequence, key: key,
            payload: payload)))
    }

    /// Seconds from the departure to the arrival, where `traffic` sends messages at each second.
    mutating func takesS(
      _ traffic: (_ second: Int) throws -> [(topic: String, payload: [UInt8])] = { _ in [] }
    ) throws -> Int {
      defer { try? FileManager.default.removeItem(at: folder) }
      let end = try map.coordinate("f")
      try send(
        RouteActive.topic, RouteActive(reason: .new, route: route).encoded(), at: Self.start)
      for second in 0..<5000 {
        let now = Self.start.advanced(bySeconds: Double(second))
        for (topic, payload) in try traffic(second) {
          try send(topic, key: "test", payload, at: now)
        }
        for raw in try handle(.wake(now: now)) {
          let place = Coordinate(latitudeDeg: raw.latDeg, longitudeDeg: raw.lonDeg)
          if place.distanceM(to: end) < 0.5, raw.speedMps ?? 0 < 0.05 { return second }
        }
      }
      return .max
    }

    func incident(
      _ letters: String..., delayS: Double?, isClosed: Bool = false, untilS: Double? = nil
    ) throws -> (topic: String, payload: [UInt8]) {
      let list = TrafficIncidents(
        feed: "test", observedNs: Self.start.nanoseconds,
        incidents: [
          WireIncident(
            id: "i", kind: .accident,
            segments: try letters.flatMap { try map.edges($0) }.map {
              map.graph.reference($0).wire
            }, closed: isClosed, delayS: delayS,
            untilNs: untilS.map { Self.start.advanced(bySeconds: $0).nanoseconds })
        ])
      return (TrafficIncidents.topic, list.encoded())
    }

    /// A speed on the road between two letters, which need not be junctions.
    func flow(
      _ from: Character, _ to: Character, speedMmps: Int64, jam: Int64 = 50
    ) throws -> (topic: String, payload: [UInt8]) {
      let flow = TrafficFlow(
        feed: "test", observedNs: Self.start.nanoseconds,
        flow: WireFlowColumns(
          way: [1001], from: [Int64(from.unicodeScalars.first?.value ?? 0)],
          to: [Int64(to.unicodeScalars.first?.value ?? 0)], speedMmps: [speedMmps],
          jamFactor: [jam], untilS: [0]))
      return (TrafficFlow.topic, flow.encoded())
    }
  }

  @Test func `an incident of 300 s costs 300 s, once, LOC-10`() throws {
    var free = try Drive()
    let freeS = try free.takesS()
    #expect((90...120).contains(freeS))
    var drive = try Drive()
    let whole = try drive.incident("bd", delayS: 300)
    #expect(abs(try drive.takesS { $0 == 0 ? [whole] : [] } - freeS - 300) <= 10)
    // The same list again and again, on both directions of the road.
    drive = try Drive()
    let both = try drive.incident("bd", "db", delayS: 300)
    #expect(abs(try drive.takesS { _ in [both, both] } - freeS - 300) <= 10)
    // On 30 m of road.
    drive = try Drive()
    let short = try drive.incident("ef", delayS: 300)
    #expect(abs(try drive.takesS { _ in [short] } - freeS - 300) <= 10)
    // It is over before the vehicle gets there, or begins after it has passed.
    drive = try Drive()
    let over = try drive.incident("de", delayS: 300, untilS: 40)
    #expect(abs(try drive.takesS { $0 == 0 ? [over] : [] } - freeS) <= 1)
    drive = try Drive()
    let late = try drive.incident("ab", delayS: 300)
    #expect(abs(try drive.takesS { $0 == 60 ? [late] : [] } - freeS) <= 1)
  }

  @Test func `a speed between junctions slows the driver as much as the router counts, LOC-10`()
    throws
  {
    var free = try Drive()
    let freeS = try free.takesS()
    var drive = try Drive()
    // 300 m at 3 m/s instead of 12.5 m/s.
    let part = try drive.flow("b", "c", speedMmps: 3000)
    let addedS = try drive.takesS { $0 == 0 ? [part] : [] } - freeS
    #expect(abs(Double(addedS) - (300 / 3 - 300 / 12.5)) <= 6)
    // The other direction of the road is another matter.
    drive = try Drive()
    let back = try drive.flow("c", "b", speedMmps: 3000)
    #expect(abs(try drive.takesS { $0 == 0 ? [back] : [] } - freeS) <= 1)
  }

  @Test func `closed roads slow nobody in the simulation, LOC-10`() throws {
    var free = try Drive()
    let freeS = try free.takesS()
    var drive = try Drive()
    let closed = try drive.flow("b", "d", speedMmps: 0, jam: 100)
    #expect(abs(try drive.takesS { _ in [closed] } - freeS) <= 1)
    drive = try Drive()
    let works = try drive.incident("bd", delayS: nil, isClosed: true)
    #expect(abs(try drive.takesS { _ in [works] } - freeS) <= 1)
  }

  @Test
  func `of many messages between two fixes the newest counts, and a broken one is counted, LOC-10`()
    throws
  {
    var free = try Drive()
    let freeS = try free.takesS()
    var drive = try Drive()
    let (slow, fast) = (
      try drive.flow("b", "d", speedMmps: 2000), try drive.flow("b", "d", speedMmps: 12_500)
    )
    let broken = (TrafficFlow.topic, [UInt8](repeating: 0xc1, count: 8))
    let many = Array(repeating: slow, count: 500)
    #expect(abs(try drive.takesS { _ in many + [broken, slow, fast] } - freeS) <= 1)
    #expect(drive.refused == 0)
    drive = try Drive()
    #expect(abs(try drive.takesS { $0 == 5 ? [slow, broken] : [] } - freeS) <= 1)
    #expect(drive.refused == 1)
    #expect(drive.warnings.contains { $0.hasPrefix("traffic/flow: ") })
  }
}
