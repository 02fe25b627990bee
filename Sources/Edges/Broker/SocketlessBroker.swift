package import BusProtocol
import ZMQ

/// The logic of the broker without its sockets, for robustness tests.
package struct SocketlessBroker {
  /// Something that it wants to send.
  package enum Sent {
    case egress([[UInt8]])
    case control(to: [UInt8], [[UInt8]])
  }

  private var core: BrokerCore

  package init(_ table: TopicTable) { core = BrokerCore(run: 1, table: table) }

  /// Number of messages dropped so far, for any reason.
  package var counted: UInt64 { core.counters.values.reduce(0, &+) }

  /// Whether a call is pending.
  package var isWaiting: Bool { core.callTable.nextDeadline != nil }

  package mutating func ingest(_ parts: [[UInt8]], at now: MonotonicTime) -> [Sent] {
    core.ingest(Message(parts), now: now)
    return sent()
  }

  package mutating func control(_ parts: [[UInt8]], at now: MonotonicTime) -> [Sent] {
    core.control(parts, now: now)
    return sent()
  }

  package mutating func subscription(_ parts: [[UInt8]]) -> [Sent] {
    core.subscription(parts, lane: EgressSet.plainNumber)
    return sent()
  }

  package mutating func tick(at now: MonotonicTime) -> [Sent] {
    core.tick(now: now)
    return sent()
  }

  private mutating func sent() -> [Sent] {
    defer { core.outgoing.removeAll(keepingCapacity: true) }
    return core.outgoing.compactMap {
      switch $0 {
      case .egress(let message, _):
        .egress([Array(message.topic), Array(message.header), Array(message.payload)])
      case .control(let identity, let parts): .control(to: identity, parts)
      default: nil
      }
    }
  }
}
