import BusProtocol
import Testing

@testable import Watch

/// Rates from the broker's counters, and latencies from headers.
@Suite struct RateTests {
  private func picture(
    atMS: Int64, messages: UInt64, ageMS: UInt64, vehicles: Int = 1
  ) -> StackSnapshot {
    let topics = (0..<vehicles).map { number in
      TopicReport(
        name: "car\(number)/location/raw", deliveryClass: .stream, schema: "", source: "sim",
        messages: messages, bytes: messages * 100, oversize: 0, refused: 1, lastSequence: 0,
        lastStampNS: 5, ageMS: ageMS, readers: ["matcher"])
    }
    return StackSnapshot(
      nodes: [], topics: topics, services: [], statuses: [:],
      at: MonotonicTime(nanoseconds: atMS * 1_000_000))
  }

  @Test func `one message per second is one hertz, whenever the counters are read, RN-9`() throws {
    var rates = TopicRates()
    var rows: [TopicRates.Row] = []
    // Read each 1.3 s, messages at whole seconds.
    for step in 0..<8 {
      let now = Int64(step) * 1_300 + 350
      rows = rates.ingest(
        picture(atMS: now, messages: UInt64(now / 1_000), ageMS: UInt64(now % 1_000)))
    }
    let row = try #require(rows.first)
    #expect(abs(row.hz - 1) < 1e-9)
    #expect(abs(row.bytesPerSecond - 100) < 1e-6)
    #expect(row.writers == ["sim"] && row.readers == ["matcher"] && row.refused == 1)
  }

  @Test func `a topic that becomes silent loses its rate, and a new broker counts anew, RN-9`() {
    var rates = TopicRates(windowMS: 5_000)
    func hz(_ atMS: Int64, _ messages: UInt64, _ ageMS: UInt64) -> Double {
      rates.ingest(picture(atMS: atMS, messages: messages, ageMS: ageMS)).first?.hz ?? -1
    }
    #expect(hz(0, 10, 0) == 0)
    #expect(hz(1_000, 20, 0) == 10)
    #expect(hz(3_000, 20, 2_000) < 4)
    #expect(hz(9_000, 20, 8_000) == 0)
    #expect(hz(10_000, 3, 0) == 0)
    #expect(hz(11_000, 5, 0) == 2)
  }

  @Test func `the topics of a fleet are one row with their sum, RN-9`() throws {
    var rates = TopicRates()
    _ = rates.ingest(picture(atMS: 0, messages: 1, ageMS: 0, vehicles: 50))
    let rows = rates.ingest(picture(atMS: 2_000, messages: 3, ageMS: 0, vehicles: 50))
    let row = try #require(rows.first)
    #expect(rows.count == 1)
    #expect(row.name == "*/location/raw" && row.vehicles == 50)
    #expect(abs(row.hz - 50) < 1e-9)
  }

  private func frame(
    _ leaf: String, _ source: String, _ sequence: UInt64, atMS: Int64?, cause: Origin? = nil,
    isLatched: Bool = false
  ) -> Frame {
    Frame(
      topic: "ego/\(leaf)",
      header: Header(
        sequence: sequence, stampNS: 0, source: source, run: 1, schema: "", cause: cause,
        isLatched: isLatched, wallNS: atMS.map { $0 * 1_000_000 }), payload: [])
  }

  @Test func `a hop takes from a cause to its effect, and the chain adds up, RN-9`() throws {
    var hops = HopLatencies()
    for number in 1...300 {
      let at = Int64(number) * 1_000
      let slow: Int64 = number % 10 == 0 ? 40 : 4
      let sequence = UInt64(number)
      hops.ingest(frame("location/raw", "sim", sequence, atMS: at), arrivalNS: 0)
      hops.ingest(
        frame(
          "location/matched", "matcher", sequence, atMS: at + slow,
          cause: Origin(topic: "location/raw", source: "sim", run: 1, sequence: sequence)),
        arrivalNS: 0)
      hops.ingest(
        frame(
          "guidance/progress", "navigator", sequence, atMS: at + slow + 2,
          cause: Origin(topic: "location/matched", source: "matcher", run: 1, sequence: sequence)),
        arrivalNS: 0)
    }
    let rows = hops.rows
    #expect(rows.map(\.hop.to) == ["location/matched", "guidance/progress"])
    let first = try #require(rows.first)
    #expect(first.p50MS == 4 && first.maxMS == 40 && first.count == HopLatencies.kept)
    #expect(rows.last?.p50MS == 2 && rows.last?.sinceStartMS == 6 && rows.last?.depth == 2)
  }

  @Test func `without a time of sending the arrival counts, and repeated values do not, RN-9`() {
    var hops = HopLatencies()
    let cause = Origin(topic: "location/raw", source: "injected", run: 1, sequence: 1)
    hops.ingest(frame("location/raw", "injected", 1, atMS: nil), arrivalNS: 5_000_000)
    hops.ingest(
      frame("location/matched", "matcher", 1, atMS: 8, cause: cause, isLatched: true), arrivalNS: 0)
    #expect(hops.rows.isEmpty)
    hops.ingest(frame("location/matched", "matcher", 2, atMS: 8, cause: cause), arrivalNS: 0)
    #expect(hops.rows.map(\.p50MS) == [3])
  }

  @Test func `recent headers are kept, old ones are not, RN-9`() {
    var heard = RecentHeaders(capacity: 10)
    for number in 1...100 {
      heard.ingest(frame("location/raw", "sim", UInt64(number), atMS: 1))
    }
    func finds(_ sequence: UInt64) -> Bool {
      let origin = Origin(topic: "location/raw", source: "sim", run: 1, sequence: sequence)
      return heard.header(of: origin, vehicle: "ego") != nil
    }
    #expect(finds(100) && finds(91))
    #expect(!finds(70))
  }
}
