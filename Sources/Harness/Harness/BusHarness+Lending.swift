import Bus
import EventTime
import NodeKit
import Stage

/// Vehicles that a node has given to its successor in a swap, part by part.
///
/// Until the swap is complete the successor may fail. Then the node goes on with the copies.
struct LentVehicles {
  private(set) var slots = SlotSet()
  /// The state of each vehicle as it was given.
  private var vehicles: [String: HandedNode.Vehicle] = [:]
  /// The newest values of states that came since, which only the successor handles.
  private var states: [String: Delivery] = [:]

  var isEmpty: Bool { slots.isEmpty }

  mutating func add(_ given: [HandedNode.Vehicle], _ new: SlotSet) {
    slots.formUnion(new)
    for vehicle in given { vehicles[vehicle.name] = vehicle }
  }

  /// Forgets slots that came back with their state.
  mutating func remove(_ old: SlotSet) {
    slots.subtract(old)
    vehicles = vehicles.filter { !old.contains(vehicle: $0.key) }
    states = states.filter { $0.value.vehicle.map { !old.contains(vehicle: $0) } ?? true }
  }

  /// Whether a message is the successor's; keeps the last values of states that the stage reads.
  mutating func keeps(_ delivery: Delivery, inputs: Set<String>) -> Bool {
    guard let vehicle = delivery.vehicle, slots.contains(vehicle: vehicle) else { return false }
    if delivery.traits.deliveryClass == .state, inputs.contains(delivery.leaf) {
      states["\(delivery.topic) \(delivery.header.key ?? "")"] = delivery
    }
    return true
  }

  /// Gives everything back, and is empty.
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

/// Vehicles that came back to a node without their successor's state.
///
/// Their stages are made anew when a message arrives, and a few in each turn of the loop: thousands
/// at once would keep the loop from its other work.
struct ReturnedVehicles {
  static let perTurn = 16

  fileprivate(set) var vehicles: [String: HandedNode.Vehicle] = [:]
  fileprivate var states: [String: [Delivery]] = [:]

  var isEmpty: Bool { vehicles.isEmpty }
  var count: Int { vehicles.count }
  /// One of them.
  var next: String? { vehicles.first?.key }

  /// Takes a vehicle, and the states that it has missed; nil where it is none of these.
  mutating func take(_ vehicle: String) -> (HandedNode.Vehicle, [Delivery])? {
    guard let handed = vehicles.removeValue(forKey: vehicle) else { return nil }
    return (handed, states.removeValue(forKey: vehicle) ?? [])
  }
}

extension BusHarness {
  /// Tells the broker about how much state each slot has, from the state of some vehicles.
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
  /// Bytes that are handed over for a vehicle in addition to its state: numbers of its inputs, names.
  private static let bytesBesidesState = 256

  /// A successor has the vehicle; its stage goes, and what is saved of it stays.
  func lend(_ vehicle: String) {
    _ = host.drop(vehicle)
    wakes[vehicle] = nil
    promises.forget(vehicle)
    setDegraded("stage \(vehicle)", nil)
  }

  /// The successor is gone, and its vehicles are this node's again.
  func takeBack(_ reason: String) {
    returned = lent.takeAll()
    log.write(
      .warning, "takes \(returned.count) vehicles back from its successor: \(reason)",
      stampNS: stampNS(.now))
  }

  /// Makes the stages of some vehicles anew that came back.
  func reviveSome() {
    guard !returned.isEmpty else { return }
    for _ in 0..<ReturnedVehicles.perTurn {
      guard let vehicle = returned.next else { return }
      revive(vehicle)
    }
  }

  /// Makes the stage of a vehicle anew that came back; false where it is none of these.
  @discardableResult
  func revive(_ vehicle: String) -> Bool {
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
    for delivery in states { handle(.message(Inbound(delivery)), vehicle: vehicle) }
    if let now = time.now(at: .now) { handle(.wake(now: now), vehicle: vehicle) }
    keeper.changed(vehicle)
    return true
  }

  /// One part of a handover failed; what came with it is void, and the next part may follow.
  func dismissPart(_ token: UInt64, _ reason: String) {
    if arriving?.token == token {
      dropArriving()
    } else if let begun, begun.token == token {
      // It had begun, and nobody has taken what it published.
      for vehicle in host.vehicles(in: begun.slots) { lend(vehicle) }
      kept.drop { begun.slots.contains(vehicle: $0) }
      if isStandby {
        taken.subtract(begun.slots)
      } else {
        client.changeSlots(adding: SlotSet(), removing: begun.slots)
      }
      self.begun = nil
    }
    log.write(.warning, "a part was not taken over: \(reason)", stampNS: stampNS(.now))
  }

  /// The predecessor is gone with what it still had: all is this process's from now on.
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
      .warning, "goes on as the node with \(host.vehicleCount) vehicles: run \(run) is gone",
      stampNS: stampNS(.now))
  }
}
