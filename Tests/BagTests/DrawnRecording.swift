import Bag
import BusProtocol
import Foundation

/// A place for one test's file, gone with it.
final class DrawnFile {
  let path: String

  init() {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("navstack-\(UUID().uuidString).mcap").path
  }

  deinit {
    for end in ["", ".part"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  /// Without emptying the file first, after which some file systems wait for the disk.
  func put(_ bytes: [UInt8]) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(file) }
    guard pwrite(file, bytes, bytes.count, 0) == bytes.count, ftruncate(file, bytes.count) == 0
    else { throw CocoaError(.fileWriteUnknown) }
  }
}

/// A recording of a few topics, with all that a header can say.
enum DrawnRecording {
  /// Frames whose headers vary: plain ones, and such as need a trace.
  static func frames(_ count: Int) -> [RecordedFrame] {
    (0..<count).map { k in
      let source = ["provider", "größer", "matcher.2"][k % 3]
      var header = Header(
        sequence: UInt64(k / 3 + 1), stampNS: Int64(k) * 1_000_000, source: source,
        run: UInt64(7 + k / 50), schema: k % 3 == 1 ? "" : "location_raw/1.\(k % 3)")
      if k % 4 == 1 {
        header.cause = Origin(topic: "location/raw", source: "x", run: 1, sequence: 99)
      }
      if k % 5 == 2 { header.key = "feed \(k)" }
      if k % 7 == 3 { header.ttlMS = 250 }
      if k % 11 == 4 { header.isLatched = true }
      if k % 13 == 5 { header.wallNS = -5 }
      if k % 17 == 6 { header.sequence = 1 << 40 + UInt64(k) }
      if k % 19 == 7 { header.stampNS = -3 }
      if k % 23 == 8 { header.id = "request" }
      let payload = (0..<(k * 37 % 150)).map { UInt8(truncatingIfNeeded: $0 / 3 + k) }
      return RecordedFrame(
        logTimeNS: 1_000_000_000 + Int64(k) * 10_000_000,
        frame: Frame(topic: "ego/topic\(k % 5)", header: header, payload: payload))
    }
  }

  static func write(
    _ frames: [RecordedFrame], to path: String,
    options: BagWriter.Options = BagWriter.Options(chunkBytes: 4_096)
  ) throws {
    let writer = try FrameWriter(
      path: path, options: options,
      schemaText: { $0 == "location_raw/1.0" ? Array("{}".utf8) : nil },
      deliveryClass: { $0 == "ego/topic2" ? .state : .stream })
    try writer.write(BagMetadata(name: "session", entries: ["vehicles": "ego", "clock": "sim"]))
    try writer.write(
      BagAttachment(
        name: "stack.yaml", mediaType: "text/yaml", logTimeNS: 5, data: Array("stack: x".utf8)))
    for one in frames { try writer.write(one.frame, logTimeNS: one.logTimeNS) }
    try writer.close()
  }

  static func read(_ cursor: FrameCursor) throws -> [RecordedFrame] {
    var frames: [RecordedFrame] = []
    while let frame = try cursor.next() { frames.append(frame) }
    return frames
  }
}
