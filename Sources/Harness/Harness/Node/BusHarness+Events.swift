import BusClient
import BusProtocol
import EventTime
import Messages
import NodeKit
import Stage

extension BusHarness {
  /// Handles an event of the bus.
  func take(_ event: BusEvent) {
    switch event {
    case .message(let delivery): take(delivery)
    case .call(let call): take(call)
    case .cancelled(let id):
      waitingCalls.removeAll { $0.call.id == id }
      guard let call = served.removeValue(forKey: id) else { return }
      handle(.cancelled(callID: id), vehicle: call.vehicle, cause: call.cause)
    case .refused(let topic, let writer, let owner, let code):
      figures.count("bus_refused", by: 1)
      log.write(
        .error, kind: "refused \(topic)",
        "\(topic): \(code): \(owner) publishes it; messages of \(writer) are dropped")
      if writer == setUp.environment.name {
        setDegraded("refused \(topic)", "\(topic) is published by \(owner)")
      }
    case .rejected(_, let message): failure = NodeFailure(message, .configuration)
    case .handover(let event):
      handleLeavingEvent(event)
      handleTakeoverEvent(event)
    case .notServed(let message):
      log.write(.error, "calls \(message)")
      setDegraded("calls", "calls \(message)")
    }
  }

  private func take(_ delivery: Delivery) {
    let leaf = delivery.leaf
    waking.lastArrival = delivery.arrival
    if leaf == PlayTurn.topic { return answerTurn(delivery) }
    if lockStep != nil {
      // Only attachments have subscribed.
    } else if leaf == Contract.clockTopic, delivery.vehicle == nil {
      if !setsClock { handleClockUpdate(delivery) }
    } else if delivery.traits.deliveryClass == .stream {
      follow(
        time.hear(
          stamp: Instant(nanoseconds: delivery.header.stampNS), of: delivery.vehicle ?? "",
          at: delivery.arrival), by: nil)
    }
    if !setUp.attachments.isEmpty, delivery.traits.deliveryClass == .state {
      lastStates["\(delivery.topic) \(delivery.header.key ?? "")"] = delivery
    }
    if isStandby, !isForStandby(delivery) { return }
    if !lent.isEmpty, lent.keeps(delivery, inputs: inputs) { return }
    guard isDemanded(delivery.vehicle) else { return }
    for subscriber in subscribers where subscriber.takes(leaf) { subscriber.receive(delivery) }
    guard lockStep == nil, inputs.contains(leaf), isAcceptable(delivery) else { return }
    figures.received(leaf, delivery, at: .now)
    let inbound = EncodedMessage(delivery)
    if let vehicle = delivery.vehicle {
      guard admitIfServed(vehicle) else { return }
      promises.follow(leaf, vehicle: vehicle, nextMS: delivery.header.nextMS)
      let isTaken = handle(
        .message(inbound), vehicle: vehicle, since: delivery.arrival)
      if isTaken { heard(delivery) } else { health.refused(leaf) }
    } else {
      for vehicle in host.vehicles {
        handle(.message(inbound), vehicle: vehicle, since: delivery.arrival)
      }
    }
  }

  /// Whether a standby handles a message: as a shadow, or because it already has the vehicle.
  private func isForStandby(_ delivery: Delivery) -> Bool {
    if shadow != nil { return !recordNodeOutput(delivery) }
    return delivery.vehicle.map { taken.contains(vehicle: $0) } ?? false
  }

  /// Whether a message has a supported version and is not outdated.
  private func isAcceptable(_ delivery: Delivery) -> Bool {
    let own = setUp.environment.wiring.inStage(delivery.leaf)
    if let why = Contract.mismatch(of: delivery.header.schema, onTopic: own) {
      refuse(
        Refusal(reason: "schema_mismatch", message: why), place: delivery.leaf,
        vehicle: delivery.vehicle)
      health.refused(delivery.leaf)
      setDegraded("schema \(delivery.leaf)", why)
      return false
    }
    if !degradations.isEmpty, degradations["schema \(delivery.leaf)"] != nil {
      setDegraded("schema \(delivery.leaf)", nil)
    }
    if delivery.header.isLatched, delivery.traits.deliveryClass == .event,
      let ttlMS = delivery.header.ttlMS, let now = time.now(at: .now),
      now.seconds(since: Instant(nanoseconds: delivery.header.stampNS)) * 1_000 > Double(ttlMS)
    {
      refuse(
        Refusal(reason: "expired", message: "an event arrived after its expiry"),
        place: delivery.leaf,
        vehicle: delivery.vehicle)
      return false
    }
    return true
  }

  func handleClockUpdate(_ delivery: Delivery) {
    do {
      let clock = try StackClock(decoding: delivery.payload)
      var at = delivery.arrival
      if delivery.header.isLatched, let wallNS = delivery.header.wallNS {
        // The broker has stored it since then; both clocks are this machine's, or nearly equal to
        // it.
        let age = min(max(0, wallClockNS() - max(0, wallNS)), 10_000_000_000)
        at = MonotonicTime(nanoseconds: at.nanoseconds - age)
      }
      follow(
        time.hear(
          now: Instant(nanoseconds: clock.nowNs), rate: clock.rate, isPaused: clock.paused,
          run: clock.run, at: at), by: nil)
    } catch {
      refuse(
        Refusal(reason: "does_not_decode", message: error.message), place: Contract.clockTopic,
        vehicle: nil)
    }
  }

