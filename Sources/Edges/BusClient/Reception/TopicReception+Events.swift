import BusProtocol

/// Delivery of events: complete, in order, once.
extension TopicReception {
  mutating func ingestEvent(_ frame: Frame, origin: FrameOrigin, now: MonotonicTime) {
    let header = frame.header
    guard let number = number(of: header.source) else {
      append(Source(name: header.source, run: header.run, last: header.sequence))
      // Messages that a publisher repeats to a new broker are old for a new reader.
      if !header.isLatched || origin == .history { accept(frame) }
      return
    }
    if header.run != sources[number].run {
      giveUp(number)
      counters.restarts += 1
      // It started while this reader listened, so its numbers count from 1.
      sources[number] = sources[number].successor(run: header.run, last: 0)
    }
    let last = sources[number].last
    if header.sequence <= last, origin == .live, !header.isLatched,
      sources[number].countsOn(at: header.sequence)
    {
      return accept(frame)
    }
    if header.sequence <= last || sources[number].ahead[header.sequence] != nil {
      counters.duplicates += 1
      return
    }
    if origin == .refill { counters.refilled += 1 }
    if header.sequence == last + 1 {
      sources[number].last = header.sequence
      accept(frame)
      release(number)
    } else {
      keepEarlyEvent(frame, number)
    }
  }

  /// Keeps an event that arrived early, and requests those in between.
  private mutating func keepEarlyEvent(_ frame: Frame, _ number: Int) {
    sources[number].ahead[frame.header.sequence] = frame
    if sources[number].attempts == 0 {
      counters.gaps += 1
      ask(number)
    }
    if sources[number].ahead.count > Self.maximumAhead { giveUp(number) }
  }

  mutating func ask(_ number: Int) {
    guard let next = sources[number].beyondGap else { return }
    sources[number].attempts += 1
    sources[number].askAt = nil
    refills.append(
      Reception.Refill(
        topic: name, source: sources[number].name, run: sources[number].run,
        from: sources[number].last + 1, to: next - 1))
  }

  /// Delivers the events that are next in order.
  private mutating func release(_ number: Int) {
    // No number follows the greatest one.
    while sources[number].last < .max,
      let frame = sources[number].ahead.removeValue(forKey: sources[number].last + 1)
    {
      sources[number].last += 1
      accept(frame)
    }
    if sources[number].beyondGap == nil {
      sources[number].attempts = 0
      sources[number].askAt = nil
    }
  }

  /// Counts missing events as lost and continues with the available ones.
  mutating func giveUp(_ number: Int) {
    while let next = sources[number].beyondGap {
      counters.lose(next - sources[number].last - 1)
      sources[number].last = next - 1
      release(number)
    }
  }

  mutating func endRefill(_ refill: Reception.Refill, now: MonotonicTime) {
    guard let number = number(of: refill.source), sources[number].run == refill.run,
      sources[number].beyondGap != nil
    else { return }
    if sources[number].last >= refill.to {
      // That gap is closed; the next gap has its own attempts.
      sources[number].attempts = 0
      ask(number)
    } else if sources[number].attempts >= Self.maximumAttempts {
      giveUp(number)
    } else {
      sources[number].askAt = now.advanced(byMS: Self.retryMS)
    }
  }

  mutating func requestAgain(now: MonotonicTime) {
    for number in sources.indices {
      guard let at = sources[number].askAt, at <= now else { continue }
      ask(number)
    }
  }
}
