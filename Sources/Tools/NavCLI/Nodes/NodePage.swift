import BusProtocol
import Messages
import Watch

/// A description of one node for people.
struct NodePage {
  private let report: NodeReport
  private let seen: StackSnapshot.Node?
  private let calls: [ServiceReport]

  init(_ report: NodeReport, _ seen: StackSnapshot.Node?, _ calls: [ServiceReport]) {
    self.report = report
    self.seen = seen
    self.calls = calls
  }

  func print() {
    let status = seen?.status
    let why = status?.why.map { ": \($0)" } ?? ""
    Swift.print("\(report.name)  \(seen?.word ?? "mute")\(why)")
    let program = [status?.program, status?.version].compactMap { $0 }.joined(separator: " ")
    let place = report.host.isEmpty || report.host == HostName.own ? "" : " on \(report.host)"
    row("process", "pid \(report.pid)\(place), \(program), restarts \(report.restarts)")
    if let status {
      row("since", Explanation.text(ms: UInt64((status.uptimeS ?? 0) * 1_000)))
      row("loop", "\(text(status.loopAgeMs)) ms, queue \(status.queue ?? 0)")
      row("latency", "p50 \(text(status.latencyP50Ms)) ms, p99 \(text(status.latencyP99Ms)) ms")
      let memory = status.memoryBytes.map { Double($0) / 1_048_576 }
      row("load", "\(text(memory)) MiB, \(text(status.cpuFraction.map { $0 * 100 })) % of a core")
      if let hash = status.configHash { row("config", hash) }
      inputs(status)
      outputs(status)
      named("counts", status.counters)
      named("refused", status.refusals)
      for refused in status.refused where refused.text != nil || refused.reason == "no_time" {
        row("why", Explanation.text(of: refused))
      }
    } else {
      row("reads", Self.short(report.subscribes))
      row("writes", report.publishes.joined(separator: ", "))
    }
    for call in calls { show(call) }
  }

  /// The first topics of a list, because a node may subscribe to hundreds of vehicles by name.
  private static func short(_ topics: [String]) -> String {
    let more = topics.count > 12 ? " and \(topics.count - 12) more" : ""
    return topics.prefix(12).joined(separator: ", ") + more
  }

  private func inputs(_ status: NodeStatus) {
    for (leaf, seen) in status.subscriptions.sorted(by: { $0.key < $1.key }) {
      var words = [seen.health?.rawValue ?? "-", "\(seen.received) received"]
      if let hz = seen.rateHz { words.append("\(text(hz)) of \(text(seen.expectHz)) Hz") }
      words.append("lost \(seen.lost)")
      for (word, count) in [
        ("gaps", seen.gaps), ("dropped in the queue", seen.queueDrops), ("late", seen.late),
        ("doubles", seen.duplicates), ("refilled", seen.refilled), ("refused", seen.refused),
        ("of another version", seen.schemaMismatch),
      ] where count > 0 { words.append("\(word) \(count)") }
      row("reads", "\(leaf)  \(words.joined(separator: ", "))")
    }
  }

  private func outputs(_ status: NodeStatus) {
    for (leaf, sent) in status.publications.sorted(by: { $0.key < $1.key }) {
      let refused = sent.refused > 0 ? ", refused \(sent.refused)" : ""
      row("writes", "\(leaf)  \(sent.sent) sent, last seq \(sent.lastSeq)\(refused)")
    }
  }

  private func named(_ what: String, _ counts: [String: Int64]) {
    guard !counts.isEmpty else { return }
    row(
      what,
      counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
  }

  private func show(_ call: ServiceReport) {
    var words = ["\(call.calls) calls", "\(call.failures) failed"]
    if call.pending > 0 { words.append("\(call.pending) pending") }
    if call.late > 0 { words.append("\(call.late) late replies") }
    let codes = call.codes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    if !codes.isEmpty { words.append("(\(codes.joined(separator: ", ")))") }
    let isServer = call.server == report.name || report.serves.contains(call.name)
    row(isServer ? "serves" : "calls", "\(call.name)  \(words.joined(separator: ", "))")
  }

  private func row(_ what: String, _ text: String) {
    Swift.print("  \(what)\(String(repeating: " ", count: max(1, 9 - what.count)))\(text)")
  }

  private func text(_ value: Double?) -> String { value.map { Explanation.figure($0) } ?? "-" }
}
