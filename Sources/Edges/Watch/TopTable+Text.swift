extension TopTable {
  /// A line of the table; red and green are for terminals with colours.
  public struct Line: Hashable, Sendable {
    public enum Tone: Sendable { case plain, heading, good, bad }
    public var text: String
    public var tone: Tone

    public init(text: String, tone: Tone) {
      self.text = text
      self.tone = tone
    }
  }

  public enum Part: Sendable { case both, nodes, topics }

  /// The lines of the table, each cut to `width`, at most `height` of them.
  public func lines(_ part: Part = .both, width: Int = .max, height: Int = .max) -> [Line] {
    var lines: [Line] = []
    if part != .topics { lines += nodeLines() }
    if part == .both { lines.append(Line(text: "", tone: .plain)) }
    if part != .nodes { lines += topicLines() }
    if lines.count > height {
      let hidden = lines.count - height + 1
      lines = Array(lines.prefix(max(0, height - 1)))
      lines.append(Line(text: "... \(hidden) more lines", tone: .plain))
    }
    return lines.map { Line(text: String($0.text.prefix(width)), tone: $0.tone) }
  }

  private func nodeLines() -> [Line] {
    let showsHosts = nodes.contains { $0.host != nil }
    let host = { (text: String) in showsHosts ? [text] : [] }
    var rows: [[String]] = [
      ["NODE", "STATE"] + host("HOST") + [
        "PID", "CPU %", "MEM MiB", "QUEUE", "LOOP ms", "P50 ms", "P99 ms", "LOST",
        "RESTARTS",
      ]
    ]
    for node in nodes {
      let load = [
        Self.text(node.pid), Self.text(node.cpuFraction.map { $0 * 100 }),
        Self.text(node.memoryBytes.map { Double($0) / 1_048_576 }), Self.text(node.queue),
        Self.text(node.loopAgeMS), Self.text(node.latencyP50MS), Self.text(node.latencyP99MS),
        "\(node.lost)", "\(node.restarts)",
      ]
      rows.append([node.name, node.state] + host(node.host ?? "-") + load)
    }
    var lines = Self.aligned(rows, left: showsHosts ? 3 : 2).map { Line(text: $0, tone: .plain) }
    lines[0].tone = .heading
    for (index, node) in nodes.enumerated() {
      lines[index + 1].tone = node.state == "ready" ? .good : .bad
      if node.state != "ready", let why = node.why { lines[index + 1].text += "  \(why)" }
    }
    return lines
  }

  private func topicLines() -> [Line] {
    let isGrouped = topics.contains { $0.vehicles != nil }
    let vehicles = { (text: String) in isGrouped ? [text] : [] }
    var rows: [[String]] = [
      ["TOPIC", "WRITER"] + vehicles("VEHICLES") + ["HZ", "KiB/s", "AGE", "LOST", "READERS"]
    ]
    for topic in topics {
      rows.append(
        [topic.name, topic.writer] + vehicles(topic.vehicles.map { "\($0)" } ?? "-") + [
          Self.text(topic.hz), Self.text(topic.bytesPerSecond / 1_024),
          Explanation.text(ms: topic.ageMS), "\(topic.lost)", "\(topic.readers.count)",
        ])
    }
    var lines = Self.aligned(rows, left: 2).map { Line(text: $0, tone: .plain) }
    lines[0].tone = .heading
    for (index, topic) in topics.enumerated() {
      if let health = topic.health, health != "ok", health != "never" {
        lines[index + 1].tone = .bad
        lines[index + 1].text += "  \(health)"
      } else if topic.hz > 0 {
        lines[index + 1].tone = .good
      }
    }
    return lines
  }

  private static func text(_ value: UInt64?) -> String { value.map { "\($0)" } ?? "-" }
  private static func text(_ value: Double?) -> String {
    value.map { Explanation.figure($0) } ?? "-"
  }

  /// Formats cells as columns of minimal width: the first `left` of them left-aligned, figures
  /// right-aligned.
  private static func aligned(_ rows: [[String]], left: Int) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column < left ? cell + space : space + cell
      }.joined(separator: "  ")
    }
  }
}
