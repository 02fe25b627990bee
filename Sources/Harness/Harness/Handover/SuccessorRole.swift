import BusClient
import BusProtocol
import Foundations
import Messages
import NodeKit
import Stage

/// This process as the successor in handovers: it takes over the node, or some of its vehicles,
/// from another process.
final class SuccessorRole {
  private var arriving: IncomingHandover?
  /// The part of a handover that this process started last; only this part can become void.
  private var begun: (token: UInt64, slots: SlotSet)?
  private let stages: StageRunner
  private let input: InputQueue
  private let demand: VehiclesOnDemand?
  private let client: BusClient
  private let report: NodeReport
  private let role: NodeRole

  init(
    stages: StageRunner, input: InputQueue, demand: VehiclesOnDemand?, client: BusClient,
    report: NodeReport, role: NodeRole
  ) {
    self.stages = stages
    self.input = input
    self.demand = demand
    self.client = client
    self.report = report
    self.role = role
  }

  /// Whether stages are woken: a standby's stages as a shadow, and those of vehicles that it
  /// already has.
  var wakesStages: Bool {
    guard role.isStandby else { return !role.isStill }
    return stages.shadow.isActive || (!role.taken.isEmpty && arriving?.isWhole != true)
  }

  /// Whether a standby handles a message: as a shadow, or because it already has the vehicle.
  func isForStandby(_ delivery: Delivery) -> Bool {
    if stages.shadow.isActive { return !stages.shadow.record(delivery) }
    return delivery.vehicle.map { role.taken.contains(vehicle: $0) } ?? false
  }

  func handle(_ event: HandoverEvent) {
    switch event {
    case .cutForSuccessor(let token, let slots):
      arrive(token)
      arriving?.slots = slots
      arriving?.hasCut = true
      stages.shadow.end()
      // A comparison that has not started by now will not start.
      if role.isStandby, arriving?.isWhole == false, role.taken.isEmpty {
        client.unsubscribe(stages.shadow.names)
      }
      if let early = arriving?.early { importState(early) }
    case .take(let token, let state):
      arrive(token)
      if arriving?.hasCut == true {
        importState(state)
      } else {
        arriving?.early = state
      }
    case .lastValues(let token):
      if arriving?.token == token { reportImported(token, fault: nil) }
    case .shadow(let token): startShadow(token)
    case .release(let token):
      if arriving?.token == token { arriving?.isReleased = true }
    case .dismiss(let token, let reason):
      if arriving?.token == token || role.isStandby { dismiss(reason) }
    case .dismissPart(let token, let reason): dismissPart(token, reason)
    case .inherit(let run): inherit(from: run)
    case .void:
      if arriving != nil || !role.taken.isEmpty { dismiss("the broker was restarted") }
    default: break
    }
  }

  /// Starts to take over; an earlier handover whose end has not arrived yet has failed.
  private func arrive(_ token: UInt64) {
    guard arriving?.token != token else { return }
    dropArriving()
    arriving = IncomingHandover(token: token)
  }

  /// Discards the results of a handover that failed.
  private func dropArriving() {
    guard let arriving else { return }
    for vehicle in arriving.handed?.vehicles ?? [] { _ = stages.host.drop(vehicle.name) }
    client.dropHeld(token: arriving.token)
    self.arriving = nil
  }

  private func dismiss(_ reason: String) {
    report.log.write(.warning, "dismissed, the old process continues: \(reason)")
    if role.isStandby { return role.retire() }
    dropArriving()
  }

