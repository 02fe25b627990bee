import BusProtocol
import MessagePack
import ZMQ

extension BrokerCore {
  /// Handles a message of the ROUTER socket.
  mutating func control(_ parts: [[UInt8]], now: MonotonicTime) {
    guard parts.count == 2 || parts.count == 3 else { return count("malformed_control") }
    let identity = parts[0]
    let message: ControlMessage
    do {
      message = try ControlMessage(decoding: parts[1])
    } catch {
      count("malformed_control")
      return refuse(parts[1], error, to: identity, now: now)
    }
    registry.renew(identity, now: now)
    let payload = parts.count == 3 ? parts[2] : []
    switch message {
    case .register(let body): register(body, at: identity, now: now)
    case .ping(let body): replyPing(body, from: identity)
    case .bye: peerGone(identity, isReleased: isReleased(identity), now: now)
    case .sync(let body): replySync(body)
    case .snapshot(let body):
      give(states.values(matching: PatternSet(body.patterns)), for: body.token, to: identity)
    case .refill(let body): replyRefill(body, to: identity)
    case .history(let body):
      let start = now.advanced(byMS: -Int64(clamping: body.sinceMs ?? 0))
      give(
        events.events(matching: PatternSet(body.patterns), since: start), for: body.token,
        to: identity)
    case .list(let body): replyList(body, to: identity, now: now)
    case .call(let body): openCall(body, payload, from: identity, now: now)
    case .reply(let body): forwardReply(body, payload, from: identity, now: now)
    case .cancel(let body): cancelCall(body, from: identity, now: now)
    case .handover(let body):
      handOver(
        body.name, for: newOrder(identity, body.token, limitMS: body.limitMs, now: now), now: now)
    case .shadow(let body):
      var order = newOrder(identity, body.token, limitMS: body.limitMs, now: now)
      order.isShadow = true
      handOver(body.name, for: order, now: now)
    case .rescale(let body):
      rescale(
        body, for: newOrder(identity, body.token, limitMS: body.limitMs, now: now), now: now)
    case .handled(let body): replyHandled(body, to: identity)
    case .weight(let body): handoverWeighed(body, from: identity, now: now)
    case .frozen(let body): handoverFrozen(body, payload, from: identity, now: now)
    case .imported(let body): handoverImported(body, from: identity, now: now)
    case .welcome, .rejected, .pong, .alive, .refused, .item, .end, .listing, .error, .outcome,
      .marker, .marks, .weigh, .freeze, .import, .release, .retire, .resume, .dismiss, .inherit:
      count("malformed_control")
    }
  }

  /// Answers a message that cannot be decoded, in the form that its sender waits for.
  ///
  /// The answer contains the key and the reason.
  private mutating func refuse(
    _ bytes: [UInt8], _ error: DecodeError, to identity: Identity, now: MonotonicTime
  ) {
    let isIncomplete = error.reason == .missingField
    let operation = isIncomplete ? try? ControlMessage.Operation(of: bytes) : nil
    let keys = isIncomplete ? try? MessagePackValue(decoding: bytes) : nil
    switch operation {
    case .register: return reject(identity, code: "invalid", error.message)
    case .call:
      guard let id = keys?["id"]?.string else { break }
      return send(Self.failure(id, code: "invalid", error.message), [], to: identity)
    case .handover, .shadow, .rescale:
      guard let token = keys?["token"]?.uint else { break }
      let order = newOrder(identity, token, limitMS: nil, now: now)
      return reply(order, code: "invalid", error.message)
    default: break
    }
    send(ControlMessage.Error(code: "invalid", message: error.message), to: identity)
  }

  /// Sends an echo over the egress, which proves to its receiver that its earlier subscriptions are
  /// in place.
  private mutating func replySync(_ request: ControlMessage.Sync) {
    let name = request.name
    guard TopicName.isValidVehicle(name) else { return count("malformed_control") }
    syncCount += 1
    let header = Header(
      sequence: syncCount, stampNS: 0, source: Self.name, run: run, schema: "_bus_sync/1.0")
    let body = ControlMessage.Sync(token: request.token, name: name)
    let echo = Frame(topic: "_bus/sync/\(name)", header: header, payload: body.encoded())
    // The asking node may listen on any lane.
    outgoing.append(.egress(Message(echo.parts), openLanes))
  }

