import BusClient
import BusProtocol
import Foundations
import NodeKit
import Stage

/// This process as the predecessor in handovers: it gives the node, or some of its vehicles, to
/// another process.
final class PredecessorRole {
  /// The number of vehicles from which the size of all state is estimated.
  private static let weighedVehicles = 24
  /// Bytes handed over for a vehicle in addition to its state: numbers of its inputs, names.
  private static let bytesBesidesState = 256

  private var leaving: OutgoingHandover? {
    didSet { role.isPassingOn = leaving.map { $0.hasCut && $0.isWhole } ?? false }
  }
  /// Jobs of attachments for the time after the handover.
  private var deferred: [@Sendable (BusHarness) -> Void] = []
  private let node: String
  /// The vehicle of calls that name none.
  private let defaultVehicle: String
  private let stages: StageRunner
  private let input: InputQueue
  private let demand: VehiclesOnDemand?
  private let client: BusClient
  private let clock: NodeClock
  private let report: NodeReport
  private let role: NodeRole

  init(
    _ environment: NodeEnvironment, stages: StageRunner, input: InputQueue,
    demand: VehiclesOnDemand?, client: BusClient, clock: NodeClock, report: NodeReport,
    role: NodeRole
  ) {
    node = environment.name
    defaultVehicle = environment.vehicles.first ?? "ego"
    self.stages = stages
    self.input = input
    self.demand = demand
    self.client = client
    self.clock = clock
    self.report = report
    self.role = role
  }

  /// Whether a handover is in progress.
  var isLeaving: Bool { leaving != nil }

  /// The oldest event that may be handled now.
  func nextEvent() -> BusEvent? {
    while let event = input.next() {
      guard leaving != nil, holds(event) else { return event }
      input.hold(event)
    }
    return nil
  }

  private func holds(_ event: BusEvent) -> Bool {
    leaving?.holds(event, vehicle: defaultVehicle) == true
  }

  /// Keeps the due wake-ups of vehicles that are handed over, and returns the other vehicles.
  ///
  /// Their successor wakes them next, or this process does if they stay after all.
  func keepWakes(of due: [String]) -> [String] {
    guard let leaving, leaving.hasCut, !due.isEmpty else { return due }
    self.leaving?.wakes.formUnion(due.filter(leaving.includes))
    return due.filter { !leaving.includes($0) }
  }

  /// Performs a job of an attachment on the node, or keeps it until the current handover has ended.
  func performWhenNotLeaving(
    _ job: @escaping @Sendable (BusHarness) -> Void, on node: BusHarness
  ) {
    if role.isPassingOn {
      deferred.append(job)
    } else {
      job(node)
    }
  }

  /// Handles an event of a handover; jobs that waited for its end are performed on `node`.
  func handle(_ event: HandoverEvent, on node: BusHarness) {
    switch event {
    case .cut(let token, let slots, let inputs, let isSettled, let keepsCopy):
      if leaving?.token != token { leaving = OutgoingHandover(token: token) }
      leaving?.slots = slots
      leaving?.inputs = inputs
      leaving?.isSettled = isSettled
      leaving?.hasCut = true
      leaving?.keepsCopy = keepsCopy
    case .freeze(let token):
      if leaving?.token != token { leaving = OutgoingHandover(token: token) }
      leaving?.isFrozen = true
    case .resume(let token, let reason):
      if leaving?.token == token { resume(reason, on: node) }
    case .retire(let token):
      if let leaving, leaving.token == token, let slots = leaving.slots, !slots.hasRest {
        giveUp(slots, leaving, on: node)
      } else if leaving?.token == token || token == 0 {
        // The log's topic also belongs to the other process.
        report.log.detach()
        report.log.write(.info, "retired: another process continues as \(self.node)")
        role.retire()
      }
    case .weigh(let token): weigh(token)
    case .takeBack(let reason): reclaim(reason)
    case .void:
      if leaving != nil { resume("the broker was restarted", on: node) }
      if role.isLending {
        // The broker does not know of it; with a greater run, later messages count as newer.
        client.change(run: RunNumber.next(), telling: true)
        reclaim("the broker was restarted")
      }
    default: break
    }
  }

