import Bus
import EventTime
import Messages
import NodeKit
import Stage

/// Which vehicles' states are to be saved, when, and what was saved last.
struct StateKeeper {
  /// A state that nobody has heard of yet is saved within this time.
  static let delayMS: Int64 = 250

  let topic: String
  let program: String
  private(set) var mustSave = false
  private(set) var nextSave = MonotonicTime(nanoseconds: .max)
  private var dirty: Set<String> = []
  private var saved: [String: [UInt8]] = [:]

  init(node: String, program: String) {
    topic = "_state/\(node)"
    self.program = program
  }

  mutating func changed(_ vehicle: String, mustSave: Bool) {
    if dirty.isEmpty { nextSave = MonotonicTime.now.advanced(byMS: Self.delayMS) }
    dirty.insert(vehicle)
    if mustSave { self.mustSave = true }
  }

  /// What is to be published: the payload of each vehicle whose state has changed; empty where
  /// it has none any more.
  mutating func take(_ current: (String) -> [UInt8]?) -> [(vehicle: String, state: [UInt8]?)] {
    var changed: [(vehicle: String, state: [UInt8]?)] = []
    for vehicle in dirty.sorted() {
      let state = current(vehicle)
      guard state != saved[vehicle] else { continue }
      saved[vehicle] = state
      changed.append((vehicle, state))
    }
    dirty = []
    mustSave = false
    nextSave = MonotonicTime(nanoseconds: .max)
    return changed
  }

  mutating func restored(_ vehicle: String, _ state: [UInt8]) { saved[vehicle] = state }
}

extension BusHarness {
  /// Publishes the states that have changed, so that a successor can take them back.
  func saveStates(now: MonotonicTime) {
    let stampNS = stampNS(now)
    for (vehicle, state) in keeper.take({ host.savedState(of: $0) }) {
      let payload = state.map {
        NodeState(vehicle: vehicle, program: keeper.program, savedNs: stampNS, state: $0).encoded()
      }
      let result = client.publish(
        Publication(
          topic: keeper.topic, stampNS: stampNS, schema: NodeState.schema, payload: payload ?? [],
          key: vehicle))
      if case .refused(let reason) = result {
        log.write(.warning, kind: "state", "the state was not saved: \(reason.rawValue)")
      }
    }
  }

  /// Takes back what this node saved before it was restarted; a source of time also hears what its
  /// clock would show now.
  func restoreStates() throws(NodeFailure) {
    let topics = [keeper.topic] + (setsClock ? [Contract.clockTopic] : [])
    guard client.subscribe(topics, waitingMS: 5_000) else {
      throw NodeFailure("the bus does not give the saved state", .unavailable)
    }
    while let event = client.next() {
      switch event {
      case .message(let delivery) where delivery.topic == keeper.topic: restore(delivery)
      case .message(let delivery) where delivery.topic == Contract.clockTopic: hearClock(delivery)
      default: take(event)
      }
    }
    client.unsubscribe(topics)
  }

  private func restore(_ delivery: Delivery) {
    guard !delivery.payload.isEmpty else { return }
    do {
      let saved = try NodeState(decoding: delivery.payload)
      do {
        try host.restore(saved.state, vehicle: saved.vehicle)
        keeper.restored(saved.vehicle, saved.state)
        log.write(.info, "\(saved.vehicle): state restored")
      } catch {
        refuse(error, place: keeper.topic)
      }
    } catch {
      refuse(
        Refusal(reason: "does_not_decode", message: error.message, field: error.path),
        place: keeper.topic)
    }
  }
}
