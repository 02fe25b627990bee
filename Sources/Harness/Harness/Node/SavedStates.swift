import BusClient
import BusProtocol
import Foundations
import Messages
import NodeKit
import Stage

/// The states of a node's stages on `_state/<node>`, from which a restarted process continues.
final class SavedStates {
  private var scheduler: SnapshotScheduler
  private let host: any StageHosting
  private let client: BusClient
  private let clock: NodeClock
  private let report: NodeReport
  private let role: NodeRole

  init(
    node: String, host: any StageHosting, client: BusClient, clock: NodeClock, report: NodeReport,
    role: NodeRole
  ) {
    scheduler = SnapshotScheduler(node: node, program: host.manifest.name)
    self.host = host
    self.client = client
    self.clock = clock
    self.report = report
    self.role = role
  }

  var topic: String { scheduler.topic }
  var nextSave: MonotonicTime { scheduler.nextSave }

  /// Records that a state may have changed.
  func changed(_ vehicle: String) { scheduler.changed(vehicle) }

  /// Publishes the states that are due, so that a successor can restore them; `all` of them at the
  /// end of the node.
  func saveDue(now: MonotonicTime, all: Bool = false) {
    for vehicle in scheduler.popDue(all ? .max : SnapshotScheduler.perTurn) {
      save(vehicle, now: now)
    }
    scheduler.rest(from: now)
  }

  /// Publishes the state of one vehicle, if it has changed.
  func save(_ vehicle: String, now: MonotonicTime) {
    // The topic belongs to its predecessor until that has given everything away.
    if role.isStandby { return scheduler.changed(vehicle) }
    if role.isLent(vehicle) { return }
    let state = host.savedState(of: vehicle)
    guard scheduler.isNews(state, of: vehicle) else { return }
    let stampNS = clock.stampNS(at: now)
    let payload = state.map {
      NodeState(
        vehicle: vehicle, program: scheduler.program, savedNs: stampNS, state: $0
      ).encoded()
    }
    let result = client.publish(
      Publication(
        topic: scheduler.topic, stampNS: stampNS, schema: NodeState.schema, payload: payload ?? [],
        key: vehicle))
    if case .refused(let reason) = result {
      report.log.write(.warning, kind: "state", "the state was not saved: \(reason.rawValue)")
    }
  }

  /// Restores what this node saved before it was restarted.
  ///
  /// A source of time also receives the current reading of its clock. Each event that is no saved
  /// state is passed to `handleOther`.
  ///
  /// - Throws: `NodeFailure` if the broker does not return the states within 5 s.
  func restore(handleOther: (BusEvent) -> Void) throws(NodeFailure) {
    let topics = [topic] + (clock.isSource ? [Contract.clockTopic] : [])
    guard client.subscribe(topics, waitingMS: 5_000) else {
      throw NodeFailure("the bus did not return the saved state", .unavailable)
    }
    var restored: [String] = []
    while let event = client.next() {
      if case .message(let delivery) = event, delivery.topic == topic {
        if let vehicle = restore(delivery) { restored.append(vehicle) }
      } else {
        handleOther(event)
      }
    }
    client.unsubscribe(topics)
    if let first = restored.first {
      let others = restored.count > 1 ? " and \(restored.count - 1) more" : ""
      report.log.write(.info, "\(first)\(others): state restored")
    }
  }

  /// Restores a vehicle's saved state; returns its name, or nil if that is impossible.
  private func restore(_ delivery: Delivery) -> String? {
    guard !delivery.payload.isEmpty else { return nil }
    do {
      let saved = try NodeState(decoding: delivery.payload)
      do {
        try host.restore(saved.state, vehicle: saved.vehicle)
        scheduler.restored(saved.vehicle, saved.state)
        return saved.vehicle
      } catch {
        report.refuse(error, place: topic, vehicle: saved.vehicle)
      }
    } catch {
      report.refuse(
        Refusal(reason: "does_not_decode", message: error.message, field: error.path),
        place: topic, vehicle: nil)
    }
    return nil
  }

  /// Takes back the last values of states that this node publishes, since no other node sends them
  /// to a new broker.
  func reclaimPublished(_ topics: NodeTopics) {
    let table = client.configuration.table
    let states = topics.outputs.filter {
      (table.declared($0) ?? table["v/\($0)"]).deliveryClass == .state
    }
    if !client.reclaimStates(topics.names(of: states) + [topic], waitingMS: 5_000) {
      report.log.write(
        .warning, "the bus did not return this node's last values within 5 s")
    }
  }
}
