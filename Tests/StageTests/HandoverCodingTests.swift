import DrawnMaps
import Foundations
import Geodesy
import MatcherStage
import Messages
import RoadGraph
import Stage
import Testing

/// A stage that took over answers as the one before would have.
@Suite struct HandoverCodingTests {
  private let start = Instant(seconds: 1_790_000_000)

  private func map() throws -> DrawnMap {
    try DrawnMap(
      """
      a----b----c
           |    |
           d----e
      """,
      ways: ["abc": "highway=primary", "bd": "highway=residential", "dec": "highway=tertiary"])
  }

  /// A noisy drive with outliers, stands, a jump and fixes of two receivers.
  private func drive(_ map: DrawnMap, seed: UInt64) throws -> [EncodedEvent] {
    var random = SplitMix64(seed: seed)
    let legs: [(Character, Character)] = [("a", "b"), ("b", "d"), ("d", "e"), ("e", "c")]
    var events: [EncodedEvent] = []
    for second in 0..<240 {
      let leg = legs[min(3, second / 60)]
      var fraction = Double(second % 60) / 60
      if (20..<30).contains(second % 60) { fraction = 20.0 / 60 }
      let place = try map.coordinate(leg.0, leg.1, fraction)
      let isOutlier = random.next() % 23 == 0
      let spreadDeg = isOutlier ? 0.02 : 0.0001
      func noise() -> Double { (Double(random.next() % 2_001) / 1_000 - 1) * spreadDeg }
      let fix = LocationRaw(
        latDeg: place.latitudeDeg + noise(), lonDeg: place.longitudeDeg + noise(),
        timeNs: start.advanced(bySeconds: Double(second)).nanoseconds,
        speedMps: random.next() % 3 == 0 ? 8 : nil, accuracyM: 10,
        provider: second % 5 == 4 ? "second" : "first", priority: second % 5 == 4 ? 0 : 1)
      events.append(
        .message(
          EncodedMessage(
            topic: LocationRaw.topic, stamp: start.advanced(bySeconds: Double(second)),
            source: "gps", run: 1, sequence: UInt64(second + 1), payload: fix.encoded())))
    }
    return events
  }

  private func answers(
    _ events: [EncodedEvent], by shared: MatcherShared, swappedAfter every: Int?
  ) throws -> [[UInt8]] {
    var stage = MatcherStage(vehicle: "ego", shared: shared)
    var answers: [[UInt8]] = []
    for (number, event) in events.enumerated() {
      if let every, number % every == every - 1 {
        let state = try #require(stage.handOverState)
        stage = MatcherStage(vehicle: "ego", shared: shared)
        try stage.takeOver(state)
        #expect(stage.handOverState == state, "nothing is added or lost")
      }
      do throws(Refusal) {
        for case .publish(_, _, let payload, _, _, _) in try stage.receive(event) {
          answers.append(payload)
        }
      } catch {
        answers.append(Array(error.message.utf8))
      }
    }
    return answers
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a matcher that is swapped at any fix answers as one that is not, BUS-1`(seed: UInt64) throws
  {
    let map = try map()
    let events = try drive(map, seed: seed)
    for smoothing in ["lag", "agreed"] {
      let parameters = try Parameters(
        ["map": "drawn", "smoothing": .string(smoothing)],
        declared: MatcherStage.manifest.parameters)
      let shared = MatcherShared(graph: map.graph, parameters: parameters)
      let whole = try answers(events, by: shared, swappedAfter: nil)
      #expect(whole.count > 300)
      for every in [1, 7, 61] {
        let swapped = try answers(events, by: shared, swappedAfter: every)
        #expect(swapped == whole, "\(smoothing), every \(every)")
      }
    }
  }

  @Test func `a matcher that only restarts answers otherwise: the lattice is what counts`() throws {
    let map = try map()
    let shared = MatcherShared(graph: map.graph)
    let events = try drive(map, seed: 1)
    var stage = MatcherStage(vehicle: "ego", shared: shared)
    for event in events.prefix(100) { _ = try? stage.receive(event) }
    var restarted = MatcherStage(vehicle: "ego", shared: shared)
    try restarted.restore(try #require(stage.savedState))
    #expect(restarted.handOverState != stage.handOverState)
  }

  @Test func `a damaged state, one of another version and one of another map are not taken`() throws
  {
    let map = try map()
    let shared = MatcherShared(graph: map.graph)
    var stage = MatcherStage(vehicle: "ego", shared: shared)
    for event in try drive(map, seed: 1).prefix(60) { _ = try? stage.receive(event) }
    let state = try #require(stage.handOverState)
    var random = SplitMix64(seed: 5)
    var refused = 0
    for _ in 0..<500 {
      var damaged = state
      for _ in 0..<8 {
        damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(random.next() & 0xff)
      }
      var fresh = MatcherStage(vehicle: "ego", shared: shared)
      do {
        try fresh.takeOver(damaged)
        _ = try? fresh.receive(try drive(map, seed: 1)[61])
      } catch {
        refused += 1
      }
    }
    #expect(refused > 100)
    #expect(throws: Refusal.self) {
      try stage.takeOver(try #require(HandoverCoding.encode(["a": 1], version: 1)))
    }
    let other = try DrawnMap("a----b", ways: ["ab": "highway=primary"])
    var elsewhere = MatcherStage(vehicle: "ego", shared: MatcherShared(graph: other.graph))
    try elsewhere.takeOver(state)
    #expect(elsewhere.savedState == stage.savedState, "time goes on, the lattice begins anew")
  }
}
