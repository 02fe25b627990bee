import BusClient
import BusProtocol
import EventTime
import NodeKit
import Stage

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
  mutating func takeAll() -> ReturnedVehicles {
    var returned = ReturnedVehicles()
    returned.vehicles = vehicles
    for state in states.values.sorted(by: { $0.arrival < $1.arrival }) {
      if let vehicle = state.vehicle { returned.states[vehicle, default: []].append(state) }
    }
    self = LentVehicles()
    return returned
  }
}

/// Vehicles that were returned to a node without their successor's state.
///
/// Their stages are recreated when a message arrives, and a few in each turn of the loop. Thousands
/// at once would keep the loop from its other work.
struct ReturnedVehicles {
  static let perTurn = 16

  fileprivate(set) var vehicles: [String: NodeHandoverState.Vehicle] = [:]
  fileprivate var states: [String: [Delivery]] = [:]

  var isEmpty: Bool { vehicles.isEmpty }
  var count: Int { vehicles.count }
  /// One of them.
  var next: String? { vehicles.first?.key }

  /// Removes a vehicle and returns it with the states that it has missed; nil for other vehicles.
  mutating func take(_ vehicle: String) -> (NodeHandoverState.Vehicle, [Delivery])? {
    guard let handed = vehicles.removeValue(forKey: vehicle) else { return nil }
    return (handed, states.removeValue(forKey: vehicle) ?? [])
  }
}

extension BusHarness {
  /// Reports the estimated amount of state of each slot to the broker, based on some vehicles.
  func weigh(_ token: UInt64) {
    let counts = host.countsBySlot
    let all = host.vehicles
    let step = max(1, all.count / Self.weighedVehicles)
    let sample = stride(from: 0, to: all.count, by: step).map { index in
      (host.handOverState(of: all[index]) ?? host.savedState(of: all[index]))?.count ?? 0
    }
    let mean = sample.reduce(0, +) / max(1, sample.count) + Self.bytesBesidesState
    client.weighed(token: token, sizes: counts.map { UInt64($0 * mean) })
  }

  /// The number of vehicles from which the size of all state is estimated.
  private static let weighedVehicles = 24
  /// Bytes handed over for a vehicle in addition to its state: numbers of its inputs, names.
  private static let bytesBesidesState = 256

  /// Gives a vehicle to the successor: its stage is removed, and its saved state stays.
  func lend(_ vehicle: String) {
    _ = host.drop(vehicle)
    wakes[vehicle] = nil
    promises.forget(vehicle)
    setDegraded("stage \(vehicle)", nil)
  }

  /// Takes back the vehicles of a successor that is gone.
  func takeBack(_ reason: String) {
    returned = lent.takeAll()
    client.receiveAllSlots()
    log.write(
      .warning, "takes \(returned.count) vehicles back from its successor: \(reason)",
      stampNS: stampNS(.now))
  }

  /// Recreates the stages of some returned vehicles.
  func recreateStages() {
    guard !returned.isEmpty else { return }
    for _ in 0..<ReturnedVehicles.perTurn {
      guard let vehicle = returned.next else { return }
      recreateStage(vehicle)
    }
  }

  /// Recreates the stage of a returned vehicle; false for other vehicles.
  @discardableResult
  func recreateStage(_ vehicle: String) -> Bool {
    guard let (handed, states) = returned.take(vehicle) else { return false }
    _ = host.admit(vehicle)
    do throws(Refusal) {
      if let state = handed.state {
        if handed.isFull {
          try host.takeOver(state, vehicle: vehicle)
        } else {
          try host.restore(state, vehicle: vehicle)
        }
      }
    } catch {
      refuse(error, place: keeper.topic, vehicle: vehicle)
    }
    for delivery in states { handle(.message(EncodedMessage(delivery)), vehicle: vehicle) }
    if let now = time.now(at: .now) { handle(.wake(now: now), vehicle: vehicle) }
    keeper.changed(vehicle)
    return true
  }

  /// Handles the failure of one part of a handover: that part is void, and the next one may follow.
  func dismissPart(_ token: UInt64, _ reason: String) {
    if arriving?.token == token {
      dropArriving()
    } else if let begun, begun.token == token {
      // The part had started, but none of its messages were accepted.
      for vehicle in host.vehicles(in: begun.slots) { lend(vehicle) }
      kept.drop { begun.slots.contains(vehicle: $0) }
      if isStandby {
        taken.subtract(begun.slots)
      } else {
        client.changeSlots(adding: SlotSet(), removing: begun.slots)
      }
      self.begun = nil
    }
    log.write(
      .warning, "taking over a part of the vehicles failed: \(reason)", stampNS: stampNS(.now))
  }

  /// Takes over everything that the predecessor still had when it died.
  func inherit(from run: UInt64) {
    guard isStandby else { return }
    let waiting = arriving
    arriving = nil
    becomeNode(after: run)
    if let waiting {
      for delivery in client.takeHeld(token: waiting.token, after: waiting.handed?.inputs ?? []) {
        kept.append(.message(delivery))
      }
    }
    for vehicle in host.vehicles { keeper.changed(vehicle) }
    log.write(
      .warning, "continues as the node with \(host.vehicleCount) vehicles: run \(run) is gone",
      stampNS: stampNS(.now))
  }
}
