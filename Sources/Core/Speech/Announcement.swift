public import EventTime

/// How much an announcement may push others aside.
public enum Priority: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
  case low
  case normal
  case high
  /// Cuts in on whatever is being said, unless that is as urgent.
  case urgent

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Something that wants to be said.
public struct Announcement: Codable, Hashable, Sendable {
  /// Names this saying; the sink's report gives it back.
  public var id: UInt64
  /// What it is about: nothing is said twice under one key.
  public var key: String
  /// What it replaces while it waits: a newer announcement of the same subject drops the older one.
  public var subject: String?
  /// Rule for when this announcement repeats a recent one.
  public var repetition: Repetition
  public var phrase: Phrase
  public var priority: Priority
  public var text: String
  /// Time before which it is not spoken, because something else goes first; nil: no wait.
  public var notBefore: Instant?
  /// From then on it is of no use.
  public var expires: Instant
  /// Estimated, with the output's latency.
  public var durationS: Double

  public init(
    id: UInt64, key: String, subject: String? = nil, repetition: Repetition = .byText,
    phrase: Phrase, priority: Priority, text: String, notBefore: Instant? = nil, expires: Instant,
    durationS: Double
  ) {
    self.id = id
    self.key = key
    self.subject = subject
    self.repetition = repetition
    self.phrase = phrase
    self.priority = priority
    self.text = text
    self.notBefore = notBefore
    self.expires = expires
    self.durationS = durationS
  }
}

/// Rule for when an announcement repeats one that was spoken within the repeat window.
public enum Repetition: String, Codable, Hashable, Sendable, CaseIterable {
  /// The text is the same, because a listener takes two warnings in the same words for one.
  case byText
  /// The text and the subject are the same, so that two equal maneuvers are both announced.
  case bySubject
  /// Never, because a driver would miss a maneuver without the announcement.
  case never
}

/// How the saying of an announcement ended.
public enum SpokenOutcome: String, Codable, Hashable, Sendable, CaseIterable {
  case completed
  /// Cut off by something urgent.
  case interrupted
  /// The sink could not say it.
  case failed
}
