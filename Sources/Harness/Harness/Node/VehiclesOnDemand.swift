import BusClient
import BusProtocol
import Foundations
import NodeKit
import Stage

/// Serves only the watched vehicles of a fleet, if the stage's manifest declares that.
final class VehiclesOnDemand {
  /// A call that waits until the topics of its vehicle are subscribed to.
  private struct WaitingCall {
    var call: IncomingCall
    var vehicle: String
    var isReady = false
  }

  private var demand: Demand
  private var waitingCalls: [WaitingCall] = []
  private let wiring: Wiring
  private let stages: StageRunner
  private let attachments: NodeAttachments
  private let client: BusClient
  private let role: NodeRole
  private let jobs: NodeJobs

  /// Returns nil if the node serves all its vehicles at all times.
  ///
  /// For a node of a conductor or of a group of replicas, the conductor or the group's slot table
  /// decides.
  init?(
    _ environment: NodeEnvironment, stages: StageRunner, attachments: NodeAttachments,
    client: BusClient, role: NodeRole, jobs: NodeJobs
  ) {
    guard let leaves = stages.host.manifest.demandedBy, environment.vehicles.isEmpty,
      !environment.isLockStep, environment.replica == nil
    else { return nil }
    demand = Demand(leaves: leaves)
    wiring = environment.wiring
    self.stages = stages
    self.attachments = attachments
    self.client = client
    self.role = role
    self.jobs = jobs
  }

  /// Whether to handle a message of a vehicle.
  ///
  /// A standby reads all vehicles, and handles those that its predecessor handles.
  func includes(_ vehicle: String?) -> Bool {
    guard let vehicle else { return true }
    return role.isStandby ? stages.host.has(vehicle) : demand.includes(vehicle)
  }

  /// The names on the bus of topics of the vehicles that are currently served.
  func names(of topics: some Sequence<String>) -> [String] {
    if role.isStandby { return stages.topics.names(of: topics) }
    return topics.flatMap { topic in
      topic.hasPrefix("_") ? [topic] : demand.subscribed.sorted().map { "\($0)/\(topic)" }
    }
  }

  /// Asks the broker for the readers of the stage's outputs; the answer arrives as a job.
  func requestReaders() {
    guard !role.isStill else { return }
    client.requestReadVehicles(of: demand.leaves) { [jobs] vehicles in
      jobs.post { $0.demand?.setReaders(vehicles) }
    }
  }

  private func setReaders(_ vehicles: [String]) {
    demand.setReaders(vehicles)
    follow()
  }

  /// Subscribes to the topics of newly watched vehicles, and unsubscribes from those of others.
  private func follow() {
    guard !role.isStill, let change = demand.drainChange(at: .now) else { return }
    let topics = stages.topics.inputs.union(attachments.subscribedTopics.map(wiring.onBus))
      .filter { !$0.hasPrefix("_") }.sorted()
    func names(_ vehicles: [String]) -> [String] {
      vehicles.flatMap { vehicle in topics.map { "\(vehicle)/\($0)" } }
    }
    if !change.begun.isEmpty {
      client.subscribe(names(change.begun)) { [jobs] in
        jobs.post { $0.demand?.callsCanBeServed(of: Set(change.begun)) }
      }
    }
    if !change.ended.isEmpty {
      client.unsubscribe(names(change.ended), forgets: true)
      attachments.forgetStates { !includes($0.vehicle) }
      for vehicle in stages.host.vehicles where !includes(vehicle) { rest(vehicle) }
    }
    // The rates of other vehicles are meaningless for those that are read now.
    stages.monitor.reset()
  }

  /// Ends the stage of a vehicle that is not watched; one with a saved state is kept without input.
  private func rest(_ vehicle: String) {
    guard stages.host.savedState(of: vehicle) == nil else { return }
    stages.removeStage(of: vehicle)
  }

  /// Starts to watch a vehicle for an attachment.
  func watch(_ vehicle: String) {
    demand.watch(vehicle)
    follow()
  }

  func unwatch(_ vehicle: String) {
    demand.unwatch(vehicle, at: .now)
    follow()
  }

  /// Continues with the vehicles of a predecessor, and drops all others.
  func keepHandedVehicles() {
    let now = MonotonicTime.now
    for vehicle in stages.host.vehicles { demand.lease(vehicle, forMS: Demand.callMS, at: now) }
    follow()
    let every = stages.topics.inputs.filter { !$0.hasPrefix("_") }.map {
      "\(TopicName.anyVehicle)/\($0)"
    }
    client.unsubscribe(every, forgets: true)
    requestReaders()
  }

  // MARK: Calls

  /// Whether calls wait for their vehicles.
  var hasWaitingCalls: Bool { !waitingCalls.isEmpty }

  /// Whether a call must wait, because its vehicle is newly watched and nothing is known of it yet.
  func mustWait(_ call: IncomingCall, of vehicle: String) -> Bool {
    let wasIncluded = includes(vehicle)
    demand.lease(vehicle, forMS: Demand.callMS, at: .now)
    guard !wasIncluded || waitingCalls.contains(where: { $0.vehicle == vehicle && !$0.isReady })
    else { return false }
    waitingCalls.append(WaitingCall(call: call, vehicle: vehicle))
    follow()
    return true
  }

  /// Forgets a waiting call that its caller has cancelled.
  func cancelWaiting(_ id: String) { waitingCalls.removeAll { $0.call.id == id } }

  private func callsCanBeServed(of vehicles: Set<String>) {
    for index in waitingCalls.indices where vehicles.contains(waitingCalls[index].vehicle) {
      waitingCalls[index].isReady = true
    }
  }

  /// Serves the calls whose vehicles' last values have all been handled; in a handover, all calls.
  func serveWaitingCalls(isHandover: Bool) {
    guard !waitingCalls.isEmpty, isHandover || client.queueLength == 0 else { return }
    let ready = waitingCalls.filter { $0.isReady || isHandover }
    waitingCalls.removeAll { $0.isReady || isHandover }
    for waiting in ready { stages.serve(waiting.call, vehicle: waiting.vehicle) }
  }
}
