import BusClient
import BusProtocol
import Foundations
import NodeKit
import Stage

/// Checks a node's inputs: each message for its version and age, all of them for their health.
final class InputMonitor {
  /// Interval at which the health of the inputs is checked.
  static let intervalMS: Int64 = 250

  private(set) var nextCheck = MonotonicTime.now
  private var health: InputHealth
  private let environment: NodeEnvironment
  private let clock: NodeClock
  private let report: NodeReport
  private let role: NodeRole

  init(
    _ environment: NodeEnvironment, manifest: Manifest, clock: NodeClock, report: NodeReport,
    role: NodeRole
  ) {
    // In lock-step the conductor reads for the node.
    health = InputHealth(
      inputs: environment.isLockStep ? [] : manifest.inputs, required: manifest.requires ?? [],
      vehicles: environment.vehicles.count, wiring: environment.wiring)
    self.environment = environment
    self.clock = clock
    self.report = report
    self.role = role
  }

  /// Whether no input has a rate.
  var isEmpty: Bool { health.isEmpty }

  /// Whether a message has a supported version and is not outdated.
  func accepts(_ delivery: Delivery) -> Bool {
    let own = environment.wiring.inStage(delivery.leaf)
    if let why = Contract.mismatch(of: delivery.header.schema, onTopic: own) {
      refuse(Refusal(reason: "schema_mismatch", message: why), delivery)
      health.refused(delivery.leaf)
      report.setDegraded("schema \(delivery.leaf)", why)
      return false
    }
    if report.isDegraded("schema \(delivery.leaf)") {
      report.setDegraded("schema \(delivery.leaf)", nil)
    }
    if delivery.header.isLatched, delivery.traits.deliveryClass == .event,
      let ttlMS = delivery.header.ttlMS, let now = clock.now(),
      now.seconds(since: Instant(nanoseconds: delivery.header.stampNS)) * 1_000 > Double(ttlMS)
    {
      refuse(
        Refusal(reason: "expired", message: "an event arrived after its expiry"), delivery)
      return false
    }
    return true
  }

  private func refuse(_ refusal: Refusal, _ delivery: Delivery) {
    report.refuse(refusal, place: delivery.leaf, vehicle: delivery.vehicle)
  }

  /// Records a message that the stage has accepted; the first good one ends an input's problem at
  /// once.
  func accepted(_ delivery: Delivery) {
    let now = MonotonicTime.now
    health.heard(
      delivery.leaf, vehicle: delivery.vehicle,
      stamp: Instant(nanoseconds: delivery.header.stampNS), nextMS: delivery.header.nextMS,
      stackNow: clock.now(at: now), atNS: now.nanoseconds)
    if report.isDegraded(Self.subject(delivery.leaf)) { check(now: now) }
  }

  /// Records a message that the stage has refused.
  func refused(_ leaf: String) { health.refused(leaf) }

  /// Forgets earlier messages, because the clock was set or other vehicles are read.
  func reset() { health.reset() }

  /// Checks the inputs; the node is degraded while a required one has a problem.
  func check(now: MonotonicTime) {
    nextCheck = now.advanced(byMS: Self.intervalMS)
    let findings = health.judge(
      environment.vehicles.filter(role.serves), stackNow: clock.now(at: now),
      atNS: now.nanoseconds)
    report.figures.findings = findings
    for leaf in health.required.sorted() {
      report.setDegraded(
        Self.subject(leaf), findings[leaf]?.why.map { "input \(leaf) is \($0)" })
    }
  }

  private static func subject(_ leaf: String) -> String { "input \(leaf)" }
}
