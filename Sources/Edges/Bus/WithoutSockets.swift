/// The broker's mind without its sockets, for programs that try to break it.
package struct SocketlessBroker {
  /// What it wants sent.
  package enum Sent {
    case egress([[UInt8]])
    case control(to: [UInt8], [[UInt8]])
  }

  private var board: Switchboard

  package init(_ table: TopicTable) { board = Switchboard(run: 1, table: table) }

  /// Messages that were dropped so far, for whatever reason.
  package var counted: UInt64 { board.counters.values.reduce(0, &+) }

  /// Whether a call waits for its end.
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
    board.subscription(parts, lane: Lanes.plainNumber)
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

/// A reader's mind without its sockets, for programs that try to break it.
package struct SocketlessReader {
  private var reception: Reception

  /// A reader of everything.
  package init(_ table: TopicTable) {
    reception = Reception(table: table)
    _ = reception.subscribe([""])
  }

  package var counters: [String: ReceptionCounters] { reception.counters }

  /// Takes a message from the egress; gives what the node gets to see.
  package mutating func live(_ parts: [[UInt8]], at now: MonotonicTime) -> [Delivery] {
    reception.live(Message(parts), now: now)
    return delivered(at: now)
  }

  /// Lets time go on.
  package mutating func tick(at now: MonotonicTime) -> [Delivery] {
    reception.tick(now: now)
    return delivered(at: now)
  }

  /// Nobody answers what it asks for: each refill ends with nothing.
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
  /// The header as the broker reads it, from borrowed bytes; nil where it takes it for none.
  package init?(scanning bytes: [UInt8]) {
    let scanned = bytes.withUnsafeBytes { HeaderScan($0).map { Header($0) } }
    guard let scanned else { return nil }
    self = scanned
  }
}
