import BusProtocol
import MessagePack

/// Mirrors of calls: each request and each end of a call, repeated as an event on `_svc/<call>`.
///
/// Each costs as much as a message, so they are only made while there is a subscriber.
struct CallMirrors {
  static let prefix = "_svc/"
  static let schema = "svc/1.0"
  /// Prefix of the calls of a lock-step run, which are not mirrored because its topics contain
  /// everything.
  static let unmirrored = "_lockstep/"
  /// Maximum number of mirrored calls; bounded, because any caller can make names up.
  static let maximumTopics = 1_024
  /// Maximum payload size; a larger one is reported but not repeated, so that the message fits into
  /// one part.
  static let maximumPayloadBytes = 63 << 20

  /// Subscriptions that start with `_svc/`, or are a prefix of it, by their lane.
  private var patterns: [Int: Set<String>] = [:]
  private var topics: Set<String> = []

  /// Whether a subscriber wants messages of this topic.
  func isWanted(_ topic: String) -> Bool {
    patterns.values.contains { some in
      // Checks each prefix of the topic; there are few of them, whatever a subscriber asks for.
      !some.isEmpty && topic.indices.contains { some.contains(String(topic[...$0])) }
    }
  }

  /// Records a subscription that starts or ends on a lane.
  ///
  /// A subscription to everything does not count: otherwise the nodes of a fleet, which subscribe
  /// to all topics, would get each route twice.
  mutating func record(_ pattern: String, begins: Bool, lane: Int) {
    guard !pattern.isEmpty, pattern.utf8.count <= TopicName.maximumLength,
      pattern.hasPrefix(Self.prefix) || Self.prefix.hasPrefix(pattern)
    else { return }
    if begins {
      patterns[lane, default: []].insert(pattern)
    } else {
      patterns[lane]?.remove(pattern)
    }
  }

  mutating func forget(lane: Int) { patterns[lane] = nil }

  /// Whether there is room for this topic, if it is a new one.
  mutating func admits(_ topic: String) -> Bool {
    topics.contains(topic)
      || (topics.count < Self.maximumTopics && topics.insert(topic).inserted)
  }
}

extension BrokerCore {
  /// Mirrors a request that the call table has accepted or refused immediately.
  mutating func mirrorRequest(
    _ call: CallTable.Call, timeoutMS: UInt64, _ payload: [UInt8], now: MonotonicTime
  ) {
    mirror(call, phase: "request", now: now) { packer, map in
      packer.field(&map, "timeout_ms", timeoutMS)
      Self.pack(payload, into: &packer, &map)
    }
  }

  /// Mirrors the single end of a call.
  mutating func mirrorReply(_ call: CallTable.Call, _ reply: CallTable.Reply, now: MonotonicTime) {
    mirror(call, phase: "reply", now: now) { packer, map in
      let head = reply.head
      packer.field(&map, "ok", head.ok)
      packer.field(&map, "code", head.code)
      packer.field(&map, "message", head.message)
      packer.field(&map, "field", head.field)
      let tookNS = now.nanoseconds - call.began.nanoseconds
      packer.field(&map, "took_ms", Double(max(0, tookNS)) / 1e6)
      if head.ok { Self.pack(reply.payload, into: &packer, &map) }
    }
  }

  /// Whether a message is a mirror from a node that forwards other nodes' calls itself.
  ///
  /// The node declared this when it registered. It is the conductor of a stack in lock-step, whose
  /// calls do not pass the broker.
  func mayMirror(_ header: HeaderScan, on topic: Int) -> Bool {
    guard topics[topic].name.hasPrefix(CallMirrors.prefix) else { return false }
    let source = registry.node(named: String(decoding: header.source, as: UTF8.self))
    return source?.publishes.contains { $0.leaf.hasPrefix(CallMirrors.prefix) } ?? false
  }

  private static func pack(_ payload: [UInt8], into packer: inout Packer, _ map: inout OpenMap) {
    packer.field(&map, "payload_bytes", UInt64(payload.count))
    if payload.count <= CallMirrors.maximumPayloadBytes {
      packer.field(&map, "payload", bytes: payload)
    }
  }

  private mutating func mirror(
    _ call: CallTable.Call, phase: String, now: MonotonicTime,
    _ rest: (inout Packer, inout OpenMap) -> Void
  ) {
    let topic = CallMirrors.prefix + call.name
    guard !taps.isEmpty || mirrors.isWanted(topic),
      !call.name.hasPrefix(CallMirrors.unmirrored), TopicName.isValid(topic),
      mirrors.admits(topic)
    else { return }
    var packer = Packer()
    var map = packer.beginMap()
    packer.field(&map, "phase", phase)
    packer.field(&map, "id", call.id)
    packer.field(&map, "call", call.name)
    packer.field(&map, "vehicle", call.vehicle)
    packer.field(&map, "source", call.callerName.isEmpty ? nil : call.callerName)
    packer.field(&map, "server", call.serverName.isEmpty ? nil : call.serverName)
    rest(&packer, &map)
    packer.endMap(map)
    emit(
      topic, .event, schema: CallMirrors.schema, payload: packer.bytes, stampNS: stampNS,
      id: call.id, now: now)
  }
}