  private mutating func replyRefill(_ request: ControlMessage.Refill, to identity: Identity) {
    let stream = EventRing.Stream(
      topic: request.topic, source: request.src, run: request.run)
    let (frames, missing) = events.events(of: stream, from: request.from, to: request.to)
    give(frames, for: request.token, missing: missing, to: identity)
  }

  private mutating func give(
    _ frames: [Frame], for token: UInt64?, missing: [ClosedRange<UInt64>] = [],
    to identity: Identity
  ) {
    let opening = ControlMessage.Item(token: token).encoded()
    var count: UInt64 = 0
    for frame in frames where isFor(identity, frame.topic) {
      outgoing.append(.control(identity, [opening] + frame.parts))
      count += 1
    }
    let gaps = missing.flatMap { [$0.lowerBound, $0.upperBound] }
    send(ControlMessage.End(token: token, count: count, missing: gaps), to: identity)
  }

  private mutating func replyList(
    _ request: ControlMessage.List, to identity: Identity, now: MonotonicTime
  ) {
    var answer = ControlMessage.Listing(token: request.token, run: run, what: request.what)
    switch request.what {
    case "topics":
      let all = topicReports(now: now)
      answer.count = UInt64(all.count)
      answer.topics = Array(
        all.dropFirst(Int(clamping: request.from ?? 0)).prefix(Self.topicsInListing))
    case "nodes": answer.nodes = registry.reports(now: now)
    case "services": answer.services = callTable.reports
    case "vehicles": answer.vehicles = vehicles(heardSince: request.sinceMs, now: now)
    case "readers": answer.vehicles = vehiclesRead(request.patterns, byOthersThan: identity)
    case "bus":
      answer.counters = counters
      answer.counters["late_replies"] = callTable.lateReplies
      answer.counters["states"] = UInt64(states.count)
      answer.counters["states_refused"] = states.refused
      answer.counters["ring_bytes"] = UInt64(events.bytes)
      answer.counters["topics"] = UInt64(topics.count)
      answer.topic = malformedTopic
    default:
      answer.code = "invalid"
      answer.message = "what: must be one of topics, nodes, services, vehicles, readers, bus"
    }
    send(answer, to: identity)
  }

  /// Reports the last message of each input stream that a node of this name has handled and
  /// published for.
  ///
  /// A process that starts after a dead one counts from there.
  private mutating func replyHandled(_ request: ControlMessage.Handled, to identity: Identity) {
    let inputs = PatternSet(request.patterns)
    var marks: [InputMark] = []
    for topic in topics.indices {
      guard let origin = topics[topic].handled(by: request.name), isFor(identity, origin.topic),
        inputs.matches(origin.topic), let input = record(of: origin.topic),
        input.traits.deliveryClass == .stream
      else { continue }
      marks.append(
        InputMark(
          origin.topic, Writer(source: origin.source, run: origin.run), origin.sequence))
    }
    var packer = Packer()
    packer.packArrayHeader(marks.count)
    for mark in marks { mark.pack(into: &packer) }
    send(ControlMessage.Marks(token: request.token), packer.bytes, to: identity)
  }

  /// Number of topics that fit into one message; a client that wants more continues with `from`.
  private static let topicsInListing = 50_000

  /// Reports on all topics, sorted by name; n log n, whatever is subscribed to.
  func topicReports(now: MonotonicTime) -> [TopicReport] {
    var readers: [String: [String]] = [:]
    for node in registry.nodes.values.sorted(by: { $0.name < $1.name }) {
      for pattern in Set(node.subscribes) { readers[pattern, default: []].append(node.name) }
    }
    return topics.sorted { $0.name < $1.name }.map { record in
      record.report(readers: Self.readers(of: record.name, in: readers), now: now)
    }
  }

  private static func readers(of topic: String, in patterns: [String: [String]]) -> [String] {
    var names = patterns[topic, default: []] + patterns["", default: []]
    for slash in topic.indices where topic[slash] == "/" {
      names += patterns[String(topic[...slash]), default: []]
    }
    return Set(names).sorted()
  }

  /// Removes a node: it hung up, fell silent, or signed off.
  mutating func peerGone(_ identity: Identity, isReleased: Bool = false, now: MonotonicTime) {
    guard let node = registry.remove(identity, isReleased: isReleased) else { return }
    handoverPeerLost(identity, now: now)
    let (unanswered, orphaned) = callTable.leave(identity)
    for id in unanswered {
      endCall(id, code: "server_restarted", "\(node.name) disconnected during the call", now: now)
    }
    for id in orphaned { cancel(id, "the caller disconnected", now: now) }
  }
}
