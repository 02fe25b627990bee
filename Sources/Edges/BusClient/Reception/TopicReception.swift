import BusProtocol

/// Reception state of one topic: the last message of each source, and what is missing.
struct TopicReception {
  enum FrameOrigin {
    case live
    /// The last value of a state.
    case snapshot
    /// An event that was missing.
    case refill
    /// A past event that was requested.
    case history
  }

  struct Source {
    let name: String
    var run: UInt64
    var last: UInt64
    /// The previous run, some of whose messages may still be in transit.
    var formerRun: UInt64?
    /// Number of messages of the previous run that have arrived.
    var formerMessages: UInt8 = 0
    /// The latest sequence number that was not greater than `last`.
    var lowLast: UInt64 = 0
    /// Number of such sequence numbers that arrived in succession.
    var lowCount: UInt8 = 0
    /// The number that the source has reached according to the broker.
    var announced: UInt64 = 0
    /// Events after a gap, until it is closed or given up.
    var ahead: [UInt64: Frame] = [:]
    var attempts = 0
    /// When to request the gap; nil while an answer is awaited.
    var askAt: MonotonicTime?

    /// Whether a message is a leftover of the previous run, which has ended; counts it.
    mutating func isLeftOver(_ header: Header) -> Bool {
      guard header.run == formerRun, formerMessages < 3 else { return false }
      formerMessages += 1
      return true
    }

    /// Number of messages that exceeds what one source and topic can have in transit.
    private static let mostDelayed: UInt64 = 100_000

    /// Whether a source continues its sequence at a number below `last`.
    ///
    /// This happens if another program has sent a message under the source's name with a far
    /// greater number.
    mutating func countsOn(at sequence: UInt64) -> Bool {
      // With two lanes a message arrives twice, but the second copy is never this late.
      guard last - sequence > Self.mostDelayed else { return false }
      lowCount = sequence == lowLast &+ 1 ? lowCount + 1 : 1
      lowLast = sequence
      guard lowCount >= 3 else { return false }
      (last, lowCount) = (sequence, 0)
      announced = 0
      ahead = [:]
      return true
    }

    /// The same source in its next run.
    func successor(run: UInt64, last: UInt64) -> Source {
      var next = Source(name: name, run: run, last: last)
      next.formerRun = self.run
      return next
    }

    /// The first number after the gap; nil if nothing is missing.
    var beyondGap: UInt64? { ahead.keys.min() ?? (announced > last ? announced + 1 : nil) }
  }

  /// Maximum number of requests for a gap.
  ///
  /// A broker that has just started may get the events from their publisher within this time.
  static let maximumAttempts = 4
  static let retryMS: Int64 = 300
  static let maximumAhead = 10_000

  let name: String
  let place: Delivery.Place
  /// The slot of its vehicle; nil if it has no vehicle.
  let slot: Int?
  var traits: TopicTraits { place.traits }
  /// Whether a subscription matches it; sharing a prefix is not enough.
  var isWanted: Bool {
    didSet { isHeard = isHeard || isWanted }
  }
  /// Whether it was ever wanted.
  private(set) var isHeard: Bool
  var counters = ReceptionCounters()
  var accepted: [Frame] = []
  var refills: [Reception.Refill] = []
  var needsSnapshot = false
  var sources: [Source] = []
  private var sourceNumbers: [String: Int] = [:]
  var lastStates: [String: Header] = [:]
  private var lastHeader = HeaderTexts()
  /// Number of losses that were reported.
  private var reportedLosses: UInt64 = 0

  init(_ name: String, _ traits: TopicTraits, number: Int, isWanted: Bool) {
    self.name = name
    place = Delivery.Place(name, traits, number: number)
    slot = place.vehicle.map { SlotSet.slot(of: $0.utf8) }
    self.isWanted = isWanted
    isHeard = isWanted
  }

  /// Number of messages lost since the last call.
  mutating func drainLosses() -> UInt64 {
    let all = counters.lost + counters.queueDrops
    guard all > reportedLosses else { return 0 }
    defer { reportedLosses = all }
    return all - reportedLosses
  }

  /// Whether a gap waits to be requested again.
  var isWaiting: Bool {
    traits.deliveryClass == .event && sources.contains { $0.askAt != nil }
  }

  /// The scanned header; its texts are shared with the previous header if they are equal.
  mutating func header(_ scan: HeaderScan) -> Header { lastHeader.header(scan) }

  /// Index of a source; nil if nothing was received from it.
  func number(of source: String) -> Int? {
    // Most topics have one source; copying it would cost more than this check.
    if sources.count == 1, sources[0].name == source { return 0 }
    return sourceNumbers[source]
  }

  /// Continues a source from another reader's position.
  mutating func set(_ source: Source) {
    if let known = number(of: source.name) { sources[known] = source } else { append(source) }
  }

  mutating func forgetSources() {
    sources = []
    sourceNumbers = [:]
    lastStates = [:]
  }

  mutating func append(_ source: Source) {
    sourceNumbers[source.name] = sources.count
    sources.append(source)
  }

