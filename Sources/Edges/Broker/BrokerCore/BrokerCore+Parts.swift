import BusProtocol

// A handover in parts: their size, their order, and the handling of failures.
extension BrokerCore {
  /// Hands `slots` over, or everything; in parts if both processes support it and there is much
  /// state.
  mutating func transfer(
    from: HandoverMachine.Party, to: HandoverMachine.Party, slots: SlotSet?, now: MonotonicTime
  ) {
    handover?.from = from
    handover?.to = to
    handover?.attempts = 0
    let canPart = [from, to].allSatisfy {
      registry.node(at: $0.identity)?.handsOverInParts ?? false
    }
    guard canPart, let limitMS = handover?.limitMS else {
      handover?.parts = [slots]
      return nextPart(now: now)
    }
    handoverCount += 1
    handover?.weighing = HandoverOrder.Weighing(
      token: handoverCount, slots: slots,
      deadline: now.advanced(byMS: max(limitMS, HandoverOrder.weighingMS)))
    send(ControlMessage.Weigh(token: handoverCount), to: from.identity)
  }

  /// Handles a node's report of its amount of state in each slot.
  mutating func handoverWeighed(
    _ head: ControlMessage.Weight, from identity: Identity, now: MonotonicTime
  ) {
    guard let order = handover, let weighing = order.weighing, weighing.token == head.token,
      identity == order.from?.identity
    else { return count("late_handover_answer") }
    handover?.weighing = nil
    handover?.sizes = head.sizes
    let bytes = head.sizes.reduce(0) { $0 &+ min($1, 1 << 40) }
    if order.isShadow, bytes > HandoverOrder.shadowBytes {
      return end(
        code: "too_much",
        message: "a shadow receives at most \(HandoverOrder.shadowBytes >> 20) MiB of state, and "
          + "\(order.from?.name ?? "") has \(bytes >> 20)", now: now)
    }
    if order.isShadow || (weighing.slots == nil && bytes <= HandoverOrder.partBytes) {
      handover?.parts = [weighing.slots]
    } else {
      var parts: [SlotSet?] = HandoverOrder.parts(of: weighing.slots ?? .all, head.sizes)
      if weighing.slots == nil {
        // The name, the calls and what has no vehicle are handed over last.
        var rest = SlotSet()
        rest.hasRest = true
        parts.append(rest)
      }
      handover?.parts = parts
    }
    nextPart(now: now)
  }

  /// Starts the next part, or what follows the last one.
  mutating func nextPart(now: MonotonicTime) {
    guard let order = handover else { return }
    guard let part = order.parts.first else {
      if let failure = order.failure {
        if let standby = order.standby { dismiss(standby, failure) }
        end(code: failure.code, message: failure.message, now: now)
      } else if order.group != nil {
        nextMove(now: now)
      } else {
        end(code: "", message: order.remark, now: now)
      }
      return
    }
    guard let from = order.from, let to = order.to else { return }
    guard registry.node(at: from.identity) != nil else {
      return failed(HandoverRefusal("gone", "\(from.name) disconnected"), now: now)
    }
    guard registry.node(at: to.identity) != nil else {
      return failed(
        HandoverRefusal("gone", "the process that was to take over \(to.name) disconnected"),
        now: now)
    }
    if let group = order.group, let slots = part,
      let lane = registry.node(at: to.identity)?.place?.lane
    {
      groups[group]?.moving = (slots, lane)
    }
    startHandover(from: from, to: to, slots: part, now: now)
  }

  /// Handles a failed part: it is tried again, or the order is rolled back, or ends.
  mutating func failed(_ failure: HandoverRefusal, now: MonotonicTime) {
    guard let order = handover, let from = order.from, let to = order.to else { return }
    let isPart = order.parts.first.flatMap { $0 } != nil
    let areThere = [from, to].allSatisfy { registry.node(at: $0.identity) != nil }
    if isPart, areThere, ["late", "refused"].contains(failure.code),
      order.attempts + 1 < HandoverOrder.mostAttempts
    {
      let attempt = order.attempts + 1
      handover?.attempts = attempt
      guard failure.code == "late" else { return nextPart(now: now) }
      handover?.pausedUntil = now.advanced(byMS: HandoverOrder.pauseMS(afterAttempt: attempt))
      return
    }
    guard let holder = order.holder, let standby = order.standby, !order.moved.isEmpty else {
      let first = order.failure ?? failure
      return end(code: first.code, message: first.message, now: now)
    }
    if registry.node(at: holder.identity) == nil, registry.node(at: standby.identity) != nil {
      return inherit(holder, standby, now: now)
    }
    if order.failure == nil, registry.node(at: standby.identity) != nil {
      turnBack(failure, now: now)
    } else {
      reclaimSlots(order.failure ?? failure, now: now)
    }
  }

