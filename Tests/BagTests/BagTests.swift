import Bag
import Foundation
import Testing

private let python: URL? = {
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  let program = root.appendingPathComponent(".cache/python/bin/python")
  return run(program, ["-c", "import mcap"])?.status == 0 ? program : nil
}()

private func run(_ program: URL, _ arguments: [String]) -> (status: Int32, output: String)? {
  let process = Process()
  process.executableURL = program
  process.arguments = arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  guard (try? process.run()) != nil else { return nil }
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}

@Suite struct BagTests {
  private let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("navstack-\(UUID().uuidString).mcap").path

  private let drawn = [
    BagMessage(
      topic: "location/raw", source: "provider", schemaName: "location_raw/1.0", sequence: 1,
      logTimeNS: 20, publishTimeNS: 10, payload: [0x81, 0xA1, 0x61, 1]),
    BagMessage(
      topic: "location/raw", source: "größer", schemaName: "", sequence: UInt64(UInt32.max),
      logTimeNS: .max, publishTimeNS: 0, payload: []),
    BagMessage(
      topic: "location/raw", source: "provider", schemaName: "location_raw/1.0", sequence: 2,
      logTimeNS: 30, publishTimeNS: 30, payload: [0xC0]),
  ]

  private func record() throws {
    let writer = try BagWriter(path: path, schemas: ["location_raw/1.0": Array("{}".utf8)])
    for message in drawn { try writer.write(message) }
    #expect(!FileManager.default.fileExists(atPath: path))
    try writer.close()
    #expect(!FileManager.default.fileExists(atPath: "\(path).part"))
  }

  private func remove() { try? FileManager.default.removeItem(atPath: path) }

  @Test func `what was written is read again`() throws {
    defer { remove() }
    try record()
    #expect(try BagReader.messages(path: path) == drawn)
    #expect(try BagReader(path: path).profile == "nav")
  }

  @Test func `a file cut at any byte gives the whole messages before the cut, and its place`()
    throws
  {
    defer { remove() }
    try record()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var most = 0
    for count in 0..<whole.count {
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
      var read: [BagMessage] = []
      do throws(BagError) {
        let reader = try BagReader(path: path)
        while let message = try reader.next() { read.append(message) }
        Issue.record("\(count) bytes of \(whole.count) passed as a whole file")
      } catch {
        guard case .truncated = error.reason else {
          Issue.record("\(error)")
          continue
        }
        #expect(error.byteOffset <= count)
      }
      #expect(read == Array(drawn.prefix(read.count)) && read.count >= most)
      most = read.count
    }
    #expect(most == drawn.count)
  }

  @Test func `any one byte changed gives messages or a typed error`() throws {
    defer { remove() }
    try record()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for k in whole.indices {
      var changed = whole
      changed[k] ^= 0xFF
      try changed.write(to: URL(fileURLWithPath: path))
      do throws(BagError) {
        _ = try BagReader.messages(path: path)
      } catch {
        #expect((0...whole.count).contains(error.byteOffset))
      }
    }
  }

  @Test func `a file of another kind is refused at its first byte`() throws {
    defer { remove() }
    try Data("this is no recording".utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: BagError.self) { try BagReader.messages(path: path) }
    #expect(error == BagError(reason: .wrongMagic, path: path, byteOffset: 0))
  }

  @Test func `unknown records are skipped, chunks are not passed over in silence`() throws {
    defer { remove() }
    try record()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let afterHeader = 8 + 9 + 7 + 12
    bytes.insert(contentsOf: [0x80, 2, 0, 0, 0, 0, 0, 0, 0, 7, 7], at: afterHeader)
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try BagReader.messages(path: path) == drawn)
    bytes[afterHeader] = 0x06
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: BagError.self) { try BagReader.messages(path: path) }
    #expect(error == BagError(reason: .chunked, path: path, byteOffset: afterHeader))
  }

  @Test func `a number beyond 32 bits is refused and the file stays whole`() throws {
    defer { remove() }
    let writer = try BagWriter(path: path)
    var message = drawn[0]
    message.sequence = 1 << 32
    #expect(throws: BagError.self) { try writer.write(message) }
    try writer.write(drawn[0])
    try writer.close()
    #expect(throws: BagError.self) { try writer.write(drawn[0]) }
    #expect(try BagReader.messages(path: path) == [drawn[0]])
  }

  @Test(.enabled(if: python != nil, "no .cache/python with the package mcap"))
  func `the mcap package of PyPI reads the same messages`() throws {
    defer { remove() }
    try record()
    let script = """
      from mcap.reader import make_reader
      with open(__import__("sys").argv[1], "rb") as f:
        for s, c, m in make_reader(f).iter_messages(log_time_order=False):
          print(c.topic, s.name if s else "-", m.sequence, m.log_time, m.data.hex())
      """
    let result = try #require(python.flatMap { run($0, ["-c", script, path]) })
    let expected = [
      "location/raw location_raw/1.0 1 20 81a16101",
      "location/raw - 4294967295 9223372036854775807 ",
      "location/raw location_raw/1.0 2 30 c0",
    ]
    #expect(result.output == expected.map { "\($0)\n" }.joined())
  }
}
