public import Foundations

/// Keeps the fixes of all sources on one time line, and detects when they have moved to another
/// (LOC-7).
///
/// A single fix with a wrong date changes nothing: it is rejected. A new line begins when several
/// fixes of one source agree on it and no fix was on the old line in between. A receiver with a
/// wrong date, or one that delivers buffered fixes late, therefore does not drag the others back
/// and forth. A line begun by a wrong date is left in the same way.
public struct FixTimeline: Codable, Hashable, Sendable {
  /// The decision about a fix.
  public enum Verdict: Hashable, Sendable {
    /// The fix is on the line, or is the first of all.
    case goesOn
    /// The fix is not on the line, and changes nothing.
    case refused(FixFault)
    /// With this fix, enough fixes agree on another line, which begins here.
    case begins
  }

  private struct Source: Codable, Hashable, Sendable {
    var name: String
    /// Its newest fix on the line; nil if it had none.
    var last: Instant?
    var claim: Claim?
    /// When it last reported, counted in fixes of all sources.
    var heard: Int
  }

  /// Fixes of one source that agree with each other but not with the line.
  private struct Claim: Codable, Hashable, Sendable {
    var first: Instant
    var last: Instant
    var count = 1
  }

  /// Time of the newest fix on the line; nil before the first.
  public private(set) var newest: Instant?
  private var sources: [Source] = []
  private var heard = 0

  /// Number of fixes of one source that form a line, and the minimum time that they span in
  /// seconds.
  public static let evidence = 3
  public static let evidenceS = 2.0
  /// Maximum delay of fixes that arrive out of order, in seconds.
  static let latenessS = 10.0
  /// Maximum time for which a source may have been silent, or may have buffered its fixes.
  static let silenceS = 3600.0
  /// Maximum lead of a new source.
  static let leadS = 60.0
  /// Beyond this interval in seconds, a second fix does not support the first.
  private static let agreeingS = 600.0
  /// Maximum number of sources that are distinguished; the one that is silent longest is dropped.
  private static let capacity = 32

  /// A line that continues from `newest`; nil for a line that begins with its first fix.
  public init(newest: Instant? = nil) { self.newest = newest }

  /// Decides about a fix that `source` took at `time`; the cost is linear in the number of sources.
  public mutating func judge(_ time: Instant, of source: String) -> Verdict {
    let index = number(of: source)
    guard let newest else {
      restart(time, by: index)
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
    // Buffered fixes that a source delivers now continue its own times, which did not go back.
    if aheadS < 0, aheadS >= -Self.silenceS, let last = sources[index].last, time > last {
      sources[index].last = time
      return .refused(fault)
    }
    guard agrees(time, index) else { return .refused(fault) }
    restart(time, by: index)
    return .begins
  }

  /// Whether a fix with this lead over the newest one is on the line.
  private func isOn(_ aheadS: Double, of index: Int) -> Bool {
    guard aheadS >= -Self.latenessS else { return false }
    if sources[index].last != nil { return aheadS <= Self.silenceS }
    // After a restart nothing is known about any source, nor how long the restart took.
    return aheadS <= Self.leadS || sources.allSatisfy { $0.last == nil && $0.claim == nil }
  }

  /// Adds a fix to its source's evidence against the line, and returns whether that is sufficient.
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

  private mutating func restart(_ time: Instant, by index: Int) {
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
