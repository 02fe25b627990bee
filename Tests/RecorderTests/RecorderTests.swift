import Bag
import Foundation
import Testing

@testable import BusClient
@testable import BusProtocol
@testable import Recorder

@Suite struct RecorderTests {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("navstack-\(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private let table = TopicTable([
    TopicTraits("route/active", .state), TopicTraits("location/raw", .stream),
  ])

  private func frame(_ topic: String, _ number: Int, key: String? = nil, size: Int = 20) -> Frame {
    Frame(
      topic: topic,
      header: Header(
        sequence: UInt64(number), stampNS: Int64(number), source: "n", run: 3, schema: "s/1.0",
        key: key),
      payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size))
  }

  private func give(_ frame: Frame, to recorder: Recorder, wallNS: Int64) {
    let parts = frame.parts
    parts[0].withUnsafeBytes { topic in
      parts[1].withUnsafeBytes { header in
        parts[2].withUnsafeBytes { recorder.record(topic, header, $0, wallNS: wallNS) }
      }
    }
  }

  private func finish(_ recorder: Recorder) -> RecordingStatus {
    recorder.cancel()
    recorder.join()
    return recorder.state
  }

  private func recorder(_ plan: RecordingPlan) throws -> Recorder {
    try Recorder(plan, table: table, schemaText: { _ in nil }, events: { _ in })
  }

  private func frames(_ path: String) throws -> [RecordedFrame] {
    let cursor = try Recording(path: path).frames()
    var found: [RecordedFrame] = []
    while let frame = try cursor.next() { found.append(frame) }
    return found
  }

  @Test func `latched values come first, then all in order, BUS-3`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/a.mcap"
    let recorder = try recorder(RecordingPlan(path: path, notes: ["vehicles": "ego"]))
    var latched = frame("ego/route/active", 5)
    latched.header.isLatched = true
    recorder.start(latched: [latched], topics: [], brokerRun: 9, wallNS: 100)
    let live = (1...5_000).map { frame("ego/location/raw", $0) }
    for one in live { give(one, to: recorder, wallNS: 200 + Int64(one.header.sequence)) }
    let status = finish(recorder)
    #expect(status.failure == nil && status.messages == 5_000 && status.files == [path])
    #expect(try frames(path).map(\.frame) == [latched] + live)
    let reader = try BagReader(path: path)
    let session = try reader.metadata(try #require(reader.summary.metadata.first))
    #expect(session.entries["vehicles"] == "ego" && session.entries["broker_run"] == "9")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/latest.mcap") == "a.mcap"
    )
  }

  @Test func `each file of a split begins with the last values, and nothing falls between`() throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let recorder = try recorder(RecordingPlan(path: "\(folder)/a.mcap", splitS: 1))
    recorder.start(latched: [], topics: [], brokerRun: 9, wallNS: 0)
    var sent: [Frame] = []
    for k in 1...100 {
      let one =
        k % 10 == 3 ? frame("ego/route/active", k, key: "k\(k % 20)") : frame("ego/location/raw", k)
      sent.append(one)
      give(one, to: recorder, wallNS: Int64(k) * 40_000_000)
    }
    let status = finish(recorder)
    #expect(
      status.files.map { URL(filePath: $0).lastPathComponent } == [
        "a.mcap", "a.2.mcap", "a.3.mcap", "a.4.mcap", "a.5.mcap",
      ])
    var live: [Frame] = []
    for (index, path) in status.files.enumerated() {
      let found = try frames(path).map(\.frame)
      let first = found.prefix { $0.header.isLatched }
      #expect(Set(first.map(\.header.key)) == (index == 0 ? [] : ["k3", "k13"]), "\(path)")
      for value in first {
        let newest = live.last { $0.header.key == value.header.key }
        #expect(newest?.payload == value.payload)
      }
      live += found.dropFirst(first.count)
    }
    #expect(live == sent)
  }

  @Test func `the oldest files go when they are too much, and only those of the recording`() throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for other in ["b.mcap", "a.old.mcap", "a.02.mcap"] {
      try Data(count: 100_000).write(to: URL(filePath: "\(folder)/\(other)"))
    }
    let recorder = try recorder(
      RecordingPlan(
        path: "\(folder)/a.mcap", splitS: 1, keepBytes: 60_000, options: .init(compression: .none)))
    recorder.start(latched: [], topics: [], brokerRun: 9, wallNS: 0)
    for k in 1...200 {
      give(frame("ego/location/raw", k, size: 1_000), to: recorder, wallNS: Int64(k) * 50_000_000)
    }
    let status = finish(recorder)
    #expect(status.files.count == 3 && status.files.last == "\(folder)/a.11.mcap")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(
      left == [
        "a.02.mcap", "a.10.mcap", "a.11.mcap", "a.9.mcap", "a.old.mcap", "b.mcap", "latest.mcap",
      ])
  }

  @Test func `a full queue costs messages, each counted by topic, BUS-4`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/a.mcap"
    let recorder = try recorder(RecordingPlan(path: path, queueBytes: 10_000))
    recorder.start(latched: [], topics: [], brokerRun: 9, wallNS: 0)
    // More than the queue holds: it cannot be in there, however quick the thread is.
    give(frame("ego/scene/frame", 1, size: 20_000), to: recorder, wallNS: 1)
    give(frame("ego/location/raw", 1), to: recorder, wallNS: 2)
    let status = finish(recorder)
    #expect(status.loss.lostByTopic == ["ego/scene/frame": 1] && status.messages == 1)
    let reader = try BagReader(path: path)
    let index = try #require(reader.summary.metadata.first { $0.name == LossTable.metadataName })
    #expect(LossTable(entries: try reader.metadata(index).entries) == status.loss)
  }

  @Test func `what the broker drops meanwhile is in the table`() {
    func report(_ oversize: UInt64, _ refused: UInt64) -> TopicReport {
      TopicReport(
        name: "ego/x", deliveryClass: .stream, schema: "", source: "", messages: 0, bytes: 0,
        oversize: oversize, refused: refused, lastSequence: 0, lastStampNS: 0, ageMS: 0, readers: []
      )
    }
    var table = LossTable()
    table.add(from: [report(3, 1)], to: [report(5, 1)])
    #expect(table.entries == ["ego/x oversize": "2"] && table.lost == 0)
    #expect(LossTable(entries: table.entries) == table)
  }

  @Test func `a disk that cannot be written ends the recording once, and costs nobody anything`()
    throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: BagError.self) { try recorder(RecordingPlan(path: "\(folder)/none/a.mcap")) }
    #expect(throws: BagError.self) { try recorder(RecordingPlan(path: "/proc/a.mcap")) }
  }

  @Test func `patterns: the last that fits decides`() {
    let all = TopicFilter([])
    #expect(all.includes("ego/location/raw") && all.includes("_clock"))
    let most = TopicFilter(["*", "!location/raw", "!_log/", "car2/location/raw"])
    #expect(most.includes("ego/route/active") && !most.includes("ego/location/raw"))
    #expect(most.includes("car2/location/raw") && !most.includes("_log/nav-bus"))
    let without = TopicFilter(["!guidance/"])
    #expect(!without.includes("ego/guidance/road") && without.includes("ego/location/raw"))
    let some = TopicFilter(["ego/", "_clock"])
    #expect(some.includes("ego/x") && some.includes("_clock") && !some.includes("car/x"))
    let every = TopicFilter(["*/location/raw", "*/route/"])
    #expect(every.includes("ego/location/raw") && every.includes("car2/route/active"))
    #expect(!every.includes("ego/location/matched") && !every.includes("_clock"))
  }

  @Test func `patterns that select nothing are found`() {
    let topics = ["ego/location/raw", "car2/route/active", "_clock"]
    let filter = TopicFilter(["*", "locaton/raw", "!_log/", "route/", "*/route/active", "!_clock"])
    #expect(filter.unmatched(among: topics) == ["locaton/raw"])
  }
}
