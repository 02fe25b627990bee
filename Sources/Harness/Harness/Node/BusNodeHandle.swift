import BusClient
import BusProtocol
import Foundations
import NodeKit
import Stage
import Synchronization

/// An attachment's request to read topics that the stage does not read.
struct AttachmentSubscription: Sendable {
  /// By the node's own names.
  var topics: [String]
  var wiring: Wiring
  var deliver: @Sendable (_ vehicle: String, _ message: EncodedMessage) -> Void

  func receives(_ leaf: String) -> Bool {
    let own = wiring.inStage(leaf)
    return topics.contains { TopicName.matches($0, own) }
  }

  func receive(_ delivery: Delivery) {
    var inbound = EncodedMessage(delivery)
    inbound.topic = wiring.inStage(inbound.topic)
    deliver(delivery.vehicle ?? "", inbound)
  }
}

/// A node on the bus as provided to its attachments; their requests are executed on the work loop.
final class BusNodeHandle: NodeHandle {
  let name: String
  let vehicles: [String]
  let parameters: Parameters
  private let wiring: Wiring
  private let client: BusClient
  private let sink: LogSink
  private let jobs: NodeJobs
  private let time = Mutex(StackTime())

  init(
    name: String, vehicles: [String], parameters: Parameters, wiring: Wiring, client: BusClient,
    log: LogSink, jobs: NodeJobs
  ) {
    self.name = name
    self.vehicles = vehicles
    self.parameters = parameters
    self.wiring = wiring
    self.client = client
    self.sink = log
    self.jobs = jobs
  }

  var now: Instant? { time.withLock { $0.now(at: .now) } }

  var isConnected: Bool { client.isConnected }

  /// Updates the time that attachments see to the loop's time.
  func setTime(_ new: StackTime) { time.withLock { $0 = new } }

  func inject(_ event: EncodedEvent, vehicle: String) {
    jobs.post { harness in
      guard !harness.ignoresInLockStep() else { return }
      harness.whenNotLeaving { harness in
        harness.stages.admit(vehicle)
        harness.stages.handle(event, vehicle: vehicle)
      }
    }
  }

  func publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String?, ttlMS: UInt32?, cause: Cause?,
    vehicle: String
  ) {
    let onBus = wiring.onBus(topic)
    jobs.post { harness in
      guard !harness.ignoresInLockStep() else { return }
      harness.whenNotLeaving { harness in
        harness.stages.publisher.publishOwnMessage(
          onBus, stamp: stamp, payload: payload, key: key, ttlMS: ttlMS, cause: cause,
          vehicle: vehicle)
      }
    }
  }

  func subscribe(
    _ topics: [String],
    receive: @escaping @Sendable (_ vehicle: String, _ message: EncodedMessage) -> Void
  ) {
    let subscription = AttachmentSubscription(
      topics: topics, wiring: wiring, deliver: receive)
    jobs.post { harness in
      harness.attachments.add(subscription)
      let names = harness.servedNames(of: topics.map(subscription.wiring.onBus))
      if !names.isEmpty { harness.client.subscribe(names) }
    }
  }

  func unsubscribe(_ topics: [String]) {
    let wiring = wiring
    jobs.post { harness in
      let inputs = harness.stages.topics.inputs
      let ended = harness.attachments.remove(topics).map(wiring.onBus)
        .filter { !inputs.contains($0) }
      let names = harness.servedNames(of: ended)
      guard !names.isEmpty else { return }
      harness.client.unsubscribe(names, forgets: true)
      harness.attachments.forgetStates { ended.contains($0.leaf) }
    }
  }

  func watch(_ vehicle: String) { jobs.post { $0.watch(vehicle) } }
  func unwatch(_ vehicle: String) { jobs.post { $0.demand?.unwatch(vehicle) } }

  func findVehicles(completion: @escaping @Sendable ([String]) -> Void) {
    guard vehicles.isEmpty else { return completion(vehicles) }
    client.requestVehicles(heardSinceMS: 900_000, completion: completion)
  }

  func call(
    _ name: String, payload: [UInt8], timeoutMS: UInt32, vehicle: String,
    completion: @escaping @Sendable (EncodedOutcome) -> Void
  ) {
    let jobs = jobs
    client.call(
      wiring.onBus(name), vehicle: vehicle, payload: payload, timeoutMS: timeoutMS
    ) { end in
      jobs.post { _ in completion(EncodedOutcome(end)) }
    }
  }

  func log(_ level: LogLevel, _ text: String) {
    switch level {
    case .debug, .info: sink.write(level, text, stampNS: now?.nanoseconds ?? 0)
    // An attachment may report the same fault again and again.
    case .warning, .error: jobs.post { $0.report.line(level, text, vehicle: nil) }
    }
  }

  func count(_ counter: String, by amount: Int) {
    jobs.post { $0.report.figures.count(counter, by: amount) }
  }

  func setDegraded(_ why: String?) {
    jobs.post { $0.report.setDegraded("attachment", why) }
  }
}
