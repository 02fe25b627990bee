public import Messages

/// What is known of a stack beside the lists of its broker and the words of its nodes: what was heard in a moment,
/// and what programs say that they need.
public struct Evidence: Sendable {
  /// The stack clock as it was told last; nil where nobody tells it.
  public var clock: StackClock?
  /// Drives by vehicle.
  public var sessions: [String: Session] = [:]
  /// Locations that were heard by vehicle, and how often each reason against them was given.
  public var matched: [String: MatchedCount] = [:]
  /// Counters of the broker.
  public var counters: [String: UInt64] = [:]
  /// The last name of a topic that was none, as it came.
  public var invalidTopic: String?
  /// Calls that a program makes, by its name.
  public var calls: [String: [String]] = [:]

  /// How many locations were heard, and why those were not put on a road that were not.
  public struct MatchedCount: Hashable, Sendable {
    public var all = 0
    public var reasons: [String: Int] = [:]
    /// Where the last of those was, degrees.
    public var latDeg: Double?
    public var lonDeg: Double?

    public init() {}

    /// The reason that all of them have, of at least three.
    var commonReason: String? {
      guard all >= 3, let most = reasons.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
        most.value == all
      else { return nil }
      return most.key
    }
  }

  /// Whether somebody has listened for a moment, so that what was not heard is not there.
  public var hasListened = false

  public init() {}

  /// Takes a message that was heard.
  public mutating func hear(_ vehicle: String?, _ leaf: String, _ payload: [UInt8]) {
    guard !payload.isEmpty else { return }
    switch leaf {
    case StackClock.topic: clock = try? StackClock(decoding: payload)
    case Session.topic:
      guard let vehicle, let session = try? Session(decoding: payload) else { return }
      sessions[vehicle] = session
    case LocationMatched.topic:
      guard let vehicle, let location = try? LocationMatched(decoding: payload), !location.estimated
      else { return }
      var count = matched[vehicle] ?? MatchedCount()
      count.all += 1
      if location.state == .noMatch {
        count.reasons[location.reason?.rawValue ?? "no reason", default: 0] += 1
        count.latDeg = location.raw?.latDeg ?? count.latDeg
        count.lonDeg = location.raw?.lonDeg ?? count.lonDeg
      }
      matched[vehicle] = count
    default: break
    }
  }
}
