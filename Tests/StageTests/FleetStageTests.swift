import DrawnMaps
import FleetStage
import Foundations
import Geodesy
import Messages
import RoadGraph
import Stage
import Testing

@Suite struct FleetStageTests {
  private let start = Instant(seconds: 1_767_254_400)  // 2026-01-01T08:00:00Z

  private func map() throws -> DrawnMap {
    try DrawnMap(
      """
      a-----b-----c-----d
      |     |     |     |
      e-----f-----g-----h
      |     |     |     |
      i-----j-----k-----l
      """,
      ways: [
        "abcd": "highway=residential", "efgh": "highway=primary", "ijkl": "highway=residential",
        "aei": "highway=residential", "bfj": "highway=residential", "cgk": "highway=residential",
        "dhl": "highway=residential",
      ], cell: 50)
  }

  /// The same roads in other pieces with other numbers; `isLess`: without those in the south.
  private func another(isLess: Bool) throws -> DrawnMap {
    try DrawnMap(
      """
      a-----b-----c-----d
      |     |     |     |
      e-----f-----g-----h
      |     |     |     |
      i-----j-----k-----l
      """,
      ways: isLess
        ? [
          "dh": "highway=residential", "efgh": "highway=primary", "ae": "highway=residential",
          "abcd": "highway=residential",
        ]
        : [
          "dhl": "highway=residential", "ijkl": "highway=residential", "ef": "highway=primary",
          "fgh": "highway=primary", "abcd": "highway=residential", "cgk": "highway=residential",
          "aei": "highway=residential", "bfj": "highway=residential",
        ], cell: 50)
  }

  private static let exact: [String: ParameterValue] = [
    "vehicles": 6, "noise_m": 0, "noise_drift_m": 0, "noise_speed_mps": 0, "stop_s": 10,
  ]

  @Test func `on a map in other pieces all drive on as if nothing was, OF-2`() throws {
    var run = try fleet(Self.exact)
    run.play(seconds: 60)
    run.changeMap(to: try settings(Self.exact, another(isLess: false)))
    run.play(seconds: 200)
    #expect(run.counts["vehicles_on_new_map"] == 6)
    #expect(run.counts["vehicles_displaced"] == nil)
    for name in Set(run.fixes.map(\.vehicle)) {
      let own = run.fixes.filter { $0.vehicle == name }
      for (one, next) in zip(own, own.dropFirst()) {
        #expect(abs(next.stamp.seconds(since: one.stamp) - 1) < 1e-6)
        let moved = place(one).distanceM(to: place(next))
        #expect(moved <= 30, "\(name) \(next.stamp): \(moved) m")
      }
    }
  }

