import Bag
import BusProtocol
import Foundation
import Recorder

/// How fast recordings are written and read: docs/benchmarks.md.
///
/// `bench-recording [FOLDER] [MESSAGES]`; the folder decides about the disk.
@main
enum RecordingBench {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let folder = arguments.first ?? FileManager.default.temporaryDirectory.path
    let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
    for (name, compression) in [("none", BagWriter.Compression.none), ("zstd", .zstd(level: 1))] {
      for size in [300, 65_536] {
        try write("\(folder)/bench.mcap", name, compression, size, size == 300 ? count : count / 50)
      }
    }
    try record("\(folder)/bench.mcap", count)
    for end in ["", ".part"] { unlink("\(folder)/bench.mcap\(end)") }
  }

  /// Bytes of which a third is new in each message, as coordinates are.
  private static func payload(_ number: Int, _ size: Int) -> [UInt8] {
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<size).map { index in
      guard index % 3 == 0 else { return UInt8(truncatingIfNeeded: index) }
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  private static func write(
    _ path: String, _ name: String, _ compression: BagWriter.Compression, _ size: Int, _ count: Int
  ) throws {
    let payloads = (0..<64).map { payload($0, size) }
    let writer = try BagWriter(path: path, options: .init(compression: compression))
    let channels = try (0..<10).map { try writer.addChannel(topic: "ego/topic\($0)") }
    let watch = Watch()
    for k in 0..<count {
      try writer.write(
        BagMessage(
          channelID: channels[k % 10], sequence: UInt32(k), logTimeNS: UInt64(k) * 10_000,
          publishTimeNS: UInt64(k), payload: payloads[k % 64]))
    }
    try writer.finishChunk()
    watch.report("write, \(name), \(size) B", count, bytes: count * (size + 31))
    try writer.close()
    guard size == 300 else { return }
    let reading = Watch()
    let cursor = try Recording(path: path).frames()
    var read = 0
    while try cursor.next() != nil { read += 1 }
    reading.report("read, \(name), \(size) B", read, bytes: read * (size + 31))
  }

  /// As fast as the queue takes them: one thread gives, the recorder's writes.
  private static func record(_ path: String, _ count: Int) throws {
    unlink(path)
    let recorder = try Recorder(
      RecordingPlan(path: path, queueBytes: 64 << 20), table: TopicTable(),
      schemaText: { _ in nil },
      events: { _ in })
    recorder.start(latched: [], topics: [], brokerRun: 1, wallNS: wallClockNS())
    let payloads = (0..<64).map { payload($0, 300) }
    let topics = (0..<10).map { Array("ego/topic\($0)".utf8) }
    let watch = Watch()
    for k in 0..<count {
      let header = Header(
        sequence: UInt64(k / 10 + 1), stampNS: Int64(k), source: "bench", run: 1,
        schema: "location_raw/1.0", wallNS: Int64(k)
      ).encoded()
      while recorder.queuedBytes > 60 << 20 { usleep(100) }
      topics[k % 10].withUnsafeBytes { topic in
        header.withUnsafeBytes { header in
          payloads[k % 64].withUnsafeBytes {
            recorder.record(topic, header, $0, wallNS: Int64(k) * 1_000)
          }
        }
      }
    }
    recorder.cancel()
    recorder.join()
    watch.report("record (both threads), 300 B, traces", count, bytes: count * 331)
    print("lost \(recorder.state.loss.lost)")
  }
}

/// Wall and processor time, since other work on the machine takes from the one and not the other.
private struct Watch {
  private let wall = MonotonicTime.now
  private let processor = clock()

  func report(_ what: String, _ messages: Int, bytes: Int) {
    let wallS = Double(MonotonicTime.now.nanoseconds - wall.nanoseconds) / 1e9
    let processorS = Double(clock() - processor) / 1e6
    func rates(_ seconds: Double) -> String {
      "\(Int(Double(bytes) / seconds / 1e6)) MB/s, \(Int(Double(messages) / seconds)) messages/s"
    }
    print("\(what): \(rates(wallS)); by processor time \(rates(processorS))")
  }
}
