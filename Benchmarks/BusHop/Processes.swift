import BusClient
import BusProtocol
import Foundation

/// A hop as nodes have it: publisher, broker and reader are programs of their own, and each wakes where it left off.
///
/// The broker is `nav-bus` beside this program, the reader this program once more. Each message tells when it was sent, by
/// the clock that all processes of a machine share.
enum Processes {
  private static let ready = "ego/bench/ready"
  private static let messages = 24

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func report(_ directory: String, rateHz: Int) throws {
    let address = "ipc://\(directory)/bus"
    let broker = try start("nav-bus", [], ["NAV_BUS": address])
    defer { end(broker) }
    let writer = try client("writer", address)
    defer { writer.close() }
    guard writer.subscribe([ready], waitingMS: 5_000) else { throw Failure(description: "no bus") }
    let reader = try start("bench-bus-hop", ["reader", address, "\(rateHz)"], [:])
    guard writer.next(waitingMS: 10_000) != nil else {
      end(reader)
      throw Failure(description: "the reader did not begin")
    }
    for _ in 0..<messages {
      usleep(UInt32(1_000_000 / rateHz))
      _ = writer.publish(Hop.publication(Int(MonotonicTime.now.nanoseconds)))
    }
    reader.waitUntilExit()
  }

  /// The reader's part, from its arguments: prints what it found.
  static func read(_ arguments: [String]) throws {
    guard arguments.count == 2, let rateHz = Int(arguments[1]) else {
      throw Failure(description: "reader ADDRESS RATE")
    }
    let reader = try client("reader", arguments[0])
    defer { reader.close() }
    guard reader.subscribe([Hop.topic], waitingMS: 5_000) else {
      throw Failure(description: "the subscription is not in place")
    }
    _ = reader.publish(
      Publication(topic: ready, stampNS: 0, schema: "", payload: []), waitingUpToMS: 1_000)
    var latencies: [Int64] = []
    while latencies.count < messages,
      case .message(let delivery)? = reader.next(waitingMS: 3_000 + 1_000 / rateHz)
    {
      latencies.append(MonotonicTime.now.nanoseconds - delivery.header.stampNS)
    }
    guard !latencies.isEmpty else { throw Failure(description: "nothing was heard") }
    latencies.sort()
    let found = [0.5, 0.99].map { share in
      Double(latencies[Int(Double(latencies.count - 1) * share)] / 1_000) / 1_000
    }
    print(
      "between processes at \(rateHz) Hz: p50 \(found[0]) ms, p99 \(found[1]) ms, "
        + "\(latencies.count) of \(messages) heard")
  }

  private static func client(_ name: String, _ address: String) throws -> BusClient {
    let client = try BusClient(
      BusClient.Configuration(
        address: BusAddress(address), name: name, table: Hop.table, streamDepth: 1_000))
    if !client.waitForBroker(timeoutMS: 5_000) { throw Failure(description: "no bus") }
    return client
  }

  private static func start(
    _ name: String, _ arguments: [String], _ environment: [String: String]
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent(name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    try process.run()
    return process
  }

  private static func end(_ process: Process) {
    process.terminate()
    process.waitUntilExit()
  }
}