  @Test func `where roads are gone nobody drives on them for long, OF-2`() throws {
    let less = try another(isLess: true)
    var run = try fleet(Self.exact)
    run.play(seconds: 60)
    let south = try less.coordinate("j").latitudeDeg
    #expect(run.fixes.contains { abs(place($0).latitudeDeg - south) < 1e-6 })
    run.changeMap(to: try settings(Self.exact, less))
    run.play(seconds: 300)
    let late = run.fixes.filter { $0.stamp > start.advanced(bySeconds: 60 + 31) }
    #expect(late.count > 6 * 200)
    for fix in late {
      #expect(!less.graph.edges(near: place(fix), withinM: 1).isEmpty, "\(fix.vehicle)")
    }
    #expect(
      (run.counts["vehicles_on_new_map"] ?? 0) + (run.counts["vehicles_displaced"] ?? 0) == 6)
  }

  private func place(_ fix: FleetRun.Fix) -> Coordinate {
    Coordinate(latitudeDeg: fix.raw.latDeg, longitudeDeg: fix.raw.lonDeg)
  }

  private func settings(
    _ given: [String: ParameterValue], _ map: DrawnMap
  ) throws -> FleetSettings {
    let all = given.merging(["map": "drawn", "radius_m": 800]) { $1 }
    return try FleetSettings(
      try Parameters(all, declared: FleetStage.manifest.parameters), graph: map.graph)
  }

  private func fleet(_ given: [String: ParameterValue]) throws -> FleetRun {
    FleetRun(try settings(given, map()), start: start)
  }

  @Test func `the same seed drives the same, another one differently, BUS-8`() throws {
    var runs: [[FleetRun.Fix]] = []
    for seed in [1, 1, 2] {
      var run = try fleet(["vehicles": 5, "seed": .int(seed)])
      run.play(seconds: 60)
      runs.append(run.fixes)
    }
    #expect(runs[0].count > 5 * 55)
    #expect(runs[0] == runs[1])
    #expect(runs[0] != runs[2])
  }

  @Test func `fixes of all vehicles are spread evenly over the second, BUS-8`() throws {
    var run = try fleet(["vehicles": 10, "rate_hz": 2])
    run.play(seconds: 5)
    let tenths = Set(run.fixes.map { $0.stamp.nanoseconds % 500_000_000 / 1_000_000 })
    #expect(tenths == Set((0..<10).map { Int64($0) * 50 }))
    for name in Set(run.fixes.map(\.vehicle)) {
      let own = run.fixes.filter { $0.vehicle == name }.map(\.stamp)
      for (one, next) in zip(own, own.dropFirst()) {
        #expect(abs(next.seconds(since: one) - 0.5) < 1e-6)
      }
    }
  }

  @Test func `vehicles keep to the roads and to what is usual on them, BUS-8`() throws {
    let graph = try map().graph
    var run = try fleet([
      "vehicles": 6, "noise_m": 0, "noise_drift_m": 0, "noise_speed_mps": 0, "stop_s": 0,
    ])
    run.play(seconds: 300)
    let fastest = (0..<graph.edgeCount).map {
      graph.attributes(EdgeID($0)).freeFlowMps(.car)
    }.max()
    for fix in run.fixes {
      let raw = fix.raw
      let place = Coordinate(latitudeDeg: raw.latDeg, longitudeDeg: raw.lonDeg)
      #expect(graph.edges(near: place, withinM: 1).isEmpty == false)
      #expect((raw.speedMps ?? 0) <= (fastest ?? 0) + 0.01)
    }
    #expect(run.fixes.contains { ($0.raw.speedMps ?? 0) > 5 })
    #expect((run.counts["trips_ended"] ?? 0) > 6)
    // What is driven between two fixes is what the speeds say.
    for name in Set(run.fixes.map(\.vehicle)) {
      let own = run.fixes.filter { $0.vehicle == name }.map(\.raw)
      for (one, next) in zip(own, own.dropFirst()) {
        let moved = Coordinate(latitudeDeg: one.latDeg, longitudeDeg: one.lonDeg).distanceM(
          to: Coordinate(latitudeDeg: next.latDeg, longitudeDeg: next.lonDeg))
        #expect(moved <= (fastest ?? 0) + 0.5)
      }
    }
  }

  @Test func `the oldest leave and as many new ones come, BUS-8`() throws {
    var run = try fleet(["vehicles": 4, "churn_per_min": 6])
    run.play(seconds: 125)
    #expect(run.left == (1...12).map { "car" + String(100_000 + $0).dropFirst() })
    #expect(run.stages.count == 4 + 1)
    let last = run.fixes.filter { $0.stamp > start.advanced(bySeconds: 123) }.map(\.vehicle)
    #expect(Set(last).count == 4)
    #expect(Set(last).isDisjoint(with: run.left))
  }

  @Test func `the guided share asks for guidance on each trip, the others never, BUS-8`() throws {
    var run = try fleet([
      "vehicles": 8, "guided": 0.25, "stop_s": 5, "churn_per_min": 1, "rate_hz": 1,
    ])
    run.answer = { count in
      count == 1
        ? .failed(CallError(code: "no_location", message: "not yet"))
        : .ok(payload: [])
    }
    run.play(seconds: 600)
    let starts = run.calls.filter { $0.name == "navigate/start" }
    #expect(
      Set(starts.map(\.vehicle)).isSubset(of: ["car00004", "car00008", "car00012", "car00016"]))
    #expect(starts.count > 4)
    #expect(run.counts["guidance_failed no_location"] == 1)
    #expect(run.counts["guidance_started"] == starts.count - 1)
    // Whoever is led and leaves says so.
    let stops = run.calls.filter { $0.name == "navigate/stop" }.map(\.vehicle)
    #expect(stops == run.left.filter { ["car00004", "car00008"].contains($0) })
    #expect(!stops.isEmpty)
  }

  @Test func `a restarted dispatcher goes on with its time and its vehicles, BUS-6`() throws {
    var run = try fleet(["vehicles": 3, "churn_per_min": 60])
    run.play(seconds: 10)
    let saved = try #require(run.stages["fleet"]?.savedState)
    var again = FleetStage(vehicle: "fleet", shared: run.settings)
    try again.restore(saved)
    let outputs = try again.receive(.wake(now: start.advanced(bySeconds: 12)))
    var joined: [String] = []
    for case .admit(let vehicle) in outputs { joined.append(vehicle) }
    #expect(joined.first == "car00012" || joined.first == "car00013")
    #expect(joined.count <= 3)
    guard case .setClock(let now, _, _, _)? = outputs.first else {
      Issue.record("no clock")
      return
    }
    #expect(now == start.advanced(bySeconds: 12))
  }

  @Test func `a map without roads and a wrong name are refused, BUS-8`() throws {
    let declared = FleetStage.manifest.parameters
    let drawn = try map().graph
    #expect(throws: StageFailure.self) {
      try FleetSettings(
        try Parameters(["map": "x", "prefix": "Car/"], declared: declared), graph: drawn)
    }
    let rails = try DrawnMap("a--b", ways: ["ab": "highway=footway"])
    #expect(throws: StageFailure.self) {
      try FleetSettings(try Parameters(["map": "x"], declared: declared), graph: rails.graph)
    }
    #expect(throws: StageFailure.self) {
      try Parameters(["map": "x", "vehicles": 50_001], declared: declared)
    }
  }
}

