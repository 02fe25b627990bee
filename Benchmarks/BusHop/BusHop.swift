import Bus
import CLinux
import Glibc
import NodeKit

/// What a hop over the bus costs: latency at 100 Hz, and messages a second unpaced, 300 bytes each.
///
/// Publisher, broker and reader are threads of this process with contexts of their own, over ipc,
/// so the figures hold what separate processes pay but for the address spaces.
@main
struct BusHop {
  static let topic = "ego/bench/hop"
  static let payload = [UInt8](repeating: 0x61, count: 300)

  static func main() throws {
    var name = Array("/tmp/navhop.XXXXXX".utf8CString)
    guard let made = mkdtemp(&name) else { return }
    let address = try BusAddress("ipc://\(String(cString: made))/bus")
    let stop = try WakeUp()
    let bound = try WakeUp()
    let broker = Broker(
      Broker.Configuration(
        address: address, table: TopicTable([TopicTraits("bench/hop", .stream)])))
    let thread = OSThread("broker") {
      do {
        try broker.run(until: stop, whenBound: { bound.signal() })
      } catch {
        print("broker: \(error)")
      }
    }
    var items = [bound.pollItem]
    try poll(&items, timeoutMS: 5_000)
    try latency(address)
    try throughput(address)
    stop.signal()
    thread.join()
  }

  private static func client(_ name: String, _ address: BusAddress) throws -> BusClient {
    try BusClient(
      BusClient.Configuration(
        address: address, name: name, table: TopicTable([TopicTraits("bench/hop", .stream)]),
        streamDepth: 100_000))
  }

  private static func latency(_ address: BusAddress) throws {
    let reader = try client("reader", address)
    let writer = try client("writer", address)
    guard reader.subscribe([topic], waitingMS: 5_000), writer.waitForBroker(timeoutMS: 5_000)
    else { return print("no bus") }
    var histogram = LatencyHistogram()
    for number in 0..<1_000 {
      let sent = MonotonicTime.now
      _ = writer.publish(
        Publication(topic: topic, stampNS: Int64(number), schema: "", payload: payload))
      guard reader.next(waitingMS: 1_000) != nil else { continue }
      histogram.add(nanoseconds: MonotonicTime.now.nanoseconds - sent.nanoseconds)
      usleep(10_000)
    }
    print(
      "latency, publish to work loop, 300 B at 100 Hz: p50 \(histogram.percentileMS(0.5) ?? 0) ms, "
        + "p99 \(histogram.percentileMS(0.99) ?? 0) ms, \(histogram.total) of 1000")
    reader.close()
    writer.close()
  }

  private static func throughput(_ address: BusAddress) throws {
    let count = 300_000
    let reader = try Socket(.subscribe, in: try Context())
    try reader.setHighWater(send: 0, receive: 0)
    try reader.connect(address.egress)
    try reader.subscribe(topic)
    let writer = try client("flood", address)
    guard writer.waitForBroker(timeoutMS: 5_000) else { return print("no bus") }
    let start = MonotonicTime.now
    let sender = OSThread("sender") {
      for number in 0..<count {
        _ = writer.publish(
          Publication(topic: topic, stampNS: Int64(number), schema: "", payload: payload),
          waitingUpToMS: 1_000)
      }
    }
    var received = 0
    var last = MonotonicTime.now
    while true {
      var items = [PollItem(readable: reader)]
      guard try poll(&items, timeoutMS: 500) else { break }
      while try reader.receive() != nil { received += 1 }
      last = .now
    }
    sender.join()
    let seconds = Double(last.nanoseconds - start.nanoseconds) / 1e9
    print(
      "throughput, 300 B, one publisher, one reader: \(received) of \(count) in \(seconds) s, "
        + "\(Int(Double(received) / seconds)) a second")
    writer.close()
  }
}
