public import BusProtocol
import Foundations
public import Harness
import Messages
import NodeKit
public import Stage

/// Repeats for stages the input in their journals, and compares their outputs.
///
/// This replays a recording of a live drive. Each event comes at its own stack time and in the
/// order in which the node handled it, independent of the machine. If several stages are live, a
/// stage receives the current outputs of the others.
public final class JournalReplay {
  private let nodes: [String: any ConductedNode]
  private let run: RecordedRun
  private let comparison: Comparison
  private var heard = MessagesByOrigin()
  private var numbers: [String: (run: UInt64, sequence: UInt64)] = [:]
  /// Number of messages of each topic that nodes published outside their stages and that are not
  /// compared.
  private var asides: [String: Int] = [:]
  private var callers: [String: CallKey] = [:]
  /// Current answers whose end in the recording has not been read yet, by the identity of the call.
  private var answers: [String: Frame] = [:]
  /// Calls whose end was recorded before the journal's entry: the two use separate sockets.
  private var owed: [String: CallKey] = [:]
  /// Calls that the broker ended; later answers to them were not delivered.
  private var ended: Set<String> = []

  /// Receives the log lines of the stages.
  public var log: ((_ node: String, _ level: LogLevel, _ text: String) -> Void)?
  /// Receives the outputs of the stages.
  public var tap: ((Frame) -> Void)?

