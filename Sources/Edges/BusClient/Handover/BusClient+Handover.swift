public import BusProtocol
import Synchronization

// The functions that a node calls when it is handed over or takes over. Called on the node's work
// loop.
extension BusClient {
  /// The slots of a replica; nil if the node is not a replica or has not received its slots yet.
  public var slots: SlotSet? { link.withLock { $0.slots } }

  /// Reports to the broker that the subscriptions of a standby or a replica are in place.
  public func becomeReady() {
    link.withLock { $0.isReady = true }
    send(.registerAgain)
  }

  /// Makes this client the node, as the successor of the process whose run was `predecessor`.
  public func becomeActive(after predecessor: UInt64) {
    link.withLock {
      $0.isStandby = false
      $0.predecessor = predecessor
    }
    receiveAllSlots()
  }

  /// Stops receiving the streams of slots that a successor has from now on.
  public func stopReceiving(_ slots: SlotSet) { reception.withLock { $0.stopReceiving(slots) } }

  /// Receives the streams of all slots from now on.
  public func receiveAllSlots() { reception.withLock { $0.receiveAllSlots() } }

  /// Changes the slots that the replica will report to a new broker.
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
  /// Readers treat a greater run as a later one, and restart their counts.
  public func change(run: UInt64, telling: Bool) {
    link.withLock { $0.run = run }
    outbox.withLock { box in
      guard var outbox = box.take() else { return }
      outbox.change(run: run)
      box = consume outbox
    }
    if telling { send(.registerAgain) }
  }

  /// Answers `weigh` with the approximate number of bytes of state in each slot.
  public func weighed(token: UInt64, sizes: [UInt64]) {
    send(.tellBroker(.weight(.init(token: token, ok: true, sizes: sizes)), []))
  }

  /// The topic on which participants of a handover publish their progress.
  public var fenceTopic: String { "_handover/\(configuration.name)" }

  /// Publishes a marker after everything published so far and before everything published later.
  ///
  /// Returns its number, or nil if the bus has no room.
  public func publishFence() -> UInt64? {
    let topic = fenceTopic
    let result = publish(
      Publication(topic: topic, stampNS: 0, schema: "_handover/1.0", payload: [0x80]))
    guard result == .sent else { return nil }
    return outbox.withLock { $0?.lastSequence(of: topic) }
  }

  /// Answers `freeze`: everything before the marker is done, and `state` is what a successor needs.
  public func frozen(token: UInt64, sequence: UInt64, state: [UInt8]) {
    send(.tellBroker(.frozen(.init(token: token, ok: true, seq: sequence)), state))
  }

  /// Answers `freeze`: freezing is not possible.
  public func cannotFreeze(token: UInt64, reason: String) {
    send(.tellBroker(.frozen(.init(token: token, ok: false, message: reason)), []))
  }

  /// Answers `take`; `fault` is the reason why the state or the input is invalid.
  ///
  /// `compared` contains what a shadow saw before: messages, different messages, and the first
  /// difference.
  public func imported(
    token: UInt64, fault: String?, compared: (UInt64, UInt64, String?)? = nil
  ) {
    let answer = ControlMessage.Imported(
      token: token, ok: fault == nil, message: fault, compared: compared?.0,
      different: compared?.1, difference: compared?.2)
    send(.tellBroker(.imported(answer), []))
  }

  /// The reason why input would be lost if the client continued from the end of `inputs`; nil if
  /// none would.
  public func fault(token: UInt64, after inputs: [InputMark]) -> String? {
    reception.withLock { $0.hold(token: token)?.fault(after: inputs) }
  }

  /// Requests that last values of states are held as well; `lastValues` reports their arrival.
  public func askLastValues(_ patterns: [String], token: UInt64) {
    send(.askLastValues(patterns, token))
  }

  /// Ends the hold and returns the held input in order, as if `inputs` had been received here.
  public func releaseHeld(token: UInt64, after inputs: [InputMark]) -> [Delivery] {
    reception.withLock { $0.releaseHeld(token: token, after: inputs, now: .now) }
  }

  /// Ends the hold and discards the held input, which belongs to another process.
  public func dropHeld(token: UInt64) {
    reception.withLock { _ = $0.endHandover(token: token) }
  }

  /// The messages that a new broker needs: last values of states and recent events.
  public func keptMessages(
    of slots: SlotSet?, excluding excluded: [String] = []
  ) -> (states: [Frame], events: [Frame]) {
    outbox.withLock { $0?.kept(of: slots, excluding: excluded) ?? ([], []) }
  }

  /// Keeps the messages that a predecessor published, for a new broker.
  public func keep(states: [Frame], events: [Frame]) {
    outbox.withLock { box in
      guard var outbox = box.take() else { return }
      outbox.adopt(states: states, events: events, now: .now)
      box = consume outbox
    }
  }

  /// Forgets the state of slots that belong to another process from now on.
  public func forget(_ slots: SlotSet) {
    reception.withLock { $0.forget(slots) }
    outbox.withLock { box in
      guard var outbox = box.take() else { return }
      outbox.forget(slots)
      box = consume outbox
    }
  }
}