/// Runs the stage values of a fleet as a harness does, with drawn time.
private struct FleetRun {
  struct Fix: Equatable {
    var vehicle: String
    var stamp: Instant
    var payload: [UInt8]
    var raw: LocationRaw
  }

  private(set) var settings: FleetSettings
  var stages: [String: FleetStage] = [:]
  var fixes: [Fix] = []
  var calls: [(vehicle: String, name: String)] = []
  var left: [String] = []
  var counts: [String: Int] = [:]
  /// The answer to the call of that number, counted from 1 over all `navigate/start`.
  var answer: (Int) -> EncodedOutcome = { _ in .ok(payload: []) }
  private var wakes: [String: Instant] = [:]
  private var now: Instant
  private var asked = 0

  init(_ settings: FleetSettings, start: Instant) {
    self.settings = settings
    now = start
    for vehicle in FleetStage.manifest.ownVehicles ?? [] { admit(vehicle) }
  }

  private mutating func admit(_ vehicle: String) {
    guard stages[vehicle] == nil else { return }
    stages[vehicle] = FleetStage(vehicle: vehicle, shared: settings)
    wakes[vehicle] = now
  }

  mutating func changeMap(to settings: FleetSettings) {
    self.settings = settings
    for vehicle in stages.keys { _ = stages[vehicle]?.receiveMap(settings) }
  }

  mutating func play(seconds: Double) {
    let end = now.advanced(bySeconds: seconds)
    while let next = wakes.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }), next.value <= end {
      now = max(now, next.value)
      wakes[next.key] = nil
      handle(.wake(now: now), next.key)
    }
    now = end
  }

  private mutating func handle(_ event: EncodedEvent, _ vehicle: String) {
    guard let outputs = try? stages[vehicle]?.receive(event) else { return }
    for output in outputs {
      switch output {
      case .publish(LocationRaw.topic, let stamp, let payload, _, _, _):
        guard let raw = try? LocationRaw(decoding: payload) else { continue }
        fixes.append(Fix(vehicle: vehicle, stamp: stamp, payload: payload, raw: raw))
      case .wake(let at): wakes[vehicle] = at
      case .admit(let another): admit(another)
      case .leave:
        left.append(vehicle)
        stages[vehicle] = nil
        wakes[vehicle] = nil
      case .count(let name, let amount): counts[name, default: 0] += amount
      case .call(let name, _, _, let token):
        calls.append((vehicle, name))
        if name == "navigate/start" {
          asked += 1
          handle(.reply(token: token, stamp: now, outcome: answer(asked)), vehicle)
        }
      default: break
      }
    }
  }
}
