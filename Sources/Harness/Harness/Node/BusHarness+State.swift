import BusClient
import BusProtocol
import EventTime
import Messages
import NodeKit
import Stage

extension BusHarness {
  /// Publishes the states that are due, so that a successor can restore them; `all` of them at the
  /// end of the node.
  func saveStates(now: MonotonicTime, all: Bool = false) {
    for vehicle in keeper.takeDue(all ? .max : SnapshotScheduler.perTurn) {
      save(vehicle, now: now)
    }
    keeper.rest(from: now)
  }

  /// Publishes the state of one vehicle, if it has changed.
  func save(_ vehicle: String, now: MonotonicTime) {
    // The topic belongs to its predecessor until that has given everything away.
    if isStandby { return keeper.changed(vehicle) }
    if !lent.isEmpty, lent.slots.contains(vehicle: vehicle) { return }
    let state = host.savedState(of: vehicle)
    guard keeper.isNews(state, of: vehicle) else { return }
    let stampNS = stampNS(now)
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

  /// Restores what this node saved before it was restarted.
  ///
  /// A source of time also receives the current reading of its clock.
  func restoreStates() throws(NodeFailure) {
    let topics = [keeper.topic] + (setsClock ? [Contract.clockTopic] : [])
    guard client.subscribe(topics, waitingMS: 5_000) else {
      throw NodeFailure("the bus did not return the saved state", .unavailable)
    }
    var restored: [String] = []
    while let event = client.next() {
      switch event {
      case .message(let delivery) where delivery.topic == keeper.topic:
        if let vehicle = restore(delivery) { restored.append(vehicle) }
      case .message(let delivery) where delivery.topic == Contract.clockTopic:
        handleClockUpdate(delivery)
      default: take(event)
      }
    }
    client.unsubscribe(topics)
    if let first = restored.first {
      let others = restored.count > 1 ? " and \(restored.count - 1) more" : ""
      log.write(.info, "\(first)\(others): state restored")
    }
  }

  /// Takes back the last values of states that this node publishes, since no other node sends them
  /// to a new broker.
  func takeBackStates() {
    let table = client.configuration.table
    let states = host.manifest.outputs.filter {
      (table.declared($0) ?? table["v/\($0)"]).deliveryClass == .state
    }
    if !client.takeBackStates(names(of: states.sorted()) + [keeper.topic], waitingMS: 5_000) {
      log.write(.warning, "the bus did not return this node's last values within 5 s")
    }
  }

  /// Counts messages that were lost between the death of a process of this name and the first
  /// message here.
  func goOnAfterPredecessor() {
    guard !inputs.isEmpty else { return }
    if !client.goOnAfterPredecessor(names(of: inputs.sorted()), waitingMS: 5_000) {
      log.write(.warning, "the bus did not report within 5 s what this node had already processed")
    }
  }

  /// Restores a vehicle's saved state; returns its name, or nil if that is impossible.
  private func restore(_ delivery: Delivery) -> String? {
    guard !delivery.payload.isEmpty else { return nil }
    do {
      let saved = try NodeState(decoding: delivery.payload)
      do {
        try host.restore(saved.state, vehicle: saved.vehicle)
        keeper.restored(saved.vehicle, saved.state)
        return saved.vehicle
      } catch {
        refuse(error, place: keeper.topic, vehicle: saved.vehicle)
      }
    } catch {
      refuse(
        Refusal(reason: "does_not_decode", message: error.message, field: error.path),
        place: keeper.topic, vehicle: nil)
    }
    return nil
  }
}
