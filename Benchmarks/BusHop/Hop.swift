import Broker
import BusClient
import BusProtocol
import CLinux
import Glibc
import ZMQ

/// A broker on a thread of its own, and what is measured over it.
final class Hop {
  static let topic = "ego/bench/hop"
  private static let payload = [UInt8](repeating: 0x61, count: BusHop.payloadBytes)
  static let table = TopicTable([TopicTraits("bench/hop", .stream)])

  private let address: BusAddress
  private let stop: ThreadWaker
  private let thread: OSThread

  init(_ directory: String) throws {
    address = try BusAddress("ipc://\(directory)/bus")
    let stop = try ThreadWaker()
    let bound = try ThreadWaker()
    let broker = Broker(Broker.Configuration(address: address, table: Self.table))
    thread = OSThread("broker") {
      do {
        try broker.run(until: stop, whenBound: { bound.signal() })
      } catch {
        print("broker: \(error)")
        bound.signal()
      }
    }
    self.stop = stop
    var items = [bound.pollItem]
    try poll(&items, timeoutMS: 5_000)
  }

  func end() {
    stop.signal()
    thread.join()
  }

  func client(_ name: String) throws -> BusClient {
    let client = try BusClient(
      BusClient.Configuration(
        address: address, name: name, table: Self.table, streamDepth: 1_000_000))
    if !client.waitForBroker(timeoutMS: 5_000) { print("no bus") }
    return client
  }

  static func publication(_ number: Int) -> Publication {
    Publication(topic: topic, stampNS: Int64(number), schema: "bench_hop/1.0", payload: payload)
  }

  private func flood(_ writer: BusClient, _ count: Int) -> OSThread {
    OSThread("sender") {
      for number in 0..<count {
        _ = writer.publish(Self.publication(number), waitingUpToMS: 5_000)
      }
    }
  }

  /// From the call of `publish` to the work loop of the reader.
  func latency() throws -> [Int64] {
    let reader = try client("reader")
    let writer = try client("writer")
    defer {
      reader.close()
      writer.close()
    }
    guard reader.subscribe([Self.topic], waitingMS: 5_000) else { return [] }
    var latencies: [Int64] = []
    for number in 0..<Floor.latencyMessages {
      let sent = MonotonicTime.now
      _ = writer.publish(Self.publication(number))
      guard reader.next(waitingMS: 1_000) != nil else { continue }
      latencies.append(MonotonicTime.now.nanoseconds - sent.nanoseconds)
      usleep(BusHop.pauseUS)
    }
    return latencies
  }

  /// From the call of `publish` to a SUB that waits in `zmq_recv`.
  func latencyToPlainReader() throws -> [Int64] {
    let writer = try client("writer")
    defer { writer.close() }
    let reader = try plainReader(writer)
    return Floor.latencies(reader) { _ = writer.publish(Self.publication(1)) }
  }

  private func plainReader(_ writer: BusClient) throws -> PlainReader {
    let reader = try PlainReader(address.egress, Self.topic)
    // Whatever is heard now proves the subscription.
    while !reader.hears(withinMS: 10) { _ = writer.publish(Self.publication(0)) }
    while reader.hears(withinMS: 100) {}
    return reader
  }

  func throughputToPlainReader(_ count: Int) throws -> Throughput {
    let writer = try client("flood")
    defer { writer.close() }
    let reader = try plainReader(writer)
    return Throughput.measure(sent: count) {
      let sender = flood(writer, count)
      defer { sender.join() }
      return reader.count(upTo: count, parts: 3)
    }
  }

  func throughputToLibrary(_ count: Int) throws -> Throughput {
    let reader = try client("reader")
    let writer = try client("flood")
    defer {
      reader.close()
      writer.close()
    }
    guard reader.subscribe([Self.topic], waitingMS: 5_000) else {
      return Throughput(sent: count, received: 0, perSecond: 0, cpuMicroseconds: 0)
    }
    return Throughput.measure(sent: count) {
      let sender = flood(writer, count)
      defer { sender.join() }
      var received = 0
      var last = MonotonicTime.now
      while received < count, reader.next(waitingMS: 1_000) != nil {
        received += 1
        if received & 0xff == 0 || received == count { last = .now }
      }
      return (received, last)
    }
  }
}
