import BusProtocol
import ZMQ

extension BrokerCore {
  /// An order that has not started; its limit is within what a handover may hold input.
  func newOrder(
    _ orderer: Identity, _ token: UInt64?, limitMS: UInt64?, now: MonotonicTime
  ) -> HandoverOrder {
    let longest = HandoverLimits.maximumHoldMS
    let limitMS = Int64(min(max(limitMS ?? longest, 1), longest))
    return HandoverOrder(orderer: orderer, token: token, limitMS: limitMS, startedAt: now)
  }

  /// Handles an order to hand a node over or to shadow it; one order is carried out at a time.
  mutating func handOver(_ name: String, for new: HandoverOrder, now: MonotonicTime) {
    guard handover == nil else { return refuseSecond(new) }
    var order = new
    do {
      let (from, to) = try parties(of: name)
      order.run = to.run
      order.holder = from
      order.standby = to
      handover = order
      transfer(from: from, to: to, slots: nil, now: now)
    } catch {
      reply(order, code: error.code, error.message)
    }
  }

  /// Handles an order to rescale a group.
  mutating func rescale(
    _ body: ControlMessage.Rescale, for new: HandoverOrder, now: MonotonicTime
  ) {
    guard handover == nil else { return refuseSecond(new) }
    var order = new
    do {
      (order.group, order.moves) = try moves(body)
      handover = order
      nextMove(now: now)
    } catch {
      reply(order, code: error.code, error.message)
    }
  }

  private mutating func refuseSecond(_ order: HandoverOrder) {
    reply(order, code: "busy", "another handover is in progress")
  }

  /// Starts the next move of a rescale, or ends it.
  mutating func nextMove(now: MonotonicTime) {
    guard let order = handover, let group = order.group else { return }
    guard let move = order.moves.first, let lane = move.from else {
      return end(code: "", message: "", now: now)
    }
    handover?.moves.removeFirst()
    guard let from = groups[group]?.members[lane].flatMap({ registry.node(named: $0) }),
      let to = groups[group]?.members[move.to].flatMap({ registry.node(named: $0) })
    else {
      return end(code: "gone", message: "a replica of \(group) disconnected", now: now)
    }
    transfer(from: .init(from), to: .init(to), slots: move.slots, now: now)
  }

  mutating func startHandover(
    from: HandoverMachine.Party, to: HandoverMachine.Party, slots: SlotSet?, now: MonotonicTime
  ) {
    guard let order = handover else { return }
    handoverCount += 1
    handover?.startedAt = now
    handover?.machine = HandoverMachine(
      token: handoverCount, from: from, to: to, slots: slots,
      deadline: now.advanced(byMS: order.limitMS), isShadow: order.isShadow)
    // From the marker on, both lanes get what will belong to one or the other.
    updateLanes()
    if from.name == to.name {
      mark(from.name, from: from.run, to: to.run)
    } else {
      mark(from.name, from: from.run, to: nil)
      mark(to.name, from: nil, to: to.run)
    }
    send(ControlMessage.Freeze(token: handoverCount, slots: slots?.runs), to: from.identity)
  }

  /// Publishes the marker that divides the shared stream in two for the participants.
  private mutating func mark(_ name: String, from: UInt64?, to: UInt64?) {
    let slots = handover?.machine?.slots
    let body = ControlMessage.Marker(
      token: handoverCount, from: from, to: to, slots: slots?.runs,
      rest: slots?.hasRest == true ? true : nil)
    publishMarker(body, to: name)
  }

  /// Publishes on the topic that both processes of a handover read, on every lane.
  mutating func publishMarker(_ body: ControlMessage.Marker, to name: String) {
    syncCount += 1
    let header = Header(
      sequence: syncCount, stampNS: 0, source: Self.name, run: run, schema: "_bus_handover/1.0")
    let frame = Frame(topic: "_bus/handover/\(name)", header: header, payload: body.encoded())
    outgoing.append(.egress(Message(frame.parts), openLanes))
  }

  // MARK: What happens meanwhile

  mutating func handoverFrozen(
    _ head: ControlMessage.Frozen, _ payload: [UInt8], from identity: Identity, now: MonotonicTime
  ) {
    guard let machine = handover?.machine, machine.token == head.token else {
      return count("late_handover_answer")
    }
    guard identity == machine.from.identity else { return }
    step(now: now) {
      $0.frozen(
        ok: head.ok, sequence: head.seq ?? 0, state: payload,
        reason: head.message ?? "no reason given")
    }
  }

  mutating func handoverImported(
    _ head: ControlMessage.Imported, from identity: Identity, now: MonotonicTime
  ) {
    guard let machine = handover?.machine, machine.token == head.token else {
      return count("late_handover_answer")
    }
    guard identity == machine.to.identity else { return }
    handover?.compared = head.compared
    handover?.different = head.different
    handover?.difference = head.difference
    step(now: now) { $0.imported(ok: head.ok, reason: head.message ?? "no reason given") }
  }

  /// Handles a participant's fence message, published after or before all its other messages.
  mutating func handoverPublished(_ writer: Writer, sequence: UInt64, now: MonotonicTime) {
    step(now: now) { $0.published(writer, sequence: sequence) }
  }

  mutating func handoverPeerLost(_ identity: Identity, now: MonotonicTime) {
    if let order = handover, order.weighing != nil,
      let gone = [order.from, order.to].compactMap({ $0 }).first(where: {
        $0.identity == identity
      })
    {
      handover?.weighing = nil
      return end(code: "gone", message: "\(gone.name) disconnected before it started", now: now)
    }
    // In a pause no machine reacts to it.
    if let order = handover, order.pausedUntil != nil,
      [order.from, order.to].contains(where: { $0?.identity == identity })
    {
      handover?.pausedUntil = nil
      return nextPart(now: now)
    }
    step(now: now) { $0.gone(identity) }
  }

