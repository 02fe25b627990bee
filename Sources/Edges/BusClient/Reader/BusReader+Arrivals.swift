import BusProtocol
import Synchronization

// Passes on what arrived from the bus, and handles subscriptions on their way to the broker.
extension BusReader {
  /// Delivers what the reception has accepted, and sends the requests it wants sent.
  mutating func deliverAccepted(now: MonotonicTime) {
    let outputs = client.reception.withLock { reception in take(&reception.outputs) }
    guard !outputs.isEmpty || !arrivals.isEmpty else { return }
    var dropped: [Int] = []
    let delivered = client.inbox.append(outputs) { dropped.append($0.place.number) }
    if !dropped.isEmpty { client.reception.withLock { $0.countQueueDrops(dropped) } }
    for output in delivered < outputs.count ? outputs : [] {
      switch output {
      case .deliver: continue
      case .refill(let refill):
        let question = ControlMessage.Refill(
          token: ask(.refill(refill)), run: refill.run, topic: refill.topic, src: refill.source,
          from: refill.from, to: refill.to)
        if !send(question) {
          questions[nextToken] = nil
          client.reception.withLock { $0.endRefill(refill, now: now) }
        }
      case .snapshot(let patterns): requestSnapshot(patterns, isHeld: false, now: now)
      case .settled(let token):
        for index in arrivals.indices { arrivals[index].waitsFor.remove(token) }
      }
    }
    welcomeArrivals()
  }

  mutating func handleSyncEcho(_ payload: [UInt8]) {
    guard case .sync(let echo)? = try? ControlMessage(decoding: payload) else { return }
    // A standby has the same name and its own numbers.
    if let run = echo.run, run != client.run { return }
    heardSync = max(heardSync, echo.token)
  }

  mutating func welcomeArrivals() {
    guard !arrivals.isEmpty else { return }
    for arrival in arrivals where arrival.isInPlace(heardSync) { arrival.whenReady() }
    let heard = heardSync
    arrivals.removeAll { $0.isInPlace(heard) }
  }
}

extension BusReader.Arrival {
  func isInPlace(_ heardSync: UInt64) -> Bool {
    waitsFor.isEmpty && syncToken > 0 && syncToken <= heardSync
  }
}
