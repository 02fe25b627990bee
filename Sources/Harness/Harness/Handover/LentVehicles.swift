import BusClient
import BusProtocol

/// Vehicles that a node has given to its successor in a swap, part by part.
///
/// Until the swap is complete the successor may fail. Then the node continues with the copies.
struct LentVehicles {
  private(set) var slots = SlotSet()
  /// The state of each vehicle when it was given away.
  private var vehicles: [String: NodeHandoverState.Vehicle] = [:]
  /// The newest values of states since then, which only the successor handles.
  private var states: [String: Delivery] = [:]

  var isEmpty: Bool { slots.isEmpty }

  mutating func add(_ given: [NodeHandoverState.Vehicle], _ new: SlotSet) {
    slots.formUnion(new)
    for vehicle in given { vehicles[vehicle.name] = vehicle }
  }

  /// Forgets slots that were returned with their state.
  mutating func remove(_ old: SlotSet) {
    slots.subtract(old)
    vehicles = vehicles.filter { !old.contains(vehicle: $0.key) }
    states = states.filter { $0.value.vehicle.map { !old.contains(vehicle: $0) } ?? true }
  }

  /// Whether a message belongs to the successor; keeps the last values of states that the stage
  /// reads.
  mutating func keeps(_ delivery: Delivery, inputs: Set<String>) -> Bool {
    guard let vehicle = delivery.vehicle, slots.contains(vehicle: vehicle) else { return false }
    if delivery.traits.deliveryClass == .state, inputs.contains(delivery.leaf) {
      states["\(delivery.topic) \(delivery.header.key ?? "")"] = delivery
    }
    return true
  }

  /// Returns everything, and becomes empty.
  mutating func drain() -> ReturnedVehicles {
    defer { self = LentVehicles() }
    return ReturnedVehicles(vehicles, missed: states.values)
  }
}
