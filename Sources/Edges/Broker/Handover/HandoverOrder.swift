import BusProtocol

/// An ordered handover or series of handovers.
struct HandoverOrder {
  /// The broker's request for the size of a state, whose answer is pending.
  struct Weighing {
    var token: UInt64
    /// nil for the whole node.
    var slots: SlotSet?
    var deadline: MonotonicTime
  }

  /// The orderer, which gets the outcome.
  var orderer: Identity
  var token: UInt64?
  var limitMS: Int64
  /// nil for the handover of a node to its standby.
  var group: String?
  /// Moves of a rescale that are not made yet.
  var moves: [SlotTable.Move] = []
  /// The process that has the name, and its standby; nil for a rescale.
  var holder: HandoverMachine.Party?
  var standby: HandoverMachine.Party?
  /// The two processes of the move in progress.
  var from: HandoverMachine.Party?
  var to: HandoverMachine.Party?
  var weighing: Weighing?
  /// Bytes of state of each slot; empty if no node was asked.
  var sizes: [UInt64] = []
  /// Slots that are not handed over yet, part by part; nil for everything at once.
  var parts: [SlotSet?] = []
  /// Until when both processes catch up with their input before the next part; nil outside such a pause.
  var pausedUntil: MonotonicTime?
  /// Number of failed attempts of the present part.
  var attempts = 0
  /// Slots that the standby already has.
  var moved = SlotSet()
  /// Why moved slots are returned; nil while none are.
  var failure: HandoverRefusal?
  /// A remark for the outcome of an order that was carried out.
  var remark = ""
  var machine: HandoverMachine?
  var startedAt: MonotonicTime
  /// Calls that wait for the end of a part: identity, request, payload.
  var heldCalls: [(id: String, request: ControlMessage.Call, payload: [UInt8])] = []
  var heldMS = 0.0
  var heldCount: UInt64 = 0
  var stateBytes: UInt64 = 0
  var movedSlots: UInt64 = 0
  var handovers: UInt64 = 0
  var run: UInt64?
  /// Whether the state is only copied, for a comparison.
  var isShadow = false
  var compared: UInt64?
  var different: UInt64?
  var difference: String?

  init(orderer: Identity, token: UInt64?, limitMS: Int64, startedAt: MonotonicTime) {
    self.orderer = orderer
    self.token = token
    self.limitMS = limitMS
    self.startedAt = startedAt
  }

  /// Handles a process that reconnected over another connection without having left.
  mutating func moved(from old: Identity, to new: Identity) {
    machine?.moved(from: old, to: new)
    if holder?.identity == old { holder?.identity = new }
    if standby?.identity == old { standby?.identity = new }
    if from?.identity == old { from?.identity = new }
    if to?.identity == old { to?.identity = new }
  }

  /// Target size of the state handed over at once, in bytes; it takes a few milliseconds.
  static let partBytes: UInt64 = 512 << 10
  /// How long a node may take to report how much state it has, in milliseconds.
  ///
  /// Nothing waits for it, and the request arrives after all input that a busy node has not handled
  /// yet.
  static let weighingMS: Int64 = 20_000
  /// The longest pause after a part, in milliseconds.
  static let longestPauseMS: Int64 = 2_000
  /// How long a part takes at most if both processes keep up with their input, in milliseconds.
  static let quickPartMS: Int64 = 100
  /// Maximum size of the state that a shadow gets at once, in bytes.
  static let shadowBytes: UInt64 = 16 << 20
  /// Maximum number of attempts for a part.
  static let mostAttempts = 5

  /// How long to pause after a part that took a number of milliseconds.
  ///
  /// Parts take longer if the processors are busy, and input that arrived meanwhile is handled
  /// before the next one. A pause is as long as a quick part took, and twice as long as a slow one,
  /// so that most of the time is left for input.
  static func pauseMS(after tookMS: Int64) -> Int64 {
    min(tookMS <= quickPartMS ? tookMS : 2 * tookMS, longestPauseMS)
  }

  /// How long to pause after a failed attempt, by its number from 1: 1, 2, 4 seconds.
  static func pauseMS(afterAttempt attempt: Int) -> Int64 {
    500 << Int64(min(attempt, 3))
  }

  /// Divides slots into parts of about `partBytes`; a slot is never divided.
  static func parts(of slots: SlotSet, _ sizes: [UInt64]) -> [SlotSet] {
    var parts: [SlotSet] = []
    var part = SlotSet()
    var bytes: UInt64 = 0
    for slot in slots.elements {
      let size = slot < sizes.count ? sizes[slot] : 0
      if !part.isEmpty, bytes + size > partBytes {
        parts.append(part)
        (part, bytes) = (SlotSet(), 0)
      }
      part.insert(slot)
      bytes += size
    }
    return part.isEmpty ? parts : parts + [part]
  }
}
