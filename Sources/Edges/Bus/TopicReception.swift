/// One topic as a reader sees it: what of each source came last, what is missing.
struct TopicReception {
  enum FrameOrigin {
    case live
    /// The last value of a state.
    case snapshot
    /// An event that was missing.
    case refill
    /// An event of the past that was asked for.
    case history
  }

  struct Source {
    var run: UInt64
    var last: UInt64
    /// Events beyond a gap, until it is closed or given up.
    var ahead: [UInt64: Frame] = [:]
    var attempts = 0
    /// When the gap is to be asked for; nil while an answer is awaited.
    var askAt: MonotonicTime?
  }

  /// A gap is asked for so often before it is given up: a broker that has just started may get the
  /// events from their publisher within this time.
  static let maximumAttempts = 4
  static let retryMS: Int64 = 300
  static let maximumAhead = 10_000

  let name: String
  let vehicle: String?
  let leaf: String
  let traits: TopicTraits
  var counters = ReceptionCounters()
  var accepted: [Frame] = []
  var refills: [Reception.Refill] = []
  var needsSnapshot = false
  var sources: [String: Source] = [:]
  var lastStates: [String: Header] = [:]

  init(_ name: String, _ traits: TopicTraits) {
    self.name = name
    (vehicle, leaf) = TopicName.split(name)
    self.traits = traits
  }

  /// Whether a gap waits to be asked for again.
  var isWaiting: Bool {
    traits.deliveryClass == .event && sources.values.contains { $0.askAt != nil }
  }

  mutating func take(_ frame: Frame, origin: FrameOrigin, now: MonotonicTime) {
    if let source = sources[frame.header.source], frame.header.run < source.run {
      counters.late += 1
      return
    }
    switch traits.deliveryClass {
    case .stream: takeStream(frame)
    case .state: takeState(frame)
    case .event: takeEvent(frame, origin: origin, now: now)
    }
  }

  private mutating func accept(_ frame: Frame) {
    counters.received += 1
    accepted.append(frame)
  }

  /// Follows the numbers of a source; gives how many are missing before this one.
  private mutating func follow(_ header: Header) -> UInt64 {
    guard let known = sources[header.source] else {
      sources[header.source] = Source(run: header.run, last: header.sequence)
      return 0
    }
    if known.run != header.run {
      counters.restarts += 1
      sources[header.source] = Source(run: header.run, last: header.sequence)
      return 0
    }
    guard header.sequence > known.last else { return 0 }
    sources[header.source]?.last = header.sequence
    return header.sequence - known.last - 1
  }

  private mutating func takeStream(_ frame: Frame) {
    let header = frame.header
    if let known = sources[header.source], known.run == header.run, header.sequence <= known.last {
      counters.duplicates += 1
      return
    }
    countGap(follow(header))
    accept(frame)
  }

  private mutating func takeState(_ frame: Frame) {
    let header = frame.header
    let missing = follow(header)
    if missing > 0, !header.isLatched {
      countGap(missing)
      needsSnapshot = true
    }
    if let old = lastStates[header.key ?? ""], !header.isNewer(than: old) {
      counters.duplicates += 1
      return
    }
    lastStates[header.key ?? ""] = header
    accept(frame)
  }

  private mutating func countGap(_ missing: UInt64) {
    guard missing > 0 else { return }
    counters.gaps += 1
    counters.lost += missing
  }
}

// Events: complete and in order, once.
extension TopicReception {
  private mutating func takeEvent(_ frame: Frame, origin: FrameOrigin, now: MonotonicTime) {
    let header = frame.header
    guard let known = sources[header.source] else {
      sources[header.source] = Source(run: header.run, last: header.sequence)
      // What a publisher tells a new broker again is old to a reader that has just come.
      if !header.isLatched || origin == .history { accept(frame) }
      return
    }
    if header.run > known.run {
      giveUp(header.source)
      counters.restarts += 1
      // It began while we listened, so its numbers count from 1.
      sources[header.source] = Source(run: header.run, last: 0)
    }
    let last = sources[header.source]?.last ?? 0
    if header.sequence <= last || sources[header.source]?.ahead[header.sequence] != nil {
      counters.duplicates += 1
      return
    }
    if origin == .refill { counters.refilled += 1 }
    if header.sequence == last + 1 {
      sources[header.source]?.last = header.sequence
      accept(frame)
      release(header.source)
    } else {
      putAhead(frame, now: now)
    }
  }

  /// Keeps an event that came before its turn, and asks for those between.
  private mutating func putAhead(_ frame: Frame, now: MonotonicTime) {
    let name = frame.header.source
    guard var source = sources.removeValue(forKey: name) else { return }
    let isFirst = source.ahead.isEmpty
    source.ahead[frame.header.sequence] = frame
    let isFull = source.ahead.count > Self.maximumAhead
    sources[name] = source
    if isFirst {
      counters.gaps += 1
      ask(name)
    }
    if isFull { giveUp(name) }
  }

  private mutating func ask(_ name: String) {
    guard var source = sources.removeValue(forKey: name) else { return }
    defer { sources[name] = source }
    guard let next = source.ahead.keys.min() else { return }
    source.attempts += 1
    source.askAt = nil
    refills.append(
      Reception.Refill(
        topic: self.name, source: name, run: source.run, from: source.last + 1, to: next - 1))
  }

  /// Gives on the events whose turn it is now.
  private mutating func release(_ name: String) {
    guard var source = sources.removeValue(forKey: name) else { return }
    while let frame = source.ahead.removeValue(forKey: source.last + 1) {
      source.last += 1
      accept(frame)
    }
    if source.ahead.isEmpty {
      source.attempts = 0
      source.askAt = nil
    }
    sources[name] = source
  }

  /// Counts what is missing as lost and goes on with what is there.
  private mutating func giveUp(_ name: String) {
    while let next = sources[name]?.ahead.keys.min() {
      counters.lost += next - (sources[name]?.last ?? 0) - 1
      sources[name]?.last = next - 1
      release(name)
    }
  }

  mutating func endRefill(_ refill: Reception.Refill, now: MonotonicTime) {
    guard let source = sources[refill.source], source.run == refill.run, !source.ahead.isEmpty
    else { return }
    if source.last >= refill.to {
      // That gap is closed; the next one is another.
      sources[refill.source]?.attempts = 0
      ask(refill.source)
    } else if source.attempts >= Self.maximumAttempts {
      giveUp(refill.source)
    } else {
      sources[refill.source]?.askAt = now.advanced(byMS: Self.retryMS)
    }
  }

  mutating func askAgain(now: MonotonicTime) {
    for (name, source) in sources {
      guard let at = source.askAt, at <= now else { continue }
      ask(name)
    }
  }
}
