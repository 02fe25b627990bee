public import Foundations

/// Lets one announcement be spoken at a time.
///
/// The higher priority goes first, an urgent announcement interrupts others, and stale ones are
/// dropped. Nothing is spoken twice under one key, and no text twice within a window unless it
/// refers to another maneuver.
public struct Arbiter: Codable, Hashable, Sendable {
  public struct Tuning: Codable, Hashable, Sendable {
    /// Seconds within which no text is repeated; `Repetition` defines what counts as repeated.
    public var repeatWindowS = 15.0
    /// Silence between two announcements, seconds.
    public var gapS = 0.3
    /// Maximum delay of a sink's report before the next announcement is spoken, seconds.
    ///
    /// A sink that did not report the last time is not waited for.
    public var reportGraceS = 2.0
    /// False: an announcement ends when its expected duration is over.
    public var hasSink = false
    /// Maximum number of waiting announcements; beyond it the least important one is dropped.
    public var capacity = 12
    /// Number of keys that are remembered.
    public var memory = 512

    public init() {}
  }

  public enum Event: Hashable, Sendable {
    case requested(Announcement, at: Instant)
    /// The sink's report.
    case spoken(id: UInt64, SpokenOutcome, at: Instant)
    /// The sink's report of the duration from the beginning on, seconds.
    case timed(id: UInt64, durationS: Double, at: Instant)
    case woke(Instant)
    /// Repeats the last announcement, under `id`, with its current text and duration.
    ///
    /// It starts at once and interrupts any other: a driver who asks wants it now, also while
    /// stack time is paused and no announcement ends.
    case repeated(Announcement, at: Instant)
    /// Drops waiting announcements of these subjects.
    case withdrawn(subjects: Set<String>, at: Instant)
    /// Announcements under keys with this prefix may be spoken again.
    case forgotten(keyPrefix: String, at: Instant)
    /// The clock was set: nothing is waiting or being spoken.
    case reset
  }

  public enum DropReason: String, Hashable, Sendable {
    case stale
    case repeated
    case superseded
    case crowdedOut = "crowded_out"
    case withdrawn
  }

  public enum Output: Hashable, Sendable {
    case say(Announcement)
    /// Stop at once, because an urgent announcement interrupts.
    case stop(Announcement)
    /// The current announcement has ended; `isReported` is true if the sink reported that.
    case ended(Announcement, SpokenOutcome, isReported: Bool)
    case dropped(Announcement, DropReason)
    case wake(at: Instant)
  }

  public var tuning: Tuning
  public private(set) var speaking: Announcement?
  public private(set) var last: Announcement?
  /// Keys that were spoken, the oldest first.
  public private(set) var saidKeys: [String] = []
  private var waiting: [Announcement] = []
  private var beganAt = Instant(nanoseconds: .min)
  private var endsBy = Instant(nanoseconds: .min)
  private var isTimed = false
  private var isSinkSilent = false
  private var quietUntil = Instant(nanoseconds: .min)
  private var recent: [Recent] = []

  private struct Recent: Codable, Hashable, Sendable {
    var text: String
    var subject: String?
    var at: Instant

    func isRepeated(by new: Announcement) -> Bool {
      switch new.repetition {
      case .byText: text == new.text
      case .bySubject: text == new.text && subject == new.subject
      case .never: false
      }
    }
  }

  public init(tuning: Tuning = Tuning(), saidKeys: [String] = []) {
    self.tuning = tuning
    self.saidKeys = saidKeys.suffix(tuning.memory)
  }

  public mutating func handle(_ event: Event) -> [Output] {
    switch event {
    case .requested(let announcement, let now):
      return accept(announcement, now) + advance(to: now)
    case .spoken(let id, let outcome, let now):
      isSinkSilent = false
      guard let current = speaking, current.id == id else { return [] }
      return end(current, outcome, isReported: true, now) + advance(to: now)
    case .timed(let id, let durationS, let now):
      isSinkSilent = false
      guard speaking?.id == id, durationS.isFinite, durationS >= 0 else { return [] }
      endsBy = beganAt.advanced(bySeconds: durationS)
      isTimed = true
      return advance(to: now)
    case .woke(let now): return advance(to: now)
    case .repeated(let announcement, let now):
      return repeatNow(announcement, now)
    case .withdrawn(let subjects, let now):
      let dropped = waiting.filter { $0.subject.map(subjects.contains) ?? false }
      waiting.removeAll { $0.subject.map(subjects.contains) ?? false }
      return dropped.map { .dropped($0, .withdrawn) } + advance(to: now)
    case .forgotten(let prefix, let now):
      saidKeys.removeAll { $0.hasPrefix(prefix) }
      return advance(to: now)
    case .reset:
      speaking = nil
      waiting = []
      recent = []
      quietUntil = Instant(nanoseconds: .min)
      return []
    }
  }