  /// Informs the stages of a change of time; `setter` has caused it itself.
  func follow(_ change: StackTime.Change, by setter: String?) {
    handle.tell(time)
    switch change {
    case .none: return
    case .began(let now):
      // A source of time is woken first, without being informed.
      if !setsClock { wakeAll(at: now) }
    case .reset(let now):
      waking.until = now
      health.reset()
      for vehicle in host.vehicles where vehicle != setter {
        wakes[vehicle] = nil
        handle(.clockReset(now: now), vehicle: vehicle)
      }
    }
  }

  private func take(_ call: IncomingCall) {
    waking.lastArrival = call.arrival
    if lockStep != nil { return answerBatch(call) }
    let vehicle = call.vehicle ?? setUp.environment.vehicles.first ?? "ego"
    guard TopicName.isValidVehicle(vehicle),
      host.has(vehicle) || recreateStage(vehicle) || hasRoom(for: vehicle)
    else {
      return client.reply(
        to: call.id,
        .failed(
          code: "invalid", message: "this node does not serve a vehicle \"\(vehicle)\"",
          field: "vehicle"))
    }
    guard !mustWait(call, of: vehicle) else { return }
    serve(call, vehicle: vehicle)
  }

  /// Passes a call to the stage of its vehicle.
  func serve(_ call: IncomingCall, vehicle: String) {
    admit(vehicle)
    let cause = Cause.call(call.name, of: call.source)
    served[call.id] = (vehicle, cause)
    handle(
      .call(
        EncodedCall(
          id: call.id, name: call.name, stamp: time.now(at: .now) ?? Instant(nanoseconds: 0),
          payload: call.payload)), vehicle: vehicle, cause: cause)
  }

  /// Passes an event to a stage and performs its outputs; false if the stage refuses it.
  ///
  /// `cause` is the cause of the event if the event itself does not contain it.
  @discardableResult
  func handle(
    _ event: EncodedEvent, vehicle: String, cause: Cause? = nil, since arrival: MonotonicTime? = nil
  ) -> Bool {
    let cause = cause ?? event.cause(at: setUp.environment.name)
    do {
      let outputs = try host.handle(event, vehicle: vehicle)
      guard shadow == nil else {
        performInShadow(outputs, vehicle: vehicle, cause: cause)
        return true
      }
      keepAndPerform(outputs, vehicle: vehicle, cause: cause)
      if let arrival, outputs.contains(where: \.isPublication) {
        figures.latency.add(
          nanoseconds: MonotonicTime.now.nanoseconds - arrival.nanoseconds)
      }
      return true
    } catch {
      refuse(error, place: event.place, vehicle: vehicle)
      if case .call(let request) = event {
        reply(
          to: request.id,
          .failed(CallError(code: "invalid", message: error.message, field: error.field)))
      }
      return false
    }
  }

  /// Saves a stage's state before it performs outputs that others would notice.
  ///
  /// A stage that is killed in between may lose an output, but never repeats one.
  ///
  /// Leading stream messages do not wait for the state, because receiving one of them twice does no
  /// harm.
  func keepAndPerform(_ outputs: [EncodedOutput], vehicle: String, cause: Cause?) {
    let wiring = setUp.environment.wiring
    guard outputs.contains(where: { $0.isHeard(wiring) }) else {
      keeper.changed(vehicle)
      return perform(outputs, vehicle: vehicle, cause: cause)
    }
    let streams = outputs.prefix { $0.isStream(wiring) }
    perform(streams, vehicle: vehicle, cause: cause)
    save(vehicle, now: .now)
    perform(outputs[streams.endIndex...], vehicle: vehicle, cause: cause)
  }
}

extension EncodedMessage {
  init(_ delivery: Delivery) {
    let header = delivery.header
    self.init(
      topic: delivery.leaf, stamp: Instant(nanoseconds: header.stampNS), source: header.source,
      run: header.run, sequence: header.sequence, key: header.key, isLatched: header.isLatched,
      payload: delivery.payload)
  }
}

extension EncodedOutput {
  /// Whether a repetition of this output would be noticed outside the node.
  func isHeard(_ wiring: Wiring) -> Bool {
    switch self {
    case .publish(let topic, _, _, _, _, _): Contract.isEvent(wiring.inStage(topic))
    case .call, .reply: true
    default: false
    }
  }

  fileprivate func isStream(_ wiring: Wiring) -> Bool {
    if case .publish(let topic, _, _, _, _, _) = self {
      Contract.isStream(wiring.inStage(topic))
    } else {
      false
    }
  }

  fileprivate var isPublication: Bool {
    if case .publish = self { true } else { false }
  }
}