  /// Restores the predecessor's state, or reports why that is impossible.
  private func importState(_ bytes: [UInt8]) {
    guard let token = arriving?.token else { return }
    do throws(Refusal) {
      let handed = try Self.decode(bytes)
      for vehicle in handed.vehicles {
        // State from an earlier time is discarded.
        _ = stages.host.drop(vehicle.name)
        try stages.createStage(vehicle)
      }
      arriving?.handed = handed
      if let fault = client.fault(token: token, after: handed.inputs) {
        return reportImported(token, fault: fault)
      }
      let topics = stages.topics
      guard handed.vehicles.contains(where: { !$0.isFull }), !topics.inputs.isEmpty else {
        return reportImported(token, fault: nil)
      }
      // Only of a few vehicles, not of the whole fleet.
      let patterns =
        arriving?.isWhole == false
        ? NodeTopics.names(
          of: topics.inputs.sorted(), vehicles: handed.vehicles.map(\.name))
        : topics.inputNames
      client.askLastValues(patterns, token: token)
    } catch {
      reportImported(token, fault: error.message)
    }
  }

  private func reportImported(_ token: UInt64, fault: String?) {
    let compared = stages.shadow.result.map { ($0.compared, $0.different, $0.summary) }
    client.imported(token: token, fault: fault, compared: compared)
  }

  private static func decode(_ bytes: [UInt8]) throws(Refusal) -> NodeHandoverState {
    do {
      return try NodeHandoverState(decoding: bytes)
    } catch {
      throw Refusal(reason: "does_not_decode", message: error.message, field: error.path)
    }
  }

  /// Continues silently from the node's state.
  private func startShadow(_ token: UInt64) {
    guard let arriving, arriving.token == token, let handed = arriving.handed else { return }
    self.arriving = nil
    stages.shadow.start(run: handed.run, vehicles: handed.vehicles.count)
    stages.goOn(from: handed)
    input.append(client.releaseHeld(token: token, after: handed.inputs))
  }

  /// Continues as the node, or with the vehicles, as soon as the broker can be informed.
  func startIfReleased() {
    guard let arriving, arriving.isReleased, let handed = arriving.handed else { return }
    // Precedes everything else that is published: from then on there is no return.
    guard client.publishFence() != nil else { return }
    self.arriving = nil
    if role.isStandby, arriving.isWhole { becomeNode(after: handed.run) }
    stages.goOn(from: handed)
    client.keep(states: handed.states, events: handed.events)
    if let slots = arriving.slots, !slots.hasRest {
      begun = (arriving.token, slots)
      role.add(slots)
    }
    input.append(client.releaseHeld(token: arriving.token, after: handed.inputs))
    for vehicle in handed.vehicles {
      if let why = vehicle.degraded { report.setDegraded(StageRunner.subject(vehicle.name), why) }
      stages.saved.changed(vehicle.name)
    }
    if role.isStandby { return }
    let count = max(handed.vehicles.count, stages.host.vehicleCount)
    report.write(.info, "took over \(count) vehicles from run \(handed.run)")
  }

  /// Becomes the node.
  private func becomeNode(after run: UInt64) {
    role.becomeNode()
    client.unsubscribe(stages.shadow.names)
    client.becomeActive(after: run)
    report.log.attach(client)
    demand?.keepHandedVehicles()
    report.becomeNode()
  }

  /// Handles the failure of one part of a handover: that part is void, and the next one may follow.
  private func dismissPart(_ token: UInt64, _ reason: String) {
    if arriving?.token == token {
      dropArriving()
    } else if let begun, begun.token == token {
      // The part had started, but none of its messages were accepted.
      for vehicle in stages.host.vehicles(in: begun.slots) { stages.removeStage(of: vehicle) }
      input.drop(begun.slots)
      role.remove(begun.slots)
      self.begun = nil
    }
    report.write(.warning, "taking over a part of the vehicles failed: \(reason)")
  }

  /// Takes over everything that the predecessor still had when it died.
  private func inherit(from run: UInt64) {
    guard role.isStandby else { return }
    let waiting = arriving
    arriving = nil
    becomeNode(after: run)
    if let waiting {
      input.append(client.releaseHeld(token: waiting.token, after: waiting.handed?.inputs ?? []))
    }
    for vehicle in stages.host.vehicles { stages.saved.changed(vehicle) }
    report.write(
      .warning,
      "continues as the node with \(stages.host.vehicleCount) vehicles: run \(run) is gone")
  }
}
