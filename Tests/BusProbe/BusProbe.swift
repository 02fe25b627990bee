import ArgumentParser
import BusClient
import BusProtocol
import Glibc

/// Readers, publishers and servers that the tests in `Tests/Drives` kill, stop and count.
///
/// They say in lines what they have seen; `NAV_BUS` names the bus.
@main
struct BusProbe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bus-probe",
    subcommands: [Pace.self, Flow.self, WriteEvents.self, ReadEvents.self, Serve.self, Call.self])

  static let table = TopicTable([
    TopicTraits("probe/stream", .stream, isSeenOneByOne: true),
    TopicTraits("probe/event", .event),
  ])

  static func client(_ name: String, publishes: [String] = []) throws -> BusClient {
    guard let base = getenv("NAV_BUS") else { throw ValidationError("NAV_BUS is not set") }
    let client = try BusClient(
      BusClient.Configuration(
        address: try BusAddress(String(cString: base)), name: name, table: table,
        publishes: publishes, streamDepth: 100_000))
    guard client.waitForBroker(timeoutMS: 20_000) else { throw ValidationError("no broker") }
    return client
  }

  static func publication(_ topic: String, _ number: Int) -> Publication {
    Publication(
      topic: topic, stampNS: Int64(number), schema: "probe/1.0",
      payload: [UInt8](repeating: 0x61, count: 100))
  }

  /// Prints a line at once: whoever reads it waits for it.
  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}

/// Publishes at a steady rate and reads it, and tells how late it was and what was lost.
struct Pace: ParsableCommand {
  @Option var rate = 50_000
  @Option var seconds = 5

  func run() throws {
    let reader = try BusProbe.client("pace-reader")
    let writer = try BusProbe.client("pace-writer")
    let topic = "pace/probe/pace"
    guard reader.subscribe([topic], waitingMS: 10_000) else { throw ExitCode.failure }
    let count = rate * seconds
    let sender = OSThread("sender") { Self.send(writer, topic, count: count, rate: rate) }
    var latencies: [Int64] = []
    latencies.reserveCapacity(count)
    // Without a message for so long, all have come that will.
    while latencies.count < count, case .message(let delivery)? = reader.next(waitingMS: 3_000) {
      latencies.append(MonotonicTime.now.nanoseconds - delivery.header.stampNS)
    }
    sender.join()
    latencies.sort()
    func percentile(_ share: Double) -> Double {
      latencies.isEmpty ? 0 : Double(latencies[Int(Double(latencies.count - 1) * share)]) / 1e6
    }
    let seen = reader.receptions[topic]
    let written = writer.publications[topic]
    BusProbe.say(
      "{\"sent\":\(written?.sent ?? 0),\"refused\":\(written?.refused ?? 0),"
        + "\"received\":\(latencies.count),\"lost\":\((seen?.lost ?? 0) + (seen?.queueDrops ?? 0)),"
        + "\"p50_ms\":\(percentile(0.5)),\"p99_ms\":\(percentile(0.99))}")
    reader.close()
    writer.close()
  }

  private static func send(_ writer: BusClient, _ topic: String, count: Int, rate: Int) {
    let start = MonotonicTime.now.nanoseconds
    for number in 0..<count {
      let due = start + Int64(number) * 1_000_000_000 / Int64(rate)
      while MonotonicTime.now.nanoseconds < due {
        var rest = timespec(tv_sec: 0, tv_nsec: 200_000)
        nanosleep(&rest, nil)
      }
      // Stamped when it was due, so that a sender that was late is not taken for a quick bus.
      var publication = BusProbe.publication(topic, 0)
      publication.stampNS = due
      _ = writer.publish(publication)
    }
  }
}

/// Publishes on many topics and reads them, through brokers that come and go.
///
/// Each line on the standard input says that the broker was just killed; the answer is how long it
/// took until each topic was heard again. At the end of the input all is counted.
struct Flow: ParsableCommand {
  @Option var topics = 3_000

  func run() throws {
    let reader = try BusProbe.client("flow-reader")
    let writer = try BusProbe.client("flow-writer")
    let names = (0..<topics).map { "car\($0)/probe/stream" }
    guard reader.subscribe(names, waitingMS: 30_000) else { throw ExitCode.failure }
    BusProbe.say("ready")
    let input = LineInput()
    var unheard: Set<String> = []
    var killedAt: MonotonicTime?
    var number = 0
    while !input.isAtEnd {
      if input.takesLine() {
        unheard = Set(names)
        killedAt = .now
      }
      // Each topic speaks some three times a second.
      for _ in 0..<max(1, topics / 60) {
        _ = writer.publish(BusProbe.publication(names[number % topics], number))
        number += 1
      }
      let next = MonotonicTime.now.advanced(byMS: 5)
      repeat {
        while case .message(let delivery)? = reader.next() {
          // What was under way when the broker was killed tells nothing of the new one.
          if let killedAt, delivery.arrival > killedAt.advanced(byMS: 20) {
            unheard.remove(delivery.topic)
          }
        }
        if let begin = killedAt, unheard.isEmpty {
          BusProbe.say("{\"outage_ms\":\(MonotonicTime.now.milliseconds(since: begin))}")
          killedAt = nil
        }
        // The pace of the load; what came meanwhile is taken at the next turn.
        usleep(500)
      } while next > .now
    }
    settle(reader, writer, names)
    reader.close()
    writer.close()
  }

  /// Waits until all is accounted for, and says whether it is.
  private func settle(_ reader: BusClient, _ writer: BusClient, _ names: [String]) {
    let deadline = MonotonicTime.now.advanced(byMS: 15_000)
    var unexplained = names.count
    while unexplained > 0, deadline > .now {
      while reader.next(waitingMS: 200) != nil {}
      let seen = reader.receptions
      let written = writer.publications
      unexplained =
        names.filter { name in
          guard let seen = seen[name] else { return true }
          return seen.received + seen.lost != written[name]?.lastSequence ?? 0
        }.count
    }
    let seen = reader.receptions.values
    let written = writer.publications.values
    BusProbe.say(
      "{\"published\":\(written.reduce(0) { $0 + $1.lastSequence }),"
        + "\"refused\":\(written.reduce(0) { $0 + $1.refused }),"
        + "\"received\":\(seen.reduce(0) { $0 + $1.received }),"
        + "\"lost\":\(seen.reduce(0) { $0 + $1.lost }),"
        + "\"doubled\":\(seen.reduce(0) { $0 + $1.duplicates }),\"unexplained\":\(unexplained)}")
  }
}
