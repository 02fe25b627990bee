import BusClient
import BusProtocol
import EventTime
import NodeKit
import Stage

/// A call that waits until the topics of its vehicle are subscribed to.
struct WaitingCall {
  var call: IncomingCall
  var vehicle: String
  var isReady = false
}

/// Serves only the watched vehicles of a fleet, if the stage's manifest declares that.
extension BusHarness {
  /// The demand of a node; nil if it serves all its vehicles at all times.
  ///
  /// For a node of a conductor or of a group of replicas, the conductor or the group's slot table
  /// decides.
  static func demand(_ environment: NodeEnvironment, _ manifest: Manifest) -> Demand? {
    guard let leaves = manifest.demandedBy, environment.vehicles.isEmpty, !environment.isLockStep,
      environment.replica == nil
    else { return nil }
    return Demand(leaves: leaves)
  }

  /// Whether to handle a message of a vehicle.
  ///
  /// A standby reads all vehicles, and handles those that its predecessor handles.
  func isDemanded(_ vehicle: String?) -> Bool {
    guard let demand, let vehicle else { return true }
    return isStandby ? host.has(vehicle) : demand.includes(vehicle)
  }

  /// The names on the bus of topics of the vehicles that are currently served.
  func servedNames(of topics: some Sequence<String>) -> [String] {
    guard let demand, !isStandby else { return names(of: topics) }
    return topics.flatMap { topic in
      topic.hasPrefix("_") ? [topic] : demand.subscribed.sorted().map { "\($0)/\(topic)" }
    }
  }

  /// Asks the broker for the readers of the stage's outputs; the answer arrives as a job.
  func requestReaders() {
    guard let demand, !isStill else { return }
    client.requestReadVehicles(of: demand.leaves) { [jobs] vehicles in
      jobs.post { harness in
        harness.demand?.setReaders(vehicles)
        harness.followDemand()
      }
    }
  }

  /// Subscribes to the topics of newly watched vehicles, and unsubscribes from those of others.
  func followDemand() {
    guard !isStill, let change = demand?.takeChange(at: .now) else { return }
    let wiring = setUp.environment.wiring
    let topics = inputs.union(subscribers.flatMap(\.topics).map(wiring.onBus))
      .filter { !$0.hasPrefix("_") }.sorted()
    func names(_ vehicles: [String]) -> [String] {
      vehicles.flatMap { vehicle in topics.map { "\(vehicle)/\($0)" } }
    }
    if !change.begun.isEmpty {
      client.subscribe(names(change.begun)) { [jobs] in
        jobs.post { $0.callsCanBeServed(of: Set(change.begun)) }
      }
    }
    if !change.ended.isEmpty {
      client.unsubscribe(names(change.ended), forgets: true)
      lastStates = lastStates.filter { isDemanded($0.value.vehicle) }
      for vehicle in host.vehicles where !isDemanded(vehicle) { rest(vehicle) }
    }
    // The rates of other vehicles are meaningless for those that are read now.
    health.reset()
  }

  /// Ends the stage of a vehicle that is not watched; one with a saved state is kept without input.
  private func rest(_ vehicle: String) {
    guard host.savedState(of: vehicle) == nil, host.drop(vehicle) else { return }
    wakes[vehicle] = nil
    promises.forget(vehicle)
    setDegraded("stage \(vehicle)", nil)
  }

  /// Passes the known values of a newly watched vehicle to the attachments.
  func beginWatching(_ vehicle: String) {
    demand?.watch(vehicle)
    followDemand()
    for (_, delivery) in lastStates.sorted(by: { $0.key < $1.key })
    where delivery.vehicle == vehicle {
      for subscriber in subscribers where subscriber.takes(delivery.leaf) {
        subscriber.receive(delivery)
      }
    }
  }

  func endWatching(_ vehicle: String) {
    demand?.unwatch(vehicle, at: .now)
    followDemand()
  }

  /// Whether a call must wait, because its vehicle is newly watched and nothing is known of it yet.
  func mustWait(_ call: IncomingCall, of vehicle: String) -> Bool {
    guard demand != nil else { return false }
    let wasIncluded = isDemanded(vehicle)
    demand?.lease(vehicle, forMS: Demand.callMS, at: .now)
    guard !wasIncluded || waitingCalls.contains(where: { $0.vehicle == vehicle && !$0.isReady })
    else { return false }
    waitingCalls.append(WaitingCall(call: call, vehicle: vehicle))
    followDemand()
    return true
  }

  private func callsCanBeServed(of vehicles: Set<String>) {
    for index in waitingCalls.indices where vehicles.contains(waitingCalls[index].vehicle) {
      waitingCalls[index].isReady = true
    }
  }

  /// Serves the calls whose vehicles' last values have all been handled.
  func serveWaitingCalls() {
    guard !waitingCalls.isEmpty, leaving != nil || client.queueLength == 0 else { return }
    let ready = waitingCalls.filter { $0.isReady || leaving != nil }
    waitingCalls.removeAll { $0.isReady || leaving != nil }
    for waiting in ready { serve(waiting.call, vehicle: waiting.vehicle) }
  }

  /// Continues with the vehicles of a predecessor, and drops all others.
  func keepHandedVehicles() {
    guard demand != nil else { return }
    let now = MonotonicTime.now
    for vehicle in host.vehicles { demand?.lease(vehicle, forMS: Demand.callMS, at: now) }
    followDemand()
    let every = inputs.filter { !$0.hasPrefix("_") }.map { "\(TopicName.anyVehicle)/\($0)" }
    client.unsubscribe(every, forgets: true)
    requestReaders()
  }
}
