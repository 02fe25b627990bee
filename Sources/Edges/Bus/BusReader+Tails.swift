import Synchronization

// The last messages of a topic, behind which nothing comes that would show that they are missing.
extension BusReader {
  /// The broker tells which numbers topics have reached that fell silent; what has not come by the
  /// time that an echo has is missing.
  mutating func hearTails(_ head: Control) {
    tailCursor = head.count ?? tailCursor
    guard !head.tails.isEmpty else { return }
    tailRound += 1
    let round = tailRound
    let isMissing = client.reception.withLock { reception in
      head.tails.reduce(false) { reception.note(Tail($1), round: round) || $0 }
    }
    guard isMissing else { return }
    arrivals.append(
      Arrival(waitsFor: [], syncToken: 0) { [client] in
        client.reception.withLock { $0.settle(round) }
      })
  }
}

/// Up to which number a source has published on a topic that fell silent.
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
  /// Notes a number that a source has reached; true where messages up to it have not come, though
  /// they may be under way.
  mutating func note(_ tail: Tail, round: UInt64) -> Bool {
    guard wants(tail.topic), let number = number(of: tail.topic), topics[number].note(tail) else {
      return false
    }
    unsettled[number] = round
    return true
  }

  /// Whatever was noted up to `round` and is not here by now was lost: an echo has come behind it.
  mutating func settle(_ round: UInt64) { settledRound = max(settledRound, round) }

  /// Counts or asks for what is missing; not while messages are held back that it may be among.
  mutating func settleDue(now: MonotonicTime) {
    guard !unsettled.isEmpty, holds.isEmpty, handovers.isEmpty else { return }
    for (number, round) in unsettled where round <= settledRound {
      unsettled[number] = nil
      topics[number].settle()
      collect(number, now: now)
    }
  }
}
