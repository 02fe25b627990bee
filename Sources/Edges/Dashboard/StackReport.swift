import BusProtocol
import MessagePack
import Messages
import Watch

/// The state of a stack for the page: nodes, topics, the graph and the latencies of hops.
struct StackReport {
  let picture: StackSnapshot
  let evidence: Evidence
  let topics: [TopicRates.Row]
  let hops: [HopLatencies.Row]
  /// The vehicle whose hops are measured.
  let vehicle: String?

  var value: MessagePackValue {
    .fields([
      "stack": .text(evidence.stack), "wall_ns": .int(wallClockNS()),
      "vehicle": .text(vehicle),
      "clock": evidence.clock.map { clock in
        .fields([
          "now_ns": .int(clock.nowNs), "rate": .double(clock.rate), "paused": .bool(clock.paused),
        ])
      },
      "nodes": .array(nodes), "topics": .array(topics.map(value(of:))), "graph": .array(graph),
      "hops": .array(hops.map(Self.value)),
    ])
  }

  private var nodes: [MessagePackValue] {
    let down = evidence.processes.filter {
      $0.role == .member && picture.nodes[$0.name] == nil && $0.state != .exited
    }
    let rows =
      picture.nodes.values.map { ($0.name, value(of: $0)) }
      + down.map { ($0.name, Self.value(ofMissing: $0)) }
    return rows.sorted { StackSnapshot.isBefore($0.0, $1.0) }.map(\.1)
  }

  private func value(of node: StackSnapshot.Node) -> MessagePackValue {
    let process = evidence.processes.first { $0.name == node.name && $0.role == .member }
    let status = node.status
    let isDown = process.map { [.backoff, .stopped, .failed].contains($0.state) } ?? false
    return .fields([
      "name": .string(node.name), "program": .text(status?.program),
      "state": .string(isDown ? process?.state.rawValue ?? node.word : node.word),
      "why": .text(Self.why(node, process)), "version": .text(status?.version),
      "host": .text(picture.spansHosts ? node.host : nil),
      "pid": .count(node.report?.pid), "cpu": .number(status?.cpuFraction),
      "memory": .count(status?.memoryBytes), "uptime_s": .number(status?.uptimeS),
      "restarts": .count(max(node.report?.restarts ?? 0, process?.restarts ?? 0)),
      "last_end": .text(process?.lastEnd), "vehicles": .count(status?.vehicles),
      "queue": .count(status?.queue), "loop_ms": .number(status?.loopAgeMs),
      "p50_ms": .number(status?.latencyP50Ms), "p99_ms": .number(status?.latencyP99Ms),
      "inputs": .array(
        (status?.subscriptions ?? [:]).sorted { $0.key < $1.key }.map(Self.value(ofInput:))),
      "outputs": .texts(node.outputs.filter { !$0.hasPrefix("_") }.sorted()),
    ])
  }

  /// A process that the launcher knows, and the bus does not.
  private static func value(ofMissing process: WireStackProcess) -> MessagePackValue {
    .fields([
      "name": .string(process.name),
      "program": .text(process.program.split(separator: "/").last.map(String.init)),
      "state": .string(process.state.rawValue), "pid": process.pid.map { .int($0) },
      "why": .text(process.note ?? process.lastEnd), "restarts": .count(process.restarts),
      "last_end": .text(process.lastEnd), "inputs": .array([]), "outputs": .array([]),
    ])
  }

  private static func why(
    _ node: StackSnapshot.Node, _ process: WireStackProcess?
  ) -> String? {
    switch node.condition {
    case .gone(let ms): "last message \(Explanation.text(ms: ms)) ago"
    case .silent(let ms): "no sign of life for \(Explanation.text(ms: ms))"
    case .stuck(let ms): "no status for \(Explanation.text(ms: ms))"
    case .mute: "publishes no status"
    case .says: node.status?.why
    }
  }

  private static func value(
    ofInput entry: (key: String, value: WireSubscriptionStatus)
  ) -> MessagePackValue {
    let input = entry.value
    return .fields([
      "topic": .string(entry.key), "received": .count(input.received), "gaps": .count(input.gaps),
      "lost": .count(input.lost + input.queueDrops), "refilled": .count(input.refilled),
      "late": .count(input.late), "refused": .count(input.refused + input.schemaMismatch),
      "health": .text(input.health?.rawValue), "hz": .number(input.rateHz),
      "expect_hz": .number(input.expectHz), "age_ms": .number(input.maxAgeMs),
    ])
  }

  private func value(of topic: TopicRates.Row) -> MessagePackValue {
    .fields([
      "name": .string(topic.name), "vehicles": topic.vehicles.map { .int(Int64($0)) },
      "messages": .count(topic.messages), "hz": .double(topic.hz),
      "bytes_per_s": .double(topic.bytesPerSecond), "age_ms": .count(topic.ageMS),
      "stamp_ns": .int(topic.lastStampNS), "writers": .texts(topic.writers.sorted()),
      // Tools, such as the observer itself, are no subscribers of the stack.
      "readers": .texts(topic.readers.filter { picture.nodes[$0] != nil }.sorted()),
      "refused": .count(topic.refused),
    ])
  }

  private var graph: [MessagePackValue] {
    StackGraph(picture).lines.filter { !$0.from.isEmpty || !$0.to.isEmpty }.map { line in
      .fields([
        "name": .string(line.name), "call": .bool(line.isCall), "from": .texts(line.from),
        "to": .texts(line.to),
      ])
    }
  }

  private static func value(_ row: HopLatencies.Row) -> MessagePackValue {
    .fields([
      "from": .string(row.hop.from), "to": .string(row.hop.to), "node": .string(row.hop.node),
      "count": .int(Int64(row.count)), "p50_ms": .double(row.p50MS), "p99_ms": .double(row.p99MS),
      "max_ms": .double(row.maxMS), "total_ms": .double(row.sinceStartMS),
      "depth": .int(Int64(row.depth)),
    ])
  }
}
