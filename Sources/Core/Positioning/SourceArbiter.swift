public import EventTime

/// Chooses among sources that run at once: the highest priority that lives (LOC-2).
///
/// A source that falls silent for the longer of 3 s and three times its own interval hands over to
/// the next. Among equals the one that has the word keeps it.
public struct SourceArbiter: Codable, Hashable, Sendable {
  private struct Source: Codable, Hashable, Sendable {
    var name: String
    var priority: Int
    var last: Instant
    var intervalS: Double?

    func lives(at now: Instant) -> Bool {
      abs(now.seconds(since: last)) <= waitS
    }

    /// Seconds after which it is silent; a time so far ahead is a wrong one, and no sign of life either.
    var waitS: Double { Double.maximum(3, 3 * (intervalS ?? 0)) }
  }

  private var sources: [Source] = []
  /// The source that has the word.
  public private(set) var holder: String?

  /// More sources than this are not told apart; the one silent longest is forgotten.
  private static let capacity = 32

  public init() {}

  /// Notes that `source` spoke at `now` and says whether it has the word.
  public mutating func admit(source: String, priority: Int, at now: Instant) -> Bool {
    note(source, priority: priority, at: now)
    if let holder, holder != source,
      let current = sources.first(where: { $0.name == holder }),
      current.lives(at: now), current.priority >= priority
    {
      return false
    }
    let hasBetter = sources.contains {
      $0.name != source && $0.priority > priority && $0.lives(at: now)
    }
    guard !hasBetter else { return false }
    holder = source
    return true
  }

  /// Forgets all times, because the clock was set.
  public mutating func reset() {
    sources.removeAll()
    holder = nil
  }

  private mutating func note(_ name: String, priority: Int, at now: Instant) {
    if let index = sources.firstIndex(where: { $0.name == name }) {
      let gapS = now.seconds(since: sources[index].last)
      if gapS > 0 {
        // A pause is no interval: the wait for a source doubles at most from gap to gap.
        let known = sources[index].intervalS ?? gapS
        sources[index].intervalS = Double.minimum(gapS, 2 * known)
        sources[index].last = now
      } else if gapS < -sources[index].waitS {
        // Its time was wrong before, or is now: only what comes next tells.
        sources[index].last = now
        sources[index].intervalS = nil
      }
      sources[index].priority = priority
      return
    }
    if sources.count >= Self.capacity,
      let oldest = sources.indices.min(by: { sources[$0].last < sources[$1].last })
    {
      sources.remove(at: oldest)
    }
    sources.append(Source(name: name, priority: priority, last: now, intervalS: nil))
  }
}
