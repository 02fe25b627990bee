import BusClient

/// Vehicles that were returned to a node without their successor's state.
///
/// Their stages are recreated when a message arrives, and a few in each turn of the loop. Thousands
/// at once would keep the loop from its other work.
struct ReturnedVehicles {
  static let perTurn = 16

  private var vehicles: [String: NodeHandoverState.Vehicle] = [:]
  private var states: [String: [Delivery]] = [:]

  init() {}

  /// `missed` are states that have arrived while the successor had the vehicles, in any order.
  init(_ vehicles: [String: NodeHandoverState.Vehicle], missed: some Sequence<Delivery>) {
    self.vehicles = vehicles
    for state in missed.sorted(by: { $0.arrival < $1.arrival }) {
      if let vehicle = state.vehicle { states[vehicle, default: []].append(state) }
    }
  }

  var isEmpty: Bool { vehicles.isEmpty }
  var count: Int { vehicles.count }
  /// One of them.
  var next: String? { vehicles.first?.key }

  /// Removes a vehicle and returns it with the states that it has missed; nil for other vehicles.
  mutating func remove(_ vehicle: String) -> (NodeHandoverState.Vehicle, [Delivery])? {
    guard let handed = vehicles.removeValue(forKey: vehicle) else { return nil }
    return (handed, states.removeValue(forKey: vehicle) ?? [])
  }
}
