import BusClient
import BusProtocol
import Messages
import NodeKit
import Stage
import ZMQ

/// Steps before the first turn of the loop.
extension BusHarness {
  /// Whether the process serves a vehicle.
  ///
  /// A replica serves those of its slots, a standby in a swap those that have moved; every other
  /// process serves all.
  func servesVehicle(_ vehicle: String) -> Bool {
    if isStandby { return taken.contains(vehicle: vehicle) }
    if !lent.isEmpty, lent.slots.contains(vehicle: vehicle) { return false }
    guard setUp.environment.replica != nil else { return true }
    return client.slots?.contains(vehicle: vehicle) ?? false
  }

  func waitForBroker() throws(NodeFailure) -> Bool {
    setUp.notifier.status("waiting for the bus at \(setUp.environment.bus.base)")
    let deadline = MonotonicTime.now.advanced(byMS: Int64(setUp.brokerWaitMS))
    while !client.waitForBroker(timeoutMS: 50) {
      if isStopRequested() { return false }
      if case .rejected(_, let message)? = client.next() {
        throw NodeFailure(message, .configuration)
      }
      guard deadline > .now else {
        throw NodeFailure(
          "no bus at \(setUp.environment.bus.base) within \(setUp.brokerWaitMS / 1_000) s",
          .unavailable)
      }
    }
    return true
  }

  private func isStopRequested() -> Bool {
    var items = [setUp.supervision.stop.pollItem]
    return pollOrPause(&items, timeoutMS: 0)
  }

  /// The names on the bus of topics without the vehicle.
  func names(of topics: some Sequence<String>) -> [String] {
    Self.names(of: topics, vehicles: setUp.environment.vehicles)
  }

  static func names(
    of topics: some Sequence<String>, vehicles: [String]
  ) -> [String] {
    var names: [String] = []
    for topic in topics {
      if topic.hasPrefix("_") {
        names.append(topic)
      } else if vehicles.isEmpty {
        names.append("*/\(topic)")
      } else {
        names += vehicles.map { "\($0)/\(topic)" }
      }
    }
    return names
  }

  func subscribe() throws(NodeFailure) {
    client.serve(host.manifest.serves)
    let clock = setsClock ? [] : [Contract.clockTopic]
    let patterns = servedNames(of: inputs.sorted() + clock + [PlayTurn.topic])
    guard !patterns.isEmpty else { return }
    if !client.subscribe(patterns, waitingMS: 5_000) {
      log.write(.warning, "the bus did not confirm the subscriptions within 5 s")
    }
  }
}
