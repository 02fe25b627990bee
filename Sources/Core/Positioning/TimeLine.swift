public import EventTime

/// Keeps the fixes of all sources on one line of time, and finds out when they have gone over to another (LOC-7).
///
/// One fix with a wrong date moves nothing: it is refused. A new line begins when fixes of one source agree on it and
/// none has been on the old one between them, so that a receiver with a wrong date, or one that hands in late what it
/// kept, does not drag the others back and forth. A line begun by a wrong date is left in the same way.
public struct TimeLine: Codable, Hashable, Sendable {
  /// What becomes of a fix.
  public enum Verdict: Hashable, Sendable {
    /// It is on the line, or is the first of all.
    case goesOn
    /// It is not, and changes nothing.
    case refused(FixFault)
    /// With it enough fixes agree on another line, which begins here.
    case begins
  }

  private struct Source: Codable, Hashable, Sendable {
    var name: String
    /// Its newest fix on the line; nil while it had none.
    var last: Instant?
    var claim: Claim?
    /// When it was heard last, in fixes of all sources.
    var heard: Int
  }

  /// Fixes of one source that agree with each other and not with the line.
  private struct Claim: Codable, Hashable, Sendable {
    var first: Instant
    var last: Instant
    var count = 1
  }

  /// Time of the newest fix on the line; nil before the first.
  public private(set) var newest: Instant?
  private var sources: [Source] = []
  private var heard = 0

  /// Fixes of one source that make a line, and the seconds that they span at least.
  public static let evidence = 3
  public static let evidenceS = 2.0
  /// Fixes in their turn may come late by so much.
  static let latenessS = 10.0
  /// A source may have been silent for so long, and hand in what it kept for so long.
  static let silenceS = 3600.0
  /// A source that is new may be ahead by so much.
  static let leadS = 60.0
  /// More seconds than these between two fixes, and the second says nothing for the first.
  private static let agreeingS = 600.0
  /// More sources than this are not told apart; the one silent longest is forgotten.
  private static let capacity = 32

  /// A line that goes on from `newest`; nil for one that its first fix begins.
  public init(newest: Instant? = nil) { self.newest = newest }

  /// Says what becomes of a fix that `source` took at `time`; costs the number of sources.
  public mutating func judge(_ time: Instant, of source: String) -> Verdict {
    let index = number(of: source)
    guard let newest else {
      begin(time, by: index)
      return .goesOn
    }
    let aheadS = time.seconds(since: newest)
    if isOn(aheadS, of: index) {
      self.newest = max(newest, time)
      sources[index].last = max(sources[index].last ?? time, time)
      for other in sources.indices { sources[other].claim = nil }
      return .goesOn
    }
    let fault =
      aheadS > 0 ? FixFault.timeLeapt(bySeconds: aheadS) : .timeWentBack(bySeconds: -aheadS)
    // What a source has kept, and now hands in, goes on where it was; its own time did not go back.
    if aheadS < 0, aheadS >= -Self.silenceS, let last = sources[index].last, time > last {
      sources[index].last = time
      return .refused(fault)
    }
    guard agrees(time, index) else { return .refused(fault) }
    begin(time, by: index)
    return .begins
  }

  /// Whether a fix so far ahead of the newest is on the line.
  private func isOn(_ aheadS: Double, of index: Int) -> Bool {
    guard aheadS >= -Self.latenessS else { return false }
    if sources[index].last != nil { return aheadS <= Self.silenceS }
    // After a restart nothing is known of anybody, and nobody says how long that took.
    return aheadS <= Self.leadS || sources.allSatisfy { $0.last == nil && $0.claim == nil }
  }

  /// Adds a fix to what its source says against the line; whether that is enough.
  private mutating func agrees(_ time: Instant, _ index: Int) -> Bool {
    var claim = Claim(first: time, last: time)
    if let known = sources[index].claim {
      let gapS = time.seconds(since: known.last)
      if gapS > 0, gapS <= Self.agreeingS {
        claim = Claim(first: known.first, last: time, count: min(known.count + 1, Self.evidence))
      }
    }
    sources[index].claim = claim
    return claim.count >= Self.evidence
      && claim.last.seconds(since: claim.first) >= Self.evidenceS
  }

  private mutating func begin(_ time: Instant, by index: Int) {
    newest = time
    for other in sources.indices {
      sources[other].claim = nil
      sources[other].last = other == index ? time : nil
    }
  }

  private mutating func number(of name: String) -> Int {
    heard += 1
    if let index = sources.firstIndex(where: { $0.name == name }) {
      sources[index].heard = heard
      return index
    }
    if sources.count >= Self.capacity,
      let oldest = sources.indices.min(by: { sources[$0].heard < sources[$1].heard })
    {
      sources.remove(at: oldest)
    }
    sources.append(Source(name: name, last: nil, claim: nil, heard: heard))
    return sources.count - 1
  }
}
