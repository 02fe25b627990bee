import BusProtocol

/// State machine of one handover at the broker: answers and failures in, next steps out.
///
/// It uses no sockets and no clock; `Protocols/control.md` lists the steps.
struct HandoverMachine {
  /// A process that takes part.
  struct Party: Hashable {
    var identity: Identity
    var name: String
    var run: UInt64
  }

  enum Action: Hashable {
    case give([UInt8])
    case release
    /// `to` has started: name, slots, calls and rights are its own from now on.
    case commit
    case retire
    case resume(String)
    case dismiss(String)
    /// Nothing that `to` still publishes may be accepted.
    case revoke
    case end(code: String, message: String)
  }

  private enum Phase {
    case freezing
    /// The state has arrived; outputs may still be in transit.
    case draining(state: [UInt8])
    case importing
    case releasing
    case ended
  }

  /// Maximum size of a state that is handed over, in bytes.
  static let maximumStateBytes = 60 << 20

  let token: UInt64
  var from: Party
  var to: Party
  /// nil if the whole node is handed over.
  let slots: SlotSet?
  let deadline: MonotonicTime
  /// Whether the state is only copied: `from` continues as soon as it has delivered it.
  let isShadow: Bool
  private(set) var stateBytes = 0
  private var phase = Phase.freezing
  private var isFromGone = false
  /// The number of the last message that `from` published; 0 until it has reported it.
  private var lastOfFrom: UInt64 = 0
  private var seenOfFrom: UInt64 = 0

  init(
    token: UInt64, from: Party, to: Party, slots: SlotSet?, deadline: MonotonicTime,
    isShadow: Bool = false
  ) {
    self.token = token
    self.from = from
    self.to = to
    self.slots = slots
    self.deadline = deadline
    self.isShadow = isShadow
  }

  /// Whether a process takes part in this handover.
  func involves(_ identity: Identity) -> Bool {
    from.identity == identity || to.identity == identity
  }

  /// Handles a process that reconnected over another connection without having left.
  mutating func moved(from old: Identity, to new: Identity) {
    if from.identity == old { from.identity = new }
    if to.identity == old { to.identity = new }
  }

  /// Handles the answer of `from`: everything before the marker is done, or freezing failed.
  mutating func frozen(ok: Bool, sequence: UInt64, state: [UInt8], reason: String) -> [Action] {
    guard case .freezing = phase else { return [] }
    guard ok else { return fail("refused", "\(from.name) cannot be handed over: \(reason)") }
    guard state.count <= Self.maximumStateBytes else {
      return fail("too_much", "the state of \(from.name) has \(state.count) bytes")
    }
    stateBytes = state.count
    lastOfFrom = sequence
    phase = .draining(state: state)
    return importIfDrained()
  }

  /// Handles a message of one of the two processes on `_handover/<name>`.
  mutating func published(_ writer: Writer, sequence: UInt64) -> [Action] {
    if writer == Writer(source: from.name, run: from.run) {
      seenOfFrom = max(seenOfFrom, sequence)
      return importIfDrained()
    }
    guard writer == Writer(source: to.name, run: to.run), case .releasing = phase else { return [] }
    phase = .ended
    return [.commit] + (isFromGone ? [] : [.retire]) + [.end(code: "", message: "")]
  }

  private mutating func importIfDrained() -> [Action] {
    guard case .draining(let state) = phase, seenOfFrom >= lastOfFrom else { return [] }
    phase = .importing
    return isShadow ? [.resume(""), .give(state)] : [.give(state)]
  }

  /// Handles the answer of `to`: it has the state, or refuses it.
  mutating func imported(ok: Bool, reason: String) -> [Action] {
    guard case .importing = phase else { return [] }
    guard ok else { return fail("refused", "\(to.name) does not take over: \(reason)") }
    guard !isShadow else {
      phase = .ended
      return [.release, .end(code: "", message: "")]
    }
    phase = .releasing
    return [.release]
  }

  /// Handles a process that hung up or fell silent.
  mutating func gone(_ identity: Identity) -> [Action] {
    if identity == to.identity {
      return fail("gone", "the process that was to take over \(to.name) disconnected")
    }
    guard identity == from.identity else { return [] }
    isFromGone = true
    switch phase {
    case .freezing, .draining:
      return fail("gone", "\(from.name) disconnected before it had sent its state")
    case .importing, .releasing, .ended:
      return []
    }
  }

  mutating func tick(now: MonotonicTime) -> [Action] {
    guard now >= deadline else { return [] }
    switch phase {
    case .freezing: return fail("late", "\(from.name) did not finish in time")
    case .draining:
      return fail("late", "not all messages that \(from.name) had published arrived in time")
    case .importing: return fail("late", "the new \(to.name) did not import the state in time")
    case .releasing: return fail("late", "the new \(to.name) did not start in time")
    case .ended: return []
    }
  }

  private mutating func fail(_ code: String, _ message: String) -> [Action] {
    if case .ended = phase { return [] }
    var actions: [Action] = []
    if case .releasing = phase { actions.append(.revoke) }
    var hasGoneOn = false
    if isShadow, case .importing = phase { hasGoneOn = true }
    // A process that was silent for too long may still be alive, and would wait forever.
    if !hasGoneOn { actions.append(.resume(message)) }
    actions.append(.dismiss(message))
    phase = .ended
    return actions + [.end(code: code, message: message)]
  }
}
