import BusProtocol

/// The takeover of a node, or of some of its vehicles, by this process.
struct IncomingHandover {
  let token: UInt64
  /// nil for the whole node.
  var slots: SlotSet?
  /// Whether the marker has arrived; later input is held.
  var hasCut = false
  /// The state, if it arrived before the marker.
  var early: [UInt8]?
  var handed: NodeHandoverState?
  var isReleased = false

  /// Whether the process becomes the node, and does not only get vehicles.
  var isWhole: Bool { slots?.hasRest ?? true }
}
