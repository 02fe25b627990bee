public import Foundations

/// The precedence of an announcement over others.
public enum Priority: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
  case low
  case normal
  case high
  /// Interrupts the current announcement, unless that is as urgent.
  case urgent

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A request to speak something.
public struct Announcement: Codable, Hashable, Sendable {
  /// Identifies this announcement in the sink's report.
  public var id: UInt64
  /// Its topic: nothing is spoken twice under one key.
  public var key: String
  /// The waiting announcements that it replaces: a newer one with the same subject drops the older
  /// one.
  public var subject: String?
  /// Rule for when this announcement repeats a recent one.
  public var repetition: Repetition
  public var phrase: Phrase
  public var priority: Priority
  public var text: String
  /// Time before which it is not spoken, because something else goes first; nil: no wait.
  public var notBefore: Instant?
  /// From then on it is no longer useful.
  public var expires: Instant
  /// Estimated duration, including the output's latency.
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

/// How an announcement ended.
public enum SpokenOutcome: String, Codable, Hashable, Sendable, CaseIterable {
  case completed
  /// Cut off by an urgent announcement.
  case interrupted
  /// The sink could not speak it.
  case failed
}