  /// Answers the broker as soon as all input before the marker is handled.
  func replyIfSettled() {
    guard let leaving, leaving.hasCut, leaving.isFrozen, !leaving.hasAnswered else { return }
    if input.isOverfull {
      return refuse(
        "more than \(KeptEvents.maximumBytes >> 20) MiB of input arrived during the handover")
    }
    guard leaving.isSettled else {
      return refuse("some of its missed input is still being requested")
    }
    guard demand?.hasWaitingCalls != true, !stages.isBusy(where: leaving.includes) else { return }
    let state = handoverState(leaving)
    if leaving.keepsCopy, !leaving.isWhole { self.leaving?.given = state.vehicles }
    let encoded = state.encoded()
    // Follows all published messages: when the broker has it, it has everything.
    guard let sequence = client.publishFence() else {
      return refuse("the send queue of the bus is full")
    }
    self.leaving?.hasAnswered = true
    client.frozen(token: leaving.token, sequence: sequence, state: encoded)
  }

  private func refuse(_ reason: String) {
    guard let token = leaving?.token else { return }
    leaving?.hasAnswered = true
    client.cannotFreeze(token: token, reason: reason)
  }

  private func handoverState(_ leaving: OutgoingHandover) -> NodeHandoverState {
    let host = stages.host
    var handed = NodeHandoverState()
    handed.program = host.manifest.name
    handed.run = client.run
    handed.inputs = leaving.inputs
    // State that concerns only this process is not passed to its successor.
    (handed.states, handed.events) = client.keptMessages(
      of: leaving.slots, excluding: ["_node/", "_state/"])
    handed.clock = clock.reading()
    handed.wallNS = wallClockNS()
    let vehicles = leaving.slots.map { host.vehicles(in: $0) } ?? host.vehicles
    handed.vehicles = vehicles.map { vehicle in
      let isDue = leaving.wakes.contains(vehicle)
      let full = host.handOverState(of: vehicle)
      return NodeHandoverState.Vehicle(
        name: vehicle, state: full ?? host.savedState(of: vehicle), isFull: full != nil,
        wakeNS: (stages.wakes[vehicle] ?? (isDue ? stages.wakes.until : nil))?.nanoseconds,
        degraded: report.degradation(StageRunner.subject(vehicle)),
        promises: stages.publisher.promises(of: vehicle))
    }
    return handed
  }

  /// Reports the estimated amount of state of each slot to the broker, based on some vehicles.
  private func weigh(_ token: UInt64) {
    let host = stages.host
    let counts = host.countsBySlot
    let all = host.vehicles
    let step = max(1, all.count / Self.weighedVehicles)
    let sample = stride(from: 0, to: all.count, by: step).map { index in
      (host.handOverState(of: all[index]) ?? host.savedState(of: all[index]))?.count ?? 0
    }
    let mean = sample.reduce(0, +) / max(1, sample.count) + Self.bytesBesidesState
    client.weighed(token: token, sizes: counts.map { UInt64($0 * mean) })
  }

  /// Forgets vehicles that another process has from now on.
  ///
  /// For a successor of the same name, keeps the state that it was given.
  private func giveUp(_ slots: SlotSet, _ leaving: OutgoingHandover, on node: BusHarness) {
    let gone = stages.host.vehicles(in: slots)
    input.dropHeld(of: slots)
    if leaving.keepsCopy {
      for vehicle in gone { stages.removeStage(of: vehicle) }
      role.lend(leaving.given, slots)
    } else {
      for vehicle in gone { stages.drop(vehicle) }
      client.forget(slots)
      client.changeSlots(adding: SlotSet(), removing: slots)
    }
    self.leaving?.wakes = []
    end(on: node)
    // A swap of a fleet has hundreds of parts.
    if leaving.keepsCopy { return }
    report.write(
      .info, "handed over \(slots.elements.count) slots with \(gone.count) vehicles")
  }

  private func resume(_ reason: String, on node: BusHarness) {
    // Without a reason, only a copy of the state was requested.
    if !reason.isEmpty {
      report.write(.warning, "handover failed, this process continues: \(reason)")
    }
    end(on: node)
  }

  /// Takes back the vehicles of a successor that is gone.
  private func reclaim(_ reason: String) {
    let returned = role.reclaim()
    report.write(
      .warning, "takes \(returned.count) vehicles back from its successor: \(reason)")
    stages.reclaim(returned)
  }

  /// Ends the handover, and continues with what has waited for it.
  private func end(on node: BusHarness) {
    stages.wakes.wakeSoon(leaving?.wakes ?? [])
    leaving = nil
    input.releaseHeld()
    let jobs = deferred
    deferred = []
    for job in jobs { job(node) }
  }
}
