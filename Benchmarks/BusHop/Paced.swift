import BusClient
import BusProtocol
import Glibc

/// Latency while so many messages a second pass: between a vehicle's few and a flood.
///
/// A publisher sends what is due every tenth of a millisecond, for two seconds; each message tells when it was sent.
/// The bus and the floor take turns, twice at each rate.
enum Paced {
  private static let usualRates = [1_000, 3_000, 5_000, 10_000, 20_000, 50_000, 100_000, 140_000]
  private static let seconds = 2

  static func report(_ directory: String, rates: [Int]) throws {
    print("messages/s      floor p50, p99 ms      the bus p50, p99 ms      not heard")
    for rate in rates.isEmpty ? usualRates : rates {
      var floor: [Int64] = []
      var bus: [Int64] = []
      for _ in 0..<2 {
        floor += try floorLatencies(directory, rate)
        bus += try busLatencies(directory, rate)
      }
      let missing = 2 * rate * seconds - bus.count
      print("\(rate)    \(percentiles(floor))    \(percentiles(bus))    \(missing)")
    }
  }

  private static func percentiles(_ values: [Int64]) -> String {
    guard !values.isEmpty else { return "-, -" }
    let sorted = values.sorted()
    let found = [0.5, 0.99].map { sorted[Int(Double(sorted.count - 1) * $0)] }
    return found.map { "\(Double($0 / 1_000) / 1_000)" }.joined(separator: ", ")
  }

  /// Calls `send` as often as is due, and sleeps between.
  private static func pace(_ rate: Int, _ send: (MonotonicTime) -> Void) {
    let start = MonotonicTime.now.nanoseconds
    var sent = 0
    while sent < rate * seconds {
      let due = Int((MonotonicTime.now.nanoseconds - start) * Int64(rate) / 1_000_000_000) + 1
      while sent < min(due, rate * seconds) {
        send(.now)
        sent += 1
      }
      usleep(100)
    }
  }

  private static func floorLatencies(_ directory: String, _ rate: Int) throws -> [Int64] {
    let path = try Floor.Path(directory)
    defer { path.end() }
    let publisher = path.publisher
    let sender = OSThread("sender") {
      var message = Floor.message(parts: 1)
      pace(rate) { now in
        withUnsafeBytes(of: now.nanoseconds) { bytes in
          for index in bytes.indices { message[0][index] = bytes[index] }
        }
        publisher.send(message)
      }
    }
    defer { sender.join() }
    var latencies: [Int64] = []
    latencies.reserveCapacity(rate * seconds)
    while latencies.count < rate * seconds, path.reader.hears(withinMS: 1_000) {
      latencies.append(
        MonotonicTime.now.nanoseconds - Int64(bitPattern: path.reader.firstBytes))
    }
    return latencies
  }

  private static func busLatencies(_ directory: String, _ rate: Int) throws -> [Int64] {
    let hop = try Hop(directory)
    defer { hop.end() }
    let reader = try hop.client("reader")
    let writer = try hop.client("writer")
    defer {
      reader.close()
      writer.close()
    }
    guard reader.subscribe([Hop.topic], waitingMS: 5_000) else { return [] }
    let sender = OSThread("sender") {
      pace(rate) { now in _ = writer.publish(Hop.publication(Int(now.nanoseconds))) }
    }
    defer { sender.join() }
    var latencies: [Int64] = []
    latencies.reserveCapacity(rate * seconds)
    while latencies.count < rate * seconds,
      case .message(let delivery)? = reader.next(waitingMS: 1_000)
    {
      latencies.append(MonotonicTime.now.nanoseconds - delivery.header.stampNS)
    }
    return latencies
  }
}