  private mutating func accept(_ new: Announcement, _ now: Instant) -> [Output] {
    recent.removeAll { now.seconds(since: $0.at) > tuning.repeatWindowS || now < $0.at }
    let isRepeat =
      saidKeys.contains(new.key) || waiting.contains { $0.key == new.key }
      || recent.contains { $0.isRepeated(by: new) }
    guard !isRepeat else { return [.dropped(new, .repeated)] }
    var outputs: [Output] = []
    if let subject = new.subject {
      for old in waiting where old.subject == subject { outputs.append(.dropped(old, .superseded)) }
      waiting.removeAll { $0.subject == subject }
    }
    waiting.append(new)
    if waiting.count > tuning.capacity, let least = waiting.indices.min(by: isLess) {
      outputs.append(.dropped(waiting.remove(at: least), .crowdedOut))
    }
    return outputs
  }

  /// Whether the first is the less important of two waiting announcements; of equal ones the older.
  private func isLess(_ a: Int, _ b: Int) -> Bool {
    waiting[a].priority == waiting[b].priority ? a < b : waiting[a].priority < waiting[b].priority
  }

  private mutating func advance(to now: Instant) -> [Output] {
    var outputs: [Output] = []
    if let current = speaking, now >= endsBy {
      isSinkSilent = tuning.hasSink && !isTimed
      outputs += end(current, .completed, isReported: isTimed, endsBy)
    }
    let stale = waiting.filter { $0.expires < now }
    waiting.removeAll { $0.expires < now }
    outputs += stale.map { .dropped($0, .stale) }
    let isReady = { (one: Announcement) in one.notBefore.map { $0 <= now } ?? true }
    guard let best = waiting.filter(isReady).map(\.priority).max(),
      let index = waiting.firstIndex(where: { $0.priority == best && isReady($0) })
    else { return outputs + wake(now) }
    if let current = speaking {
      guard best == .urgent, current.priority < .urgent else { return outputs + wake(now) }
      outputs.append(.stop(current))
      outputs += end(current, .interrupted, isReported: false, now)
      quietUntil = now
    }
    guard now >= quietUntil else { return outputs + wake(now) }
    outputs.append(.say(start(waiting.remove(at: index), now)))
    return outputs + wake(now)
  }

  private mutating func repeatNow(_ announcement: Announcement, _ now: Instant) -> [Output] {
    var outputs: [Output] = []
    if let current = speaking {
      let isOver = now >= endsBy
      if !isOver { outputs.append(.stop(current)) }
      outputs += end(
        current, isOver ? .completed : .interrupted, isReported: isOver && isTimed, now)
    }
    outputs.append(.say(start(announcement, now)))
    return outputs + wake(now)
  }

  private mutating func start(_ announcement: Announcement, _ now: Instant) -> Announcement {
    speaking = announcement
    last = announcement
    beganAt = now
    isTimed = false
    let graceS =
      tuning.hasSink && !isSinkSilent ? announcement.durationS * 0.5 + tuning.reportGraceS : 0
    endsBy = now.advanced(bySeconds: announcement.durationS + graceS)
    recent.append(Recent(text: announcement.text, subject: announcement.subject, at: now))
    if !saidKeys.contains(announcement.key) {
      saidKeys.append(announcement.key)
      if saidKeys.count > tuning.memory { saidKeys.removeFirst(saidKeys.count - tuning.memory) }
    }
    return announcement
  }

  private mutating func end(
    _ current: Announcement, _ outcome: SpokenOutcome, isReported: Bool, _ now: Instant
  ) -> [Output] {
    speaking = nil
    quietUntil = now.advanced(bySeconds: tuning.gapS)
    return [.ended(current, outcome, isReported: isReported)]
  }

  private func wake(_ now: Instant) -> [Output] {
    if speaking != nil { return [.wake(at: endsBy)] }
    let ready = waiting.map { $0.notBefore ?? now }.min()
    return ready.map { [.wake(at: max(quietUntil, now, $0))] } ?? []
  }
}