  /// - Parameters:
  ///   - nodes: the live stages.
  ///   - run: the recording.
  ///   - isCompared: selects the topics, with their vehicle, that are compared.
  public init(
    _ nodes: [any ConductedNode], _ run: RecordedRun,
    where isCompared: @escaping (String) -> Bool = { _ in true }
  ) {
    self.nodes = Dictionary(nodes.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
    self.run = run
    let names = Set(nodes.map(\.name))
    comparison = Comparison { frame in
      frame.topic.hasPrefix("call ")
        || names.contains(frame.header.source) && Comparison.isSpoken(frame)
          && !frame.topic.hasPrefix("_state/") && isCompared(frame.topic)
    }
  }

  /// Replays the whole recording.
  ///
  /// - Throws: `ReplayProblem` if the recording is damaged, a journal has a gap, an event cannot be
  ///   repeated, or a stage was lost.
  public func play() throws(ReplayProblem) -> Comparison {
    while let frame = try run.next() {
      let topic = frame.topic
      if topic.hasPrefix(Self.prefix) {
        let name = String(topic.dropFirst(Self.prefix.count))
        if let node = nodes[name] { try replay(frame, node) }
      } else if topic.hasPrefix("_svc/") {
        recordCall(frame)
      } else {
        try ingest(frame)
      }
    }
    comparison.finish()
    return comparison
  }

  static let prefix = "_journal/"

  private func ingest(_ frame: Frame) throws(ReplayProblem) {
    guard Comparison.isSpoken(frame) || frame.header.isLatched else { return }
    let source = frame.header.source
    let isLive = nodes[source] != nil
    if isLive, !frame.header.isLatched, numbers[source]?.run != frame.header.run {
      throw ReplayProblem("\(source) has published \(frame.topic) without a journal")
    }
    heard.ingest(frame, ofLive: isLive)
    guard isLive, !frame.header.isLatched else { return }
    if let count = asides[frame.topic], count > 0 {
      asides[frame.topic] = count - 1
    } else {
      comparison.addRecorded(frame)
    }
  }

  // MARK: The journal

  private func replay(_ frame: Frame, _ node: any ConductedNode) throws(ReplayProblem) {
    let (own, number) = (frame.header.run, frame.header.sequence)
    let last = numbers[node.name]
    let expected = last?.run == own ? (last?.sequence ?? 0) + 1 : 1
    guard number == expected else {
      throw ReplayProblem(
        "the journal of \(node.name) has a gap: \(expected) is missing before \(number)")
    }
    if last != nil, last?.run != own { try restart(node) }
    numbers[node.name] = (own, number)
    let entry: NodeJournal
    do {
      entry = try NodeJournal(decoding: frame.payload)
    } catch {
      throw ReplayProblem("\(frame.topic) \(number): \(error)")
    }
    switch entry.event {
    case .admit: break
    case .aside:
      let topic = entry.topic ?? ""
      asides[topic.hasPrefix("_") ? topic : "\(entry.vehicle)/\(topic)", default: 0] += 1
    case .map: throw Self.cannot(node, "its map was replaced")
    case .takeOver: throw Self.cannot(node, "it was handed over to another process")
    case .drop: try local(node, "removes a vehicle").drop(entry.vehicle)
    case .restore:
      // A stage refuses the same states now as in the recording.
      try? local(node, "was restarted").restore(entry.payload ?? [], vehicle: entry.vehicle)
    default:
      try give(node, entry, event: event(entry, node))
    }
  }

  private static func cannot(_ node: any ConductedNode, _ why: String) -> ReplayProblem {
    ReplayProblem("\(node.name) cannot be replayed further: \(why)")
  }

  private func local(
    _ node: any ConductedNode, _ what: String
  ) throws(ReplayProblem) -> LocalNode {
    guard let local = node as? LocalNode else {
      throw Self.cannot(node, "it \(what), which is not supported for a separate program here")
    }
    return local
  }

  /// A process that was killed may have recorded an event without publishing its outputs.
  private func restart(_ node: any ConductedNode) throws(ReplayProblem) {
    try local(node, "was restarted").reset()
    for topic in comparison.forgetUnmatched(by: node.name) { heard.dropUnrecorded(topic) }
  }

  private func event(
    _ entry: NodeJournal, _ node: any ConductedNode
  ) throws(ReplayProblem) -> EncodedEvent {
    let stamp = Instant(nanoseconds: entry.stampNs ?? 0)
    switch entry.event {
    case .message: return .message(try message(entry, node))
    case .call:
      return .call(
        EncodedCall(
          id: entry.id ?? "", name: entry.name ?? "", stamp: stamp, payload: entry.payload ?? []))
    case .cancelled: return .cancelled(callID: entry.id ?? "")
    case .reply:
      let outcome: EncodedOutcome =
        entry.ok == true
        ? .ok(payload: entry.payload ?? [])
        : .failed(
          CallError(
            code: entry.code ?? "internal", message: entry.message ?? "", field: entry.field))
      return .reply(token: entry.token ?? 0, stamp: stamp, outcome: outcome)
    case .clockReset: return .clockReset(now: stamp)
    default: return .wake(now: stamp)
    }
  }

  private func message(
    _ entry: NodeJournal, _ node: any ConductedNode
  ) throws(ReplayProblem) -> EncodedMessage {
    let topic = entry.topic ?? ""
    var inbound = EncodedMessage(
      topic: topic, stamp: Instant(nanoseconds: entry.stampNs ?? 0), source: entry.source ?? "",
      run: entry.run ?? 0, sequence: entry.seq ?? 0, key: entry.key,
      isLatched: entry.latched ?? false, payload: entry.payload ?? [])
    guard entry.payload == nil else { return inbound }
    guard let frame = heard.frame(of: inbound, vehicle: entry.vehicle) else {
      throw ReplayProblem(
        "\(node.name) read \(topic) \(inbound.sequence) of \(inbound.source), which is not in the recording"
      )
    }
    inbound.payload = frame.payload
    inbound.stamp = Instant(nanoseconds: frame.header.stampNS)
    inbound.key = frame.header.key
    return inbound
  }

  // MARK: What they say now

  private func give(
    _ node: any ConductedNode, _ entry: NodeJournal, event: EncodedEvent
  ) throws(ReplayProblem) {
    node.start(
      EventBatch(
        now: entry.stampNs.map { Instant(nanoseconds: $0) },
        items: [EventBatch.Item(vehicle: entry.vehicle, event: event)]))
    let answer: BatchAnswer
    do {
      answer = try node.finish()
    } catch {
      throw ReplayProblem("\(error.node) was lost: \(error.reason)")
    }
    for result in answer.results {
      // A refusal has no outputs.
      guard case .success(let outputs) = result else { continue }
      let cause = event.cause(at: node.name)
      for output in outputs { perform(output, node.name, entry, cause) }
    }
  }

  private func perform(
    _ output: EncodedOutput, _ node: String, _ entry: NodeJournal, _ cause: Cause?
  ) {
    let stamp = Instant(nanoseconds: entry.stampNs ?? 0)
    switch output {
    case .publish(let topic, let stamp, let payload, let key, _, let given):
      say(topic, entry.vehicle, stamp, payload, key, by: node, given ?? cause)
    case .setClock(let now, let rate, let isPaused, let run):
      say(
        Contract.clockTopic, entry.vehicle, now,
        Contract.clockPayload(now: now, rate: rate, isPaused: isPaused, run: run), nil, by: node,
        nil)
    case .call(let name, let payload, _, _):
      comparison.addCurrent(
        CallKey(caller: node, name: name, vehicle: entry.vehicle).frame("requests", stamp, payload))
    case .reply(let id, let outcome):
      if let key = owed.removeValue(forKey: id) {
        comparison.addCurrent(key.frame("receives", stamp, outcome.bytes))
      } else if ended.remove(id) == nil {
        answers[id] = callers[id]?.frame("receives", stamp, outcome.bytes)
      }
    case .log(let level, let text): log?(node, level, text)
    default: break
    }
  }

  private func say(
    _ topic: String, _ vehicle: String, _ stamp: Instant, _ payload: [UInt8], _ key: String?,
    by node: String, _ cause: Cause?
  ) {
    let name = topic.hasPrefix("_") ? topic : "\(vehicle)/\(topic)"
    var header = Header(
      sequence: heard.outputCount(name) + 1, stampNS: stamp.nanoseconds, source: node, run: 1,
      schema: Contract.schema(ofTopic: topic))
    header.key = key
    header.cause = cause.map {
      Origin(topic: $0.topic, source: $0.source, run: $0.run, sequence: $0.sequence)
    }
    let frame = Frame(topic: name, header: header, payload: payload)
    heard.say(frame)
    comparison.addCurrent(frame)
    tap?(frame)
  }

  // MARK: Calls

  /// The error codes with which the broker ends a call that was not answered.
  private static let brokersWords: Set<String> = [
    "timeout", "cancelled", "server_restarted", "unavailable", "no_such_service", "busy",
  ]

  private func recordCall(_ frame: Frame) {
    guard let mirror = try? CallMirror(decoding: frame.payload) else { return }
    let stamp = Instant(nanoseconds: frame.header.stampNS)
    switch mirror.phase {
    case .request:
      let key = CallKey(mirror)
      callers[mirror.id] = key
      if nodes[key.caller] != nil {
        comparison.addRecorded(key.frame("requests", stamp, mirror.payload ?? []))
      }
    case .reply:
      let key = callers.removeValue(forKey: mirror.id) ?? CallKey(mirror)
      let answer = answers.removeValue(forKey: mirror.id)
      guard nodes[mirror.server ?? ""] != nil else { return }
      if mirror.ok != true, Self.brokersWords.contains(mirror.code ?? "") {
        if answer == nil { ended.insert(mirror.id) }
        return
      }
      comparison.addRecorded(key.frame("receives", stamp, mirror.outcome.bytes))
      if let answer {
        comparison.addCurrent(answer)
      } else {
        owed[mirror.id] = key
      }
    }
  }
}
