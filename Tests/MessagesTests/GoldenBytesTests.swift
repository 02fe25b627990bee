import Foundation
import Messages
import Testing

@Suite struct `Golden bytes` {
  @Test(arguments: Examples.all)
  func `every example is read and written again byte for byte`(message: GoldenMessage) throws {
    try #require(!message.bytes.isEmpty)
    let value = try message.type.init(decoding: message.bytes)
    #expect(value.encoded() == message.bytes)
  }

  @Test(arguments: Examples.all)
  func `every example means what the JSON beside it says`(message: GoldenMessage) throws {
    let file = Examples.protocols.appendingPathComponent("examples/\(message.name).json")
    let expected = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    let shown = try MessagePackValue(decoding: message.bytes).json(indented: true)
    let found = try JSONSerialization.jsonObject(with: Data(shown.utf8))
    #expect(found as? NSDictionary == expected as? NSDictionary)
  }

  @Test(arguments: Examples.all)
  func `no example is larger than its topic or call allows`(message: GoldenMessage) throws {
    let topic = Topics.all.first { $0.schema.hasPrefix("\(message.name)/") }
    let call = Calls.all.first {
      [$0.request.schema, $0.reply.schema].contains { $0.hasPrefix("\(message.name)/") }
    }
    let limit = try #require(topic?.maxSizeBytes ?? call?.maxSizeBytes)
    #expect(message.bytes.count <= limit)
  }

  @Test func `a topic is found with the parts that vary`() {
    #expect(Topics.declaration(of: "_node/matcher/status")?.schema == "node_status/1.2")
    #expect(Topics.declaration(of: "location/raw")?.hasManyWriters == true)
    #expect(Topics.declaration(of: "location/raw")?.isSeenOneByOne == true)
    #expect(Topics.declaration(of: "traffic/flow")?.key == "feed")
    #expect(Topics.declaration(of: "location") == nil)
    #expect(Topics.declaration(of: "_node//status") == nil)
    #expect(Calls.declaration(of: "route/calculate")?.server == "router")
    #expect(Calls.declaration(of: "route/guess") == nil)
  }
}

/// A Python with the packages msgpack and zmq: the one of `.cache/python`, or the system's.
private let python: URL? = {
  let local = Examples.protocols.deletingLastPathComponent()
    .appendingPathComponent(".cache/python/bin/python")
  let candidates = [local, URL(fileURLWithPath: "/usr/bin/python3")]
  return candidates.first { run($0, ["-c", "import msgpack, zmq"])?.status == 0 }
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

@Suite struct `Other implementations` {
  @Test(
    .enabled(
      if: python != nil,
      "no Python with msgpack and pyzmq: python3 -m venv .cache/python, then pip install both"))
  func `the msgpack package of PyPI reads and writes the same bytes`() throws {
    let script = Examples.protocols.deletingLastPathComponent()
      .appendingPathComponent("clients/python/selftest.py")
    let result = try #require(python.flatMap { run($0, [script.path]) })
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("\(Examples.all.count) examples agree"))
  }

  @Test(.enabled(if: python != nil, "no Python with msgpack and pyzmq"))
  func `PyPI's msgpack reads what was never an example`() throws {
    var fix = LocationRaw(latDeg: -90, lonDeg: 180, timeNs: .max, provider: "größer 東京")
    fix.priority = .min
    let status = NodeStatus(
      node: String(repeating: "x", count: 70_000), state: .failed, run: .max,
      counters: ["a": -1, "b": 1 << 40])
    let script = """
      import msgpack, sys
      data = bytes.fromhex(open(sys.argv[1]).read())
      sys.stdout.write(msgpack.packb(msgpack.unpackb(data)).hex())
      """
    for bytes in [fix.encoded(), status.encoded()] {
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("navstack-\(UUID().uuidString).hex")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(hex(bytes).utf8).write(to: file)
      let result = try #require(python.flatMap { run($0, ["-c", script, file.path]) })
      #expect(result.output == hex(bytes))
    }
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
