import BusClient
import BusProtocol

/// The handover of a node, or of some of its vehicles, to a successor.
struct OutgoingHandover {
  let token: UInt64
  /// nil for the whole node.
  var slots: SlotSet?
  var inputs: [InputMark] = []
  var isSettled = true
  /// Whether all input before the marker has arrived; input after it waits.
  var hasCut = false
  /// Whether no call of what is handed over arrives any more.
  var isFrozen = false
  /// Whether the state was delivered or refused.
  var hasAnswered = false
  /// Whether the successor has this node's name, and may fail after it has started.
  var keepsCopy = false
  /// The delivered state, if a copy is kept.
  var given: [NodeHandoverState.Vehicle] = []
  /// Vehicles whose wake-up became due meanwhile.
  var wakes: Set<String> = []

  /// Markers of the next handovers that arrived before the end of this one.
  ///
  /// A marker arrives in the stream of messages, the end of a handover over the control socket.
  /// Under load, the marker of the next part may therefore be read first.
  private var next: [(token: UInt64, slots: SlotSet?)] = []

  init(token: UInt64) { self.token = token }

  /// Whether the process as such is handed over, and not only vehicles.
  var isWhole: Bool { slots?.hasRest ?? true }

  func includes(_ vehicle: String) -> Bool { slots?.contains(vehicle: vehicle) ?? true }

  /// Whether an event waits for the end of this handover; `vehicle` is the one of calls without a
  /// vehicle.
  ///
  /// Input after the marker of the next handover waits with that marker: handled before it, it
  /// would become part of the state that is handed over, and the successor would handle it again.
  mutating func holds(_ event: BusEvent, vehicle: String) -> Bool {
    guard hasCut else { return false }
    switch event {
    // Vehicles that stay are served meanwhile.
    case .message(let delivery):
      guard let vehicle = delivery.vehicle else {
        return isWhole || next.contains { $0.slots?.hasRest ?? true }
      }
      return includes(vehicle) || next.contains { $0.slots?.contains(vehicle: vehicle) ?? true }
    case .call(let call): return isFrozen && includes(call.vehicle ?? vehicle)
    // The next handover is handled when this one has ended.
    case .handover(.cut(let token, let slots, _, _, _)):
      guard token != self.token else { return false }
      next.append((token, slots))
      return true
    case .handover(.freeze(let token)): return token != self.token
    // It arrived in the stream of messages; the end of this part was sent before, and arrives soon.
    case .handover(.takeBack): return true
    default: return false
    }
  }
}
