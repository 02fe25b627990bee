package import BusProtocol
import ZMQ

/// The logic of a reader without its sockets, for robustness tests.
package struct SocketlessReader {
  private var reception: Reception

  /// Creates a reader of everything.
  package init(_ table: TopicTable) {
    reception = Reception(table: table)
    _ = reception.subscribe([""])
  }

  package var counters: [String: ReceptionCounters] { reception.counters }

  /// Handles a message from the egress; returns what the node receives.
  package mutating func live(_ parts: [[UInt8]], at now: MonotonicTime) -> [Delivery] {
    reception.live(Message(parts), now: now)
    return delivered(at: now)
  }

  /// Advances the time.
  package mutating func tick(at now: MonotonicTime) -> [Delivery] {
    reception.tick(now: now)
    return delivered(at: now)
  }

  /// No broker answers its requests: each refill ends empty.
  private mutating func delivered(at now: MonotonicTime) -> [Delivery] {
    var deliveries: [Delivery] = []
    while !reception.outputs.isEmpty {
      let outputs = reception.outputs
      reception.outputs = []
      for output in outputs {
        switch output {
        case .deliver(let delivery): deliveries.append(delivery)
        case .refill(let refill): reception.endRefill(refill, now: now)
        default: break
        }
      }
    }
    return deliveries
  }
}
