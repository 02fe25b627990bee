import BusClient
import BusProtocol
import EventTime
import Messages
import NodeKit
import Stage

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

extension BusHarness {
  func handleTakeoverEvent(_ event: HandoverEvent) {
    switch event {
    case .cutForSuccessor(let token, let slots):
      arrive(token)
      arriving?.slots = slots
      arriving?.hasCut = true
      if let ended = endShadow() { compared = ended }
      // A comparison that has not started by now will not start.
      if isStandby, arriving?.isWhole == false, taken.isEmpty { client.unsubscribe(shadowed) }
      if let early = arriving?.early { importState(early) }
    case .take(let token, let state):
      arrive(token)
      if arriving?.hasCut == true {
        importState(state)
      } else {
        arriving?.early = state
      }
    case .lastValues(let token):
      if arriving?.token == token { reportImported(token, fault: nil) }
    case .shadow(let token): beginShadow(token)
    case .release(let token):
      if arriving?.token == token { arriving?.isReleased = true }
    case .dismiss(let token, let reason):
      if arriving?.token == token || isStandby { dismiss(reason) }
    case .dismissPart(let token, let reason): dismissPart(token, reason)
    case .inherit(let run): inherit(from: run)
    case .void:
      if arriving != nil || !taken.isEmpty { dismiss("the broker was restarted") }
    default: break
    }
  }

  /// Starts to take over; an earlier handover whose end has not arrived yet has failed.
  private func arrive(_ token: UInt64) {
    guard arriving?.token != token else { return }
    dropArriving()
    arriving = IncomingHandover(token: token)
  }

  /// Discards the results of a handover that failed.
  func dropArriving() {
    guard let arriving else { return }
    for vehicle in arriving.handed?.vehicles ?? [] { _ = host.drop(vehicle.name) }
    client.dropHeld(token: arriving.token)
    self.arriving = nil
  }

  private func dismiss(_ reason: String) {
    log.write(.warning, "dismissed, the old process continues: \(reason)")
    if isStandby {
      isRetired = true
      return
    }
    dropArriving()
  }

  /// Restores the predecessor's state, or reports why that is impossible.
  private func importState(_ bytes: [UInt8]) {
    guard let token = arriving?.token else { return }
    do throws(Refusal) {
      let handed = try Self.decode(bytes)
      for vehicle in handed.vehicles {
        // State from an earlier time is discarded.
        _ = host.drop(vehicle.name)
        _ = host.admit(vehicle.name)
        guard let state = vehicle.state else { continue }
        if vehicle.isFull {
          try host.takeOver(state, vehicle: vehicle.name)
        } else {
          try host.restore(state, vehicle: vehicle.name)
        }
      }
      arriving?.handed = handed
      if let fault = client.fault(token: token, after: handed.inputs) {
        return reportImported(token, fault: fault)
      }
      guard handed.vehicles.contains(where: { !$0.isFull }), !inputs.isEmpty else {
        return reportImported(token, fault: nil)
      }
      // Only of a few vehicles, not of the whole fleet.
      let patterns =
        arriving?.isWhole == false
        ? Self.names(of: inputs.sorted(), vehicles: handed.vehicles.map(\.name))
        : names(of: inputs.sorted())
      client.askLastValues(patterns, token: token)
    } catch {
      reportImported(token, fault: error.message)
    }
  }

  private func reportImported(_ token: UInt64, fault: String?) {
    let reported = compared.map { ($0.compared, $0.different, $0.summary) }
    client.imported(token: token, fault: fault, compared: reported)
  }

  private static func decode(_ bytes: [UInt8]) throws(Refusal) -> NodeHandoverState {
    do {
      return try NodeHandoverState(decoding: bytes)
    } catch {
      throw Refusal(reason: "does_not_decode", message: error.message, field: error.path)
    }
  }

  /// Continues as the node, or with the vehicles, as soon as the broker can be informed.
  func beginIfReleased() {
    guard let arriving, arriving.isReleased, let handed = arriving.handed else { return }
    // Precedes everything else that is published: from then on there is no return.
    guard client.publishFence() != nil else { return }
    self.arriving = nil
    if isStandby, arriving.isWhole { becomeNode(after: handed.run) }
    goOn(from: handed)
    client.keep(states: handed.states, events: handed.events)
    if let slots = arriving.slots, !slots.hasRest {
      begun = (arriving.token, slots)
      if isStandby {
        taken.formUnion(slots)
      } else if !lent.isEmpty {
        lent.remove(slots)
      } else {
        client.changeSlots(adding: slots, removing: SlotSet())
      }
    }
    for delivery in client.takeHeld(token: arriving.token, after: handed.inputs) {
      kept.append(.message(delivery))
    }
    for vehicle in handed.vehicles {
      if let why = vehicle.degraded { setDegraded("stage \(vehicle.name)", why) }
      keeper.changed(vehicle.name)
    }
    if isStandby { return }
    log.write(
      .info,
      "took over \(max(handed.vehicles.count, host.vehicleCount)) vehicles from run \(handed.run)",
      stampNS: stampNS(.now))
  }

  /// Takes over time and wake-ups of the predecessor.
  func goOn(from handed: NodeHandoverState) {
    if let clock = handed.clock {
      let age = min(max(0, wallClockNS() - handed.wallNS), 2_000_000_000)
      let now = MonotonicTime.now
      time.goOn(from: clock, at: MonotonicTime(nanoseconds: now.nanoseconds - age))
      handle.tell(time)
    }
    for vehicle in handed.vehicles {
      wakes[vehicle.name] = vehicle.wakeNS.map { Instant(nanoseconds: $0) }
      for (topic, nextMS) in vehicle.promises {
        promises.set(topic, vehicle: vehicle.name, nextS: Double(nextMS) / 1_000)
      }
    }
  }

  func becomeNode(after run: UInt64) {
    isStandby = false
    taken = SlotSet()
    client.unsubscribe(shadowed)
    client.becomeActive(after: run)
    log.attach(client)
    keepHandedVehicles()
    becomeLive()
  }

  /// Starts the attachments, if the predecessor has given way to them.
  func startAttachments(now: MonotonicTime) {
    guard !waitingAttachments.isEmpty, !isStandby, now >= nextAttempt else { return }
    nextAttempt = now.advanced(byMS: 100)
    while let attachment = waitingAttachments.first {
      do throws(StageFailure) {
        try attachment.start(handle)
        if let newest = maps.newest { attachment.mapChanged(newest) }
        waitingAttachments.removeFirst()
        setDegraded("attachment", nil)
      } catch {
        return setDegraded("attachment", error.message)
      }
    }
  }
}
