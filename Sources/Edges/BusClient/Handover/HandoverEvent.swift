public import BusProtocol

/// A handover's request to a node, in order with the node's other events.
public enum HandoverEvent: Hashable, Sendable {
  /// All input before this is the node's; later input of `slots` (nil for all) is its successor's.
  ///
  /// `inputs` contains the last message of each source by then. `isSettled` is false if some
  /// earlier messages were still being requested. With `keepsCopy`, the successor has the same name
  /// and may fail later; `takeBack` then returns the slots to this node.
  case cut(
    token: UInt64, slots: SlotSet?, inputs: [InputMark], isSettled: Bool, keepsCopy: Bool)
  /// The node gets input of `slots` from here on; it is held until `takeHeld`.
  case cutForSuccessor(token: UInt64, slots: SlotSet?)
  /// The broker asks for the size of the state; answered by `weighed`.
  case weigh(token: UInt64)
  /// The last call of what is handed over precedes this.
  case freeze(token: UInt64)
  /// The predecessor's state; answered by `imported`.
  case take(token: UInt64, state: [UInt8])
  /// Last values requested with `askLastValues` are held with the rest.
  case lastValues(token: UInt64)
  /// A standby continues silently from the state that it has taken, for a comparison.
  case shadow(token: UInt64)
  /// The node takes over: it publishes `publishFence` before anything else.
  case release(token: UInt64)
  /// The successor has started.
  case retire(token: UInt64)
  /// The handover failed; the node continues as before.
  case resume(token: UInt64, reason: String)
  /// The handover failed; what was taken over or held is void.
  case dismiss(token: UInt64, reason: String)
  /// One part of a handover failed; the slots of that part are void, and the process continues.
  case dismissPart(token: UInt64, reason: String)
  /// The successor is gone: its slots belong to the node again.
  case takeBack(reason: String)
  /// The predecessor with run `run` is gone: everything that it still had belongs to the successor.
  case inherit(run: UInt64)
  /// The broker is a new one, which does not know of any handover.
  case void
}
