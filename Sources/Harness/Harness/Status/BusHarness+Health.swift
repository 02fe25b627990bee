import BusClient
import BusProtocol
import EventTime
import NodeKit
import Stage

extension BusHarness {
  /// Interval at which the inputs are checked.
  static let healthMS: Int64 = 250

  /// Records a message that the stage has accepted; the first good one ends an input's problem at
  /// once.
  func heard(_ delivery: Delivery) {
    let now = MonotonicTime.now
    health.heard(
      delivery.leaf, vehicle: delivery.vehicle,
      stamp: Instant(nanoseconds: delivery.header.stampNS), nextMS: delivery.header.nextMS,
      stackNow: time.now(at: now), atNS: now.nanoseconds)
    if !degradations.isEmpty, degradations[Self.matter(delivery.leaf)] != nil {
      checkInputHealth(now: now)
    }
  }

  /// Checks the inputs; the node is degraded while a required one has a problem.
  func checkInputHealth(now: MonotonicTime) {
    nextHealth = now.advanced(byMS: Self.healthMS)
    findings = health.judge(
      setUp.environment.vehicles.filter(servesVehicle), stackNow: time.now(at: now),
      atNS: now.nanoseconds)
    for leaf in health.required.sorted() {
      setDegraded(
        Self.matter(leaf), findings[leaf]?.why.map { "input \(leaf) is \($0)" })
    }
  }

  private static func matter(_ leaf: String) -> String { "input \(leaf)" }
}