  mutating func handoverTick(now: MonotonicTime) {
    if let weighing = handover?.weighing, now >= weighing.deadline {
      let name = handover?.from?.name ?? ""
      handover?.weighing = nil
      return end(
        code: "late", message: "\(name) did not report the size of its state in time", now: now)
    }
    if let end = handover?.pausedUntil, now >= end {
      handover?.pausedUntil = nil
      return nextPart(now: now)
    }
    step(now: now) { $0.tick(now: now) }
  }

  /// Holds a call whose server may change in a moment; false if it can be sent.
  mutating func holdCall(
    _ request: ControlMessage.Call, _ payload: [UInt8], to server: Identity
  ) -> Bool {
    guard let machine = handover?.machine, machine.from.identity == server else { return false }
    if let slots = machine.slots, !slots.contains(vehicle: request.vehicle ?? "ego") {
      return false
    }
    handover?.heldCalls.append((request.id, request, payload))
    handover?.heldCount += 1
    return true
  }

  private mutating func step(
    now: MonotonicTime, _ change: (inout HandoverMachine) -> [HandoverMachine.Action]
  ) {
    guard var machine = handover?.machine else { return }
    let actions = change(&machine)
    handover?.machine = machine
    for action in actions { perform(action, machine, now: now) }
  }

  private mutating func perform(
    _ action: HandoverMachine.Action, _ machine: HandoverMachine, now: MonotonicTime
  ) {
    let token = machine.token
    switch action {
    case .give(let state):
      send(ControlMessage.Import(token: token), state, to: machine.to.identity)
    case .release:
      if let order = handover {
        let held = Double(now.nanoseconds - order.startedAt.nanoseconds) / 1e6
        handover?.heldMS = max(order.heldMS, held)
      }
      send(
        ControlMessage.Release(token: token, what: machine.isShadow ? "shadow" : nil),
        to: machine.to.identity)
    case .commit: commit(machine, now: now)
    case .retire: send(ControlMessage.Retire(token: token), to: machine.from.identity)
    case .resume(let why):
      send(ControlMessage.Resume(token: token, message: why), to: machine.from.identity)
    case .dismiss(let why):
      let isPart = machine.slots.map { !$0.hasRest } ?? false
      send(
        ControlMessage.Dismiss(token: token, message: why, what: isPart ? "part" : nil),
        to: machine.to.identity)
    case .revoke:
      // If this is only a part, its results are refused anyway, and the process may try again.
      if machine.slots?.hasRest ?? true {
        revoked.insert(Writer(source: machine.to.name, run: machine.to.run))
      }
    case .end(let code, let message):
      if let group = handover?.group { groups[group]?.moving = nil }
      updateLanes()
      let hasMoved = code.isEmpty && !machine.isShadow
      sendHeldCalls(to: hasMoved ? machine.to.identity : machine.from.identity, now: now)
      handover?.machine = nil
      guard code.isEmpty else { return failed(HandoverRefusal(code, message), now: now) }
      handover?.parts.removeFirst()
      handover?.attempts = 0
      let tookMS = handover.map { (now.nanoseconds - $0.startedAt.nanoseconds) / 1_000_000 } ?? 0
      let pauseMS = HandoverOrder.pauseMS(after: tookMS)
      if pauseMS > 0, handover?.parts.isEmpty == false {
        handover?.pausedUntil = now.advanced(byMS: pauseMS)
      } else {
        nextPart(now: now)
      }
    }
  }

  /// Commits the handover: the name and the calls, or the slots, now belong to `to`.
  private mutating func commit(_ machine: HandoverMachine, now: MonotonicTime) {
    handover?.stateBytes += UInt64(machine.stateBytes)
    handover?.handovers += 1
    if let group = handover?.group, let slots = machine.slots {
      handover?.movedSlots += UInt64(slots.count)
      if let lane = registry.node(at: machine.to.identity)?.place?.lane {
        groups[group]?.table.give(slots, to: lane)
      }
      updateLanes()
    } else if let slots = machine.slots, !slots.hasRest {
      if handover?.failure == nil {
        handover?.moved.formUnion(slots)
      } else {
        handover?.moved.subtract(slots)
      }
    } else {
      becomeHolder(machine.to, after: machine.from)
    }
  }

  mutating func end(code: String, message: String, now: MonotonicTime) {
    guard let order = handover else { return }
    if let group = order.group {
      groups[group]?.moving = nil
      updateLanes()
    }
    handover = nil
    reply(order, code: code, message)
  }

  mutating func reply(_ order: HandoverOrder, code: String, _ message: String) {
    var outcome = ControlMessage.Outcome(
      token: order.token, ok: code.isEmpty, code: code.isEmpty ? nil : code,
      message: message.isEmpty ? nil : message, count: 0, heldMs: order.heldMS,
      bytes: order.stateBytes, moves: order.handovers)
    if let group = order.group {
      outcome.count = order.movedSlots
      for (lane, slots) in (groups[group]?.table.counts ?? [:]).sorted(by: { $0.key < $1.key }) {
        outcome.lanes += [UInt64(lane), UInt64(slots)]
      }
    } else {
      outcome.count = order.heldCount
      outcome.run = code.isEmpty ? order.run : nil
      outcome.compared = order.compared
      outcome.different = order.different
      outcome.difference = order.difference
    }
    send(outcome, to: order.orderer)
  }
}

extension HandoverMachine.Party {
  init(_ node: NodeRegistry.Node) {
    self.init(identity: node.identity, name: node.name, run: node.run)
  }
}