  /// Whether to deliver a message of a stream.
  mutating func acceptsStream(_ frame: borrowing Frame) -> Bool {
    // The usual case first: the next message of a known source.
    if sources.count == 1, sources[0].run == frame.header.run,
      frame.header.sequence == sources[0].last &+ 1, sources[0].name == frame.header.source
    {
      sources[0].last = frame.header.sequence
      counters.received += 1
      return true
    }
    return acceptsUnusual(frame.header)
  }

  private mutating func acceptsUnusual(_ header: Header) -> Bool {
    guard !isLate(header, origin: .live) else { return false }
    guard let missing = follow(header) else {
      counters.duplicates += 1
      return false
    }
    countGap(missing)
    counters.received += 1
    return true
  }

  /// Handles a state or an event.
  mutating func handle(_ frame: Frame, origin: FrameOrigin, now: MonotonicTime) {
    guard !isLate(frame.header, origin: origin) else { return }
    if traits.deliveryClass == .state {
      ingestState(frame, origin: origin)
    } else {
      ingestEvent(frame, origin: origin, now: now)
    }
  }

  mutating func accept(_ frame: Frame) {
    counters.received += 1
    accepted.append(frame)
  }

  /// Whether a message belongs to an earlier run than one that was received before; counts it.
  ///
  /// The broker passes on only one run per name. A live message with a smaller run number is
  /// therefore a leftover of the previous run, or of a process whose clock was behind. A live state
  /// may be older than a snapshot that was read before it. The reader then asks the broker again,
  /// because the value that the broker stores is right.
  private mutating func isLate(_ header: Header, origin: FrameOrigin) -> Bool {
    guard let number = number(of: header.source), header.run < sources[number].run else {
      return false
    }
    switch (traits.deliveryClass, origin) {
    case (.state, .snapshot): return false
    case (.stream, .live), (.event, .live):
      if !header.isLatched, !sources[number].isLeftOver(header) { return false }
    case (.state, .live): needsSnapshot = needsSnapshot || !header.isLatched
    default: break
    }
    counters.late += 1
    return true
  }

  /// Records the next number of a source; returns how many are missing before it.
  ///
  /// Returns nil for a number that is not greater than the last.
  private mutating func follow(_ header: Header) -> UInt64? {
    guard let number = number(of: header.source) else {
      append(Source(name: header.source, run: header.run, last: header.sequence))
      return 0
    }
    let known = sources[number]
    if known.run != header.run {
      counters.restarts += 1
      // It started while this reader listened, so its numbers count from 1.
      sources[number] = known.successor(run: header.run, last: header.sequence)
      return header.sequence - 1
    }
    guard header.sequence > known.last else {
      return !header.isLatched && sources[number].countsOn(at: header.sequence) ? 0 : nil
    }
    sources[number].last = header.sequence
    return header.sequence - known.last - 1
  }

  private mutating func ingestState(_ frame: Frame, origin: FrameOrigin) {
    let header = frame.header
    // A value of another key may be repeated under a number that was passed.
    let order = follow(header)
    let missing = order ?? 0
    if missing > 0, !header.isLatched {
      countGap(missing)
      needsSnapshot = true
    }
    let isInOrder = order != nil && origin == .live && !header.isLatched
    if let old = lastStates[header.key ?? ""], !isInOrder, !header.isNewer(than: old),
      origin != .snapshot || old.source != header.source || old.run <= header.run
    {
      counters.duplicates += 1
      return
    }
    lastStates[header.key ?? ""] = header
    accept(frame)
  }

  private mutating func countGap(_ missing: UInt64) {
    guard missing > 0 else { return }
    counters.gaps += 1
    counters.lose(missing)
  }

  /// Records a number that a source has reached; true if it has not arrived.
  mutating func record(_ tail: Tail) -> Bool {
    guard let number = number(of: tail.source), sources[number].run <= tail.run else {
      return false
    }
    if sources[number].run < tail.run {
      if traits.deliveryClass == .event { giveUp(number) }
      counters.restarts += 1
      sources[number] = sources[number].successor(run: tail.run, last: 0)
    }
    guard tail.last > sources[number].last else { return false }
    // The missing numbers need a greater number after them.
    sources[number].announced = max(sources[number].announced, min(tail.last, .max - 1))
    return true
  }

  /// Treats recorded numbers that have not arrived as missing.
  mutating func settle() {
    for number in sources.indices where sources[number].announced > sources[number].last {
      if traits.deliveryClass == .event {
        guard sources[number].attempts == 0 else { continue }
        counters.gaps += 1
        ask(number)
      } else {
        countGap(sources[number].announced - sources[number].last)
        sources[number].last = sources[number].announced
        needsSnapshot = traits.deliveryClass == .state
      }
    }
  }
}

extension ReceptionCounters {
  /// More than a reader can miss; untrusted senders choose any number, and sums must not overflow.
  static let mostLost: UInt64 = 1 << 40

  mutating func lose(_ missing: UInt64) {
    lost = min(Self.mostLost, lost + min(Self.mostLost, missing))
  }
}
