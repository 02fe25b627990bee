import BusProtocol

/// The number up to which a source has published on a topic that fell silent.
struct Tail: Hashable {
  var topic: String
  var source: String
  var run: UInt64
  var last: UInt64

  init(_ origin: Origin) {
    topic = origin.topic
    source = origin.source
    run = origin.run
    last = origin.sequence
  }
}

extension Reception {
  /// Records a number that a source has reached.
  ///
  /// True if messages up to it have not arrived, although they may still be in transit.
  mutating func record(_ tail: Tail, round: UInt64) -> Bool {
    guard wants(tail.topic), let number = number(of: tail.topic), !isForOther(number),
      topics[number].record(tail)
    else { return false }
    unsettled[number] = round
    return true
  }

  /// Marks everything recorded up to `round` and not received as lost, because a later echo has
  /// arrived.
  mutating func settle(_ round: UInt64) { settledRound = max(settledRound, round) }

  /// Counts or requests what is missing, unless it may be among messages that are held back.
  mutating func resolveDueGaps(now: MonotonicTime) {
    guard !unsettled.isEmpty, holds.isEmpty, handovers.isEmpty else { return }
    for (number, round) in unsettled where round <= settledRound {
      unsettled[number] = nil
      if isForOther(number) { continue }
      topics[number].settle()
      collect(number, now: now)
    }
  }
}
