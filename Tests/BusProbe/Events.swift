import ArgumentParser
import BusClient
import BusProtocol
import Glibc

/// Publishes events at a steady rate.
struct WriteEvents: ParsableCommand {
  @Option var count = 1_000
  @Option var rate = 200

  func run() throws {
    let writer = try BusProbe.client("event-writer", publishes: ["probe/event"])
    for number in 1...count {
      _ = writer.publish(BusProbe.publication("ego/probe/event", number))
      // The pace that was asked for.
      usleep(UInt32(1_000_000 / rate))
    }
    BusProbe.say("done")
    // Whoever missed some has them given again by the broker; this one has done its part.
    writer.close()
  }
}

/// Reads events up to a number, and tells whether they were complete, in order and once.
struct ReadEvents: ParsableCommand {
  @Option var count = 1_000
  @Option var patience = 30

  func run() throws {
    let reader = try BusProbe.client("event-reader")
    guard reader.subscribe(["ego/probe/event"], waitingMS: 10_000) else { throw ExitCode.failure }
    BusProbe.say("ready")
    var numbers: [Int64] = []
    while numbers.last ?? 0 < Int64(count),
      let event = reader.next(waitingMS: patience * 1_000)
    {
      if case .message(let delivery) = event { numbers.append(delivery.header.stampNS) }
    }
    let isComplete = numbers == (0..<count).map { Int64($0) + 1 }
    let seen = reader.receptions["ego/probe/event"]
    BusProbe.say(
      "{\"received\":\(numbers.count),\"complete\":\(isComplete),\"lost\":\(seen?.lost ?? 0),"
        + "\"refilled\":\(seen?.refilled ?? 0),\"queue_drops\":\(seen?.queueDrops ?? 0)}")
    reader.close()
  }
}
