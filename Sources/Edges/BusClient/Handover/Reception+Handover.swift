import BusProtocol

extension Reception {
  /// The last messages received from each source, of `slots` or of everything.
  func marks(of slots: SlotSet?) -> [InputMark] {
    numbers(of: slots).filter { topics[$0].isHeard }
      .sorted { topics[$0].name < topics[$1].name }.flatMap { topics[$0].marks }
  }

  /// Whether no earlier message of `slots` is still being requested.
  func isSettled(_ slots: SlotSet?) -> Bool {
    holds.isEmpty && numbers(of: slots).allSatisfy { topics[$0].isSettled }
  }

  /// The topics of `slots`, by number; nil for all.
  private func numbers(of slots: SlotSet?) -> [Int] {
    guard let slots else { return Array(topics.indices) }
    return slots.elements.flatMap { numbersBySlot[$0] }
      + (slots.hasRest ? numbersBySlot[SlotSet.count] : [])
  }

  /// Holds input of `slots` from now on.
  mutating func beginHandover(token: UInt64, slots: SlotSet?) {
    if slots == nil { receivedSlots = nil }
    handovers.append(
      HandoverBuffer(token: token, slots: slots, own: slots == nil ? marks(of: nil) : []))
  }

  /// Whether only the other process of a swap handles a topic: a stream of a slot that this one
  /// does not have.
  ///
  /// With a fleet, both processes would otherwise spend much of their time on such messages.
  func isForOther(_ number: Int) -> Bool {
    guard let receivedSlots, let slot = topics[number].slot,
      topics[number].traits.deliveryClass == .stream
    else { return false }
    return !receivedSlots.covers(slot) && !handovers.contains { $0.holds(slot: slot) }
  }

  /// Stops receiving the streams of slots that a successor has from now on.
  mutating func stopReceiving(_ slots: SlotSet) {
    var left = receivedSlots ?? .all
    left.subtract(slots)
    receivedSlots = left
  }

  /// Receives the streams of all slots from now on; earlier messages of those that the other
  /// process had do not count as missing.
  mutating func receiveAllSlots() {
    guard let receivedSlots else { return }
    for slot in SlotSet.all.elements where !receivedSlots.covers(slot) {
      for number in numbersBySlot[slot] where topics[number].traits.deliveryClass == .stream {
        topics[number].forgetSources()
      }
    }
    self.receivedSlots = nil
  }

  /// Ends a hold and returns it; nil if there is none.
  @discardableResult
  mutating func endHandover(token: UInt64) -> HandoverBuffer? {
    handovers.firstIndex { $0.token == token }.map { handovers.remove(at: $0) }
  }

  func hold(token: UInt64) -> HandoverBuffer? { handovers.first { $0.token == token } }

  mutating func hold(lastValue frame: Frame, token: UInt64) {
    guard let index = handovers.firstIndex(where: { $0.token == token }) else { return }
    handovers[index].append(lastValue: frame)
  }

  /// Ends the hold and delivers the held input as if `inputs` had been received here.
  mutating func releaseHeld(
    token: UInt64, after inputs: [InputMark], now: MonotonicTime
  ) -> [Delivery] {
    guard let hold = endHandover(token: token) else { return [] }
    if let slots = hold.slots { receivedSlots?.formUnion(slots) }
    forget(hold.slots)
    for mark in inputs where wants(mark.topic) {
      if let number = number(of: mark.topic) { topics[number].adopt(mark) }
    }
    let before = outputs
    outputs = []
    for frame in hold.lastValues { handle(frame, origin: .snapshot, now: now) }
    for (frame, arrival) in hold.frames { handle(frame, origin: .live, now: arrival) }
    var deliveries: [Delivery] = []
    var others: [Output] = []
    for output in outputs {
      if case .deliver(let delivery) = output {
        deliveries.append(delivery)
      } else {
        others.append(output)
      }
    }
    outputs = before + others
    return deliveries
  }

  /// Continues from a predecessor's marks, for topics of which nothing has arrived yet.
  mutating func goOn(after marks: [InputMark]) {
    for mark in marks {
      guard let number = number(of: mark.topic) else { continue }
      topics[number].goOn(after: mark)
    }
  }

  /// Forgets the numbers of topics that belong to another process from now on; nil for all.
  mutating func forget(_ slots: SlotSet?) {
    for number in numbers(of: slots) { topics[number].forgetSources() }
  }
}

extension TopicReception {
  var isSettled: Bool { sources.allSatisfy(\.ahead.isEmpty) }

  var marks: [InputMark] {
    sources.sorted { $0.name < $1.name }.map {
      InputMark(name, Writer(source: $0.name, run: $0.run), $0.last)
    }
      + lastStates.sorted { $0.key < $1.key }.map {
        InputMark(name, $0.value.writer, $0.value.sequence, key: $0.key)
      }
  }

  /// Continues from the mark of a dead reader, unless more is known of the source already.
  mutating func goOn(after mark: InputMark) {
    if let known = number(of: mark.source),
      (sources[known].run, sources[known].last) >= (mark.run, mark.sequence)
    {
      return
    }
    adopt(mark)
  }

  /// Continues from another reader's mark.
  mutating func adopt(_ mark: InputMark) {
    if let key = mark.key {
      lastStates[key] = Header(
        sequence: mark.sequence, stampNS: 0, source: mark.source, run: mark.run, schema: "")
    } else {
      set(Source(name: mark.source, run: mark.run, last: mark.sequence))
    }
  }
}
