import BusClient
import BusProtocol
import Foundation
import Foundations
import NodeKit
import Synchronization
import ZMQ

/// Numbered messages for several vehicles at a steady rate, and what came of each.
final class Drive: Sendable {
  /// What was wrong with what was heard, and how much of it there was.
  struct Findings: Hashable, Sendable {
    var heard: UInt64 = 0
    var lost: UInt64 = 0
    var doubled: UInt64 = 0
    /// Answers whose own number tells that a state was lost or a message counted twice.
    var miscounted: UInt64 = 0
    var first: String?
  }

  private let publisher: BusClient
  private let listener: BusClient
  private let vehicles: [String]
  private let perSecond: Int
  private let isEnding = Mutex(false)
  private let sent = Mutex<UInt64>(0)
  private let findings = Mutex(Findings())
  private let next = Mutex<[String: UInt64]>([:])
  private let threads = Mutex<[OSThread]>([])

  /// Starts to drive: `perSecond` messages in all, the vehicles taking turns.
  init(_ stack: TestStack, vehicles: [String], perSecond: Int) throws {
    publisher = try stack.client("source")
    listener = try BusClient(
      BusClient.Configuration(
        address: stack.address, name: "listener", kind: "tool", table: Contract.table))
    self.vehicles = vehicles
    self.perSecond = perSecond
    guard publisher.waitForBroker(timeoutMS: 5_000),
      listener.subscribe(vehicles.map { "\($0)/location/matched" }, waitingMS: 5_000)
    else { throw TestStack.NotReady() }
    threads.withLock {
      $0.append(OSThread("publish") { [self] in publish() })
      $0.append(OSThread("listen") { [self] in listen() })
    }
  }

  private func publish() {
    let start = MonotonicTime.now
    var number: UInt64 = 0
    while !isEnding.withLock({ $0 }) {
      let elapsedNS = MonotonicTime.now.nanoseconds - start.nanoseconds
      let due = UInt64(Double(elapsedNS) / 1e9 * Double(perSecond))
      while number < due {
        let vehicle = vehicles[Int(number) % vehicles.count]
        let result = publisher.publish(
          Publication(
            topic: "\(vehicle)/location/raw", stampNS: ClockStage.day.nanoseconds,
            schema: "location_raw/1.0", payload: Tally.bytes(number / UInt64(vehicles.count))))
        guard result == .sent else { break }
        number += 1
      }
      sent.withLock { $0 = number }
      var items: [PollItem] = []
      _ = try? poll(&items, timeoutMS: 1)
    }
  }

  private func listen() {
    while !isEnding.withLock({ $0 }) || heardAll == false {
      guard case .message(let delivery)? = listener.next(waitingMS: 50) else {
        if isEnding.withLock({ $0 }), isPatienceOver { return }
        continue
      }
      ingest(delivery)
    }
  }

  private let lastHeard = Mutex(MonotonicTime.now)
  private var isPatienceOver: Bool {
    MonotonicTime.now.nanoseconds - lastHeard.withLock { $0.nanoseconds } > 3_000_000_000
  }

  private var heardAll: Bool { findings.withLock { $0.heard } >= sent.withLock { $0 } }

  private func ingest(_ delivery: Delivery) {
    lastHeard.withLock { $0 = .now }
    let number = Tally.value(delivery.payload.prefix(8))
    let count = Tally.value(delivery.payload.dropFirst(8).prefix(8))
    let vehicle = delivery.vehicle ?? ""
    let expected = next.withLock { next in
      let expected = next[vehicle] ?? 0
      next[vehicle] = max(expected, number + 1)
      return expected
    }
    findings.withLock { findings in
      findings.heard += 1
      if number > expected { findings.lost += number - expected }
      if number < expected { findings.doubled += 1 }
      if count != number + 1 { findings.miscounted += 1 }
      if number != expected || count != number + 1, findings.first == nil {
        findings.first =
          "\(vehicle): \(number) came as number \(count) of \(delivery.header.source) run "
          + "\(delivery.header.run), expected was \(expected)"
      }
    }
  }

  /// Stops, waits for what is under way, and gives what was sent and heard.
  func end() -> (sent: UInt64, findings: Findings) {
    isEnding.withLock { $0 = true }
    for thread in threads.withLock({ $0 }) { thread.join() }
    publisher.close()
    listener.close()
    return (sent.withLock { $0 }, findings.withLock { $0 })
  }

  var heard: UInt64 { findings.withLock { $0.heard } }
}

/// How often something is done: a few times, or as often as the environment says.
func times(_ variable: String, default few: Int) -> Int {
  ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? few
}
