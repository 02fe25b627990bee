import MessagePack

@testable import Broker
@testable import BusProtocol
@testable import ZMQ

/// A broker's mind with drawn time: who is there, what they say, and what they get.
struct BrokerCoreFixture {
  var core = BrokerCore(run: 7, table: TestBroker.table)
  var now = MonotonicTime(nanoseconds: 1_000_000_000)

  /// What the core sent since this was last asked.
  mutating func sent() -> [BrokerCore.Outgoing] {
    let all = core.outgoing
    core.outgoing = []
    return all
  }

  /// What was sent to one peer since this was last asked; what went elsewhere is forgotten.
  mutating func sent(to peer: String) -> [ControlMessage] {
    sent().compactMap { outgoing in
      guard case .control(let identity, let parts) = outgoing, identity == Array(peer.utf8) else {
        return nil
      }
      return try? ControlMessage(decoding: parts[0])
    }
  }

  /// What was published since this was last asked.
  mutating func published() -> [Frame] {
    sent().compactMap { outgoing in
      guard case .egress(let message, _) = outgoing else { return nil }
      return try? Frame([Array(message.topic), Array(message.header), Array(message.payload)])
    }
  }

  /// The broker's loop goes round once more, and nobody has spoken.
  mutating func tick(afterMS ms: Int64) {
    now = now.advanced(byMS: ms)
    core.tick(now: now)
  }

  mutating func pass(ms: Int64) {
    now = now.advanced(byMS: ms)
    for peer in core.registry.nodes.keys { core.registry.renew(peer, now: now) }
    core.tick(now: now)
  }

  mutating func say(_ body: some ControlBody, _ payload: [UInt8]? = nil, as peer: String) {
    core.control(
      [Array(peer.utf8), body.encoded()] + (payload.map { [$0] } ?? []), now: now)
  }

  mutating func register(_ peer: String, serves: [String] = []) {
    say(ControlMessage.Register(name: peer, run: 1, serves: serves), as: peer)
  }

  mutating func call(
    _ name: String, id: String, timeoutMS: UInt64 = 2_000, payload: [UInt8] = [1], as peer: String
  ) {
    say(
      ControlMessage.Call(name: name, id: id, vehicle: "ego", timeoutMs: timeoutMS), payload,
      as: peer)
  }

  mutating func reply(_ id: String, payload: [UInt8] = [2], as peer: String) {
    say(ControlMessage.Reply(id: id, ok: true), payload, as: peer)
  }

  mutating func cancel(_ id: String, as peer: String) {
    say(ControlMessage.Cancel(id: id), as: peer)
  }

  mutating func subscribe(_ pattern: String) {
    core.subscription([[1] + Array(pattern.utf8)], lane: EgressSet.plainNumber)
  }
  mutating func unsubscribe(_ pattern: String) {
    core.subscription([[0] + Array(pattern.utf8)], lane: EgressSet.plainNumber)
  }

  mutating func publish(_ topic: String, _ sequence: UInt64, stampNS: Int64, as source: String) {
    let frame = Frame(
      topic: topic,
      header: Header(
        sequence: sequence, stampNS: stampNS, source: source, run: 1, schema: "test/1.0"),
      payload: [0x80])
    core.ingest(Message(frame.parts), now: now)
  }
}

extension [ControlMessage] {
  /// The ends of calls among these, as `id code`.
  var ends: [String] {
    compactMap { message in
      guard case .reply(let reply) = message else { return nil }
      return "\(reply.id) \(reply.code ?? "ok")"
    }
  }
}
