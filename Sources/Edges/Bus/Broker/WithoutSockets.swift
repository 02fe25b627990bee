/// The logic of the broker without its sockets, for robustness tests.
package struct SocketlessBroker {
  /// Something that it wants to send.
  package enum Sent {
    case egress([[UInt8]])
    case control(to: [UInt8], [[UInt8]])
  }

  private var board: BrokerCore

  package init(_ table: TopicTable) { board = BrokerCore(run: 1, table: table) }

  /// Number of messages dropped so far, for any reason.
  package var counted: UInt64 { board.counters.values.reduce(0, &+) }

  /// Whether a call is pending.
  package var isWaiting: Bool { board.desk.nextDeadline != nil }

  package mutating func ingest(_ parts: [[UInt8]], at now: MonotonicTime) -> [Sent] {
    board.ingest(Message(parts), now: now)
    return sent()
  }

  package mutating func control(_ parts: [[UInt8]], at now: MonotonicTime) -> [Sent] {
    board.control(parts, now: now)
    return sent()
  }

  package mutating func subscription(_ parts: [[UInt8]]) -> [Sent] {
    board.subscription(parts, lane: EgressSet.plainNumber)
    return sent()
  }

  package mutating func tick(at now: MonotonicTime) -> [Sent] {
    board.tick(now: now)
    return sent()
  }

  private mutating func sent() -> [Sent] {
    defer { board.outgoing.removeAll(keepingCapacity: true) }
    return board.outgoing.compactMap {
      switch $0 {
      case .egress(let message, _):
        .egress([Array(message.topic), Array(message.header), Array(message.payload)])
      case .control(let identity, let parts): .control(to: identity, parts)
      default: nil
      }
    }
  }
}

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

extension Header {
  /// Decodes the header from borrowed bytes as the broker does; nil if it is invalid.
  package init?(scanning bytes: [UInt8]) {
    let scanned = bytes.withUnsafeBytes { HeaderScan($0).map { Header($0) } }
    guard let scanned else { return nil }
    self = scanned
  }
}
