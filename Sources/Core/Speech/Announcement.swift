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
  /// What a text that was just said is compared by.
  public var repetition: Repetition
  public var phrase: Phrase
  public var priority: Priority
  public var text: String
  /// It waits until then, where something else must be said meanwhile.
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

/// When an announcement counts as a repetition of one that was said within the repeat window.
public enum Repetition: String, Codable, Hashable, Sendable, CaseIterable {
  /// When the text is the same: two warnings in the same words are one to the listener.
  case byText
  /// When the text and the subject are the same: of two equal maneuvers each is announced.
  case bySubject
  /// Never: without it a driver misses a maneuver.
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
