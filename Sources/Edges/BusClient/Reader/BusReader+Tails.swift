import BusProtocol
import Synchronization

// The last messages of a topic: no later message would reveal that they are missing.
extension BusReader {
  /// Handles the broker's report of the numbers that silent topics have reached.
  ///
  /// A message that has not arrived by the time an echo arrives is missing.
  mutating func handleTails(_ head: ControlMessage.Pong) {
    tailCursor = head.count
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
  mutating func note(_ tail: Tail, round: UInt64) -> Bool {
    guard wants(tail.topic), let number = number(of: tail.topic), !isForOther(number),
      topics[number].note(tail)
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
