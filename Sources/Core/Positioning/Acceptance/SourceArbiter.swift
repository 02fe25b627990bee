public import Foundations

/// Chooses among concurrent sources: the live one with the highest priority (LOC-2).
///
/// A source that is silent for 3 s, or three times its own interval if that is longer, hands over
/// to the next. Among equal sources, the selected one stays selected.
public struct SourceArbiter: Codable, Hashable, Sendable {
  private struct Source: Codable, Hashable, Sendable {
    var name: String
    var priority: Int
    var last: Instant
    var intervalS: Double?

    func lives(at now: Instant) -> Bool {
      abs(now.seconds(since: last)) <= waitS
    }

    /// Seconds after which it counts as silent; a time this far ahead is wrong, and not a sign of
    /// life either.
    var waitS: Double { Double.maximum(3, 3 * (intervalS ?? 0)) }
  }

  private var sources: [Source] = []
  /// The selected source.
  public private(set) var holder: String?

  /// Maximum number of sources that are distinguished; the one that is silent longest is dropped.
  private static let capacity = 32

  public init() {}

  /// Records that `source` reported at `now`, and returns whether it is the selected one.
  public mutating func admit(source: String, priority: Int, at now: Instant) -> Bool {
    register(source, priority: priority, at: now)
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

  /// Resets all times, because the clock was set.
  public mutating func reset() {
    sources.removeAll()
    holder = nil
  }

  private mutating func register(_ name: String, priority: Int, at now: Instant) {
    if let index = sources.firstIndex(where: { $0.name == name }) {
      let gapS = now.seconds(since: sources[index].last)
      if gapS > 0 {
        // A pause is not an interval, so the wait for a source at most doubles from gap to gap.
        let known = sources[index].intervalS ?? gapS
        sources[index].intervalS = Double.minimum(gapS, 2 * known)
        sources[index].last = now
      } else if gapS < -sources[index].waitS {
        // Its time was wrong before, or is wrong now; only the next report shows which.
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
