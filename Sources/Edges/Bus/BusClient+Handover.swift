import Synchronization

// What a node does when it is handed over, or takes over. Called on the node's work loop.
extension BusClient {
  /// The slots that a replica has; nil where the node is none or was not told yet.
  public var slots: SlotSet? { link.withLock { $0.slots } }

  /// Tells the broker that the subscriptions of a standby or a replica are in place.
  public func becomeReady() {
    link.withLock { $0.isReady = true }
    send(.registerAgain)
  }

  /// From now on the client is the node, after another process whose run was `predecessor`.
  public func becomeActive(after predecessor: UInt64) {
    link.withLock {
      $0.isStandby = false
      $0.predecessor = predecessor
    }
  }

  /// Changes which slots the replica tells a new broker that it has.
  public func changeSlots(adding new: SlotSet, removing old: SlotSet) {
    link.withLock {
      var slots = $0.slots ?? SlotSet()
      slots.formUnion(new)
      slots.subtract(old)
      $0.slots = slots
    }
  }

  /// Publishes under another run from now on; with `telling`, reports that run to the broker.
  ///
  /// Readers take a greater run for a later one, and begin to count anew.
  public func change(run: UInt64, telling: Bool) {
    link.withLock { $0.run = run }
    outbox.withLock { box in
      guard var outbox = box.take() else { return }
      outbox.change(run: run)
      box = consume outbox
    }
    if telling { send(.registerAgain) }
  }

  /// Answers `weigh`: about so many bytes of state has each slot.
  public func weighed(token: UInt64, sizes: [UInt64]) {
    var head = Control(.weight, token: token)
    head.isOK = true
    head.sizes = sizes
    send(.tellBroker(head, []))
  }

  /// Where those who take part in a handover tell how far they are.
  public var fenceTopic: String { "_handover/\(configuration.name)" }

  /// Publishes what stands behind all that was published so far, or before all that will be; gives
  /// its number, or nil where the bus has no room.
  public func publishFence() -> UInt64? {
    let topic = fenceTopic
    let result = publish(
      Publication(topic: topic, stampNS: 0, schema: "_handover/1.0", payload: [0x80]))
    guard result == .sent else { return nil }
    return outbox.withLock { $0?.lastSequence(of: topic) }
  }

  /// Answers `freeze`: all before the marker is done, and `state` is what a successor needs.
  public func frozen(token: UInt64, sequence: UInt64, state: [UInt8]) {
    var head = Control(.frozen, token: token)
    head.isOK = true
    head.sequence = sequence
    send(.tellBroker(head, state))
  }

  /// Answers `freeze`: it cannot be.
  public func cannotFreeze(token: UInt64, reason: String) {
    var head = Control(.frozen, token: token)
    head.isOK = false
    head.message = reason
    send(.tellBroker(head, []))
  }

  /// Answers `take`; `fault` is why the state or the input is not as it must be.
  ///
  /// `compared` tells what a shadow before it saw: messages, those that differ, the first difference.
  public func imported(
    token: UInt64, fault: String?, compared: (UInt64, UInt64, String?)? = nil
  ) {
    var head = Control(.imported, token: token)
    head.isOK = fault == nil
    head.message = fault
    head.compared = compared?.0
    head.different = compared?.1
    head.difference = compared?.2
    send(.tellBroker(head, []))
  }

  /// Why input would be lost if the client went on where `inputs` end; nil where none would.
  public func fault(token: UInt64, after inputs: [InputMark]) -> String? {
    reception.withLock { $0.hold(token: token)?.fault(after: inputs) }
  }

  /// Asks for last values of states to be held as well; `lastValues` tells when they are there.
  public func askLastValues(_ patterns: [String], token: UInt64) {
    send(.askLastValues(patterns, token))
  }

  /// Ends the hold and gives what waited, in order, as if `inputs` had been received here.
  public func takeHeld(token: UInt64, after inputs: [InputMark]) -> [Delivery] {
    reception.withLock { $0.takeHeld(token: token, after: inputs, now: .now) }
  }

  /// Ends the hold; what waited is another's.
  public func dropHeld(token: UInt64) {
    reception.withLock { _ = $0.endHandover(token: token) }
  }

  /// What a new broker would have to be told: last values of states, recent events.
  public func keptMessages(
    of slots: SlotSet?, excluding excluded: [String] = []
  ) -> (states: [Frame], events: [Frame]) {
    outbox.withLock { $0?.kept(of: slots, excluding: excluded) ?? ([], []) }
  }

  /// Keeps what a predecessor published, for a new broker.
  public func keep(states: [Frame], events: [Frame]) {
    outbox.withLock { box in
      guard var outbox = box.take() else { return }
      outbox.adopt(states: states, events: events, now: .now)
      box = consume outbox
    }
  }

  /// Forgets what is another's from now on.
  public func forget(_ slots: SlotSet) {
    reception.withLock { $0.forget(slots) }
    outbox.withLock { box in
      guard var outbox = box.take() else { return }
      outbox.forget(slots)
      box = consume outbox
    }
  }
}
