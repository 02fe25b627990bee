import BusProtocol
import MessagePack
import ZMQ

extension BrokerCore {
  /// Handles a message of the ROUTER socket.
  mutating func control(_ parts: [[UInt8]], now: MonotonicTime) {
    guard parts.count == 2 || parts.count == 3 else { return count("malformed_control") }
    let identity = parts[0]
    let head: Control
    do {
      head = try Control(decoding: parts[1])
    } catch {
      count("malformed_control")
      var answer = Control(.error)
      answer.code = "invalid"
      answer.message = error.message
      return send(answer, to: identity)
    }
    registry.hear(identity, now: now)
    let payload = parts.count == 3 ? parts[2] : []
    switch head.operation {
    case .register: register(head, at: identity, now: now)
    case .ping: answerPing(head, from: identity)
    case .bye: peerGone(identity, isReleased: isReleased(identity), now: now)
    case .sync: answerSync(head)
    case .snapshot:
      give(states.values(matching: PatternSet(head.patterns)), for: head, to: identity)
    case .refill: answerRefill(head, to: identity)
    case .history:
      let start = now.advanced(byMS: -Int64(clamping: head.sinceMS ?? 0))
      give(
        events.events(matching: PatternSet(head.patterns), since: start), for: head, to: identity)
    case .list: answerList(head, to: identity, now: now)
    case .call: beginCall(head, payload, from: identity, now: now)
    case .reply: takeReply(head, payload, from: identity, now: now)
    case .cancel: cancelCall(head, from: identity, now: now)
    case .handover, .rescale, .shadow: order(head, from: identity, now: now)
    case .handled: answerHandled(head, to: identity)
    case .weight: handoverWeighed(head, from: identity, now: now)
    case .frozen, .imported: handoverAnswer(head, payload, from: identity, now: now)
    case .welcome, .rejected, .pong, .alive, .refused, .item, .end, .listing, .error, .outcome,
      .marker, .marks, .weigh, .freeze, .import, .release, .retire, .resume, .dismiss, .inherit:
      count("malformed_control")
    }
  }

  /// Sends an echo over the egress, which proves to its receiver that its earlier subscriptions are
  /// in place.
  private mutating func answerSync(_ head: Control) {
    guard let name = head.name, TopicName.isValidVehicle(name), let token = head.token else {
      return count("malformed_control")
    }
    syncCount += 1
    let header = Header(
      sequence: syncCount, stampNS: 0, source: Self.name, run: run, schema: "_bus_sync/1.0")
    var body = Control(.sync, token: token)
    body.name = name
    let echo = Frame(topic: "_bus/sync/\(name)", header: header, payload: body.encoded())
    // The asking node may listen on any lane.
    outgoing.append(.egress(Message(echo.parts), openLanes))
  }

  private mutating func answerRefill(_ head: Control, to identity: Identity) {
    guard let topic = head.topic, let source = head.source, let run = head.run,
      let from = head.from, let to = head.to
    else { return count("malformed_control") }
    let (frames, missing) = events.events(
      of: EventRing.Stream(topic: topic, source: source, run: run), from: from, to: to)
    give(frames, for: head, missing: missing, to: identity)
  }

  private mutating func give(
    _ frames: [Frame], for head: Control, missing: [ClosedRange<UInt64>] = [],
    to identity: Identity
  ) {
    var item = Control(.item)
    item.token = head.token
    let opening = item.encoded()
    var count: UInt64 = 0
    for frame in frames where isFor(identity, frame.topic) {
      outgoing.append(.control(identity, [opening] + frame.parts))
      count += 1
    }
    var end = Control(.end, token: head.token)
    end.count = count
    end.missing = missing.flatMap { [$0.lowerBound, $0.upperBound] }
    send(end, to: identity)
  }

  private mutating func answerList(_ head: Control, to identity: Identity, now: MonotonicTime) {
    var answer = Control(.listing, token: head.token)
    answer.what = head.what
    answer.run = run
    switch head.what {
    case "topics":
      let all = topicReports(now: now)
      answer.count = UInt64(all.count)
      answer.topics = Array(
        all.dropFirst(Int(clamping: head.from ?? 0)).prefix(Self.topicsInListing))
    case "nodes": answer.nodes = registry.reports(now: now)
    case "services": answer.services = desk.reports
    case "vehicles": answer.vehicles = vehicles(heardSince: head.sinceMS, now: now)
    case "readers": answer.vehicles = vehiclesRead(head.patterns, byOthersThan: identity)
    case "bus":
      answer.counters = counters
      answer.counters["late_replies"] = desk.lateReplies
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
  private mutating func answerHandled(_ head: Control, to identity: Identity) {
    guard let name = head.name else { return count("malformed_control") }
    let inputs = PatternSet(head.patterns)
    var marks: [InputMark] = []
    for topic in topics.indices {
      guard let origin = topics[topic].handled(by: name), isFor(identity, origin.topic),
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
    send(Control(.marks, token: head.token), packer.bytes, to: identity)
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
    let (unanswered, orphaned) = desk.leave(identity)
    for id in unanswered {
      endCall(id, code: "server_restarted", "\(node.name) disconnected during the call", now: now)
    }
    for id in orphaned { cancel(id, "the caller disconnected", now: now) }
  }
}
