import BusClient
import BusProtocol

/// The role of this process among the processes with the node's name, and the vehicles that it has.
///
/// A standby is not yet the node, and a retired process is no longer the node. While vehicles move
/// part by part, each of the two processes has some of them.
final class NodeRole {
  /// Whether another process has the name, and this one does not publish.
  private(set) var isStandby: Bool
  /// Whether another process has the name from now on; this one ends silently.
  private(set) var isRetired = false
  /// Whether the whole node is being handed over, and its input waits.
  var isPassingOn = false
  /// Slots of the node that this standby already has.
  private(set) var taken = SlotSet()
  /// Vehicles that the node has given to its successor, which may still fail.
  private var lent = LentVehicles()
  private let isReplica: Bool
  private let client: BusClient

  init(isStandby: Bool, isReplica: Bool, client: BusClient) {
    self.isStandby = isStandby
    self.isReplica = isReplica
    self.client = client
  }

  /// Whether states and status are published by the successor or the predecessor instead.
  var isStill: Bool { isStandby || isPassingOn }

  /// Whether a successor has some of the vehicles, and may still fail.
  var isLending: Bool { !lent.isEmpty }

  /// Whether the process serves a vehicle.
  ///
  /// A replica serves those of its slots, a standby in a swap those that have moved; every other
  /// process serves all.
  func serves(_ vehicle: String) -> Bool {
    if isStandby { return taken.contains(vehicle: vehicle) }
    if isLent(vehicle) { return false }
    guard isReplica else { return true }
    return client.slots?.contains(vehicle: vehicle) ?? false
  }

  /// Whether a successor has the vehicle.
  func isLent(_ vehicle: String) -> Bool {
    !lent.isEmpty && lent.slots.contains(vehicle: vehicle)
  }

  /// Whether a message belongs to the successor; keeps the last values of states that the stage
  /// reads.
  func keepsForSuccessor(_ delivery: Delivery, inputs: Set<String>) -> Bool {
    !lent.isEmpty && lent.keeps(delivery, inputs: inputs)
  }

  /// Ends this process's part in the node.
  func retire() { isRetired = true }

  /// Becomes the node, with all its vehicles.
  func becomeNode() {
    isStandby = false
    taken = SlotSet()
  }

  /// Receives the vehicles of some slots.
  func add(_ slots: SlotSet) {
    if isStandby {
      taken.formUnion(slots)
    } else if !lent.isEmpty {
      lent.remove(slots)
    } else {
      client.changeSlots(adding: slots, removing: SlotSet())
    }
  }

  /// Gives up the vehicles of some slots.
  func remove(_ slots: SlotSet) {
    if isStandby {
      taken.subtract(slots)
    } else {
      client.changeSlots(adding: SlotSet(), removing: slots)
    }
  }

  /// Gives the vehicles of some slots to a process of the same name, and keeps their states until
  /// that process has everything.
  func lend(_ vehicles: [NodeHandoverState.Vehicle], _ slots: SlotSet) {
    if isStandby {
      taken.subtract(slots)
    } else {
      lent.add(vehicles, slots)
      client.stopReceiving(slots)
    }
  }

  /// Ends the lending, and returns the vehicles with the states that they were given away with.
  func reclaim() -> ReturnedVehicles {
    let returned = lent.drain()
    client.receiveAllSlots()
    return returned
  }
}