  /// Makes the new process, which already works, the node: the old one died with its remaining
  /// state.
  private mutating func inherit(
    _ holder: HandoverMachine.Party, _ standby: HandoverMachine.Party, now: MonotonicTime
  ) {
    let slots = SlotSet.count - (handover?.moved.count ?? 0)
    // Its calls are not answered any more; the successor has not received them.
    becomeHolder(standby, after: holder, movesCalls: false)
    send(ControlMessage.Inherit(from: holder.run), to: standby.identity)
    end(
      code: "",
      message:
        "the old process disconnected during the handover: the vehicles of \(slots) slots start without state",
      now: now)
  }

  /// Rolls back: the standby returns what it has.
  private mutating func turnBack(_ failure: HandoverRefusal, now: MonotonicTime) {
    guard let order = handover, let standby = order.standby,
      let holder = continueUnderNewRun("run", failure)
    else { return }
    handover?.failure = failure
    handover?.from = standby
    handover?.to = holder
    handover?.attempts = 0
    handover?.parts = HandoverOrder.parts(of: order.moved, order.sizes)
    nextPart(now: now)
  }

  /// Handles a standby that is gone with the state of its slots.
  ///
  /// The old process continues these slots from where it had given them away.
  private mutating func reclaimSlots(_ failure: HandoverRefusal, now: MonotonicTime) {
    if let standby = handover?.standby { dismiss(standby, failure) }
    _ = continueUnderNewRun("take_back", failure)
    handover?.moved = SlotSet()
    end(code: failure.code, message: failure.message, now: now)
  }

  private mutating func dismiss(_ standby: HandoverMachine.Party, _ failure: HandoverRefusal) {
    send(
      ControlMessage.Dismiss(token: handoverCount, message: failure.message),
      to: standby.identity)
  }

  /// Gives the holder of a name a run above its standby's, and publishes that run in the stream of
  /// messages.
  ///
  /// Readers then treat what it publishes from now on as newer.
  private mutating func continueUnderNewRun(
    _ what: String, _ failure: HandoverRefusal
  ) -> HandoverMachine.Party? {
    guard let order = handover, var holder = order.holder, let standby = order.standby else {
      return nil
    }
    let run = max(holder.run, standby.run) + 1
    let body = ControlMessage.Marker(
      token: handoverCount, run: run, to: holder.run, message: failure.message, what: what)
    publishMarker(body, to: holder.name)
    registry.change(run: run, at: holder.identity)
    holder.run = run
    handover?.holder = holder
    return holder
  }

  /// Gives the name to the standby from now on.
  mutating func becomeHolder(
    _ standby: HandoverMachine.Party, after holder: HandoverMachine.Party, movesCalls: Bool = true
  ) {
    registry.replace(holder.identity, by: standby.identity)
    let node = registry.node(at: standby.identity)
    if movesCalls { callTable.move(from: holder.identity, to: standby.identity) }
    _ = callTable.serve(
      node?.serves ?? [], by: standby.identity, named: standby.name, group: node?.place?.group)
  }

  /// Sends held calls to the process that has the vehicle now.
  mutating func sendHeldCalls(to server: Identity, now: MonotonicTime) {
    let held = handover?.heldCalls ?? []
    handover?.heldCalls = []
    for (id, request, payload) in held {
      guard let call = callTable.call(id) else { continue }
      callTable.redirect(id, toServer: server)
      var request = request
      request.timeoutMs = UInt64(max(1, (call.deadline.nanoseconds - now.nanoseconds) / 1_000_000))
      send(request, payload, to: server)
    }
  }
}
