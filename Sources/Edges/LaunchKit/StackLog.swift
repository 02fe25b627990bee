import Foundation

/// Shows the lines of all nodes, and keeps the last ones of each.
struct StackLog {
  private var format: LogFormat
  private let write: (String) -> Void
  private let file: FileHandle?
  private var last: [String: LastLines] = [:]

  init(
    names: [String], settings: LogSettings, folder: String, isColored: Bool,
    write: @escaping (String) -> Void
  ) {
    let usesColor =
      switch settings.color {
      case .auto: isColored
      case .always: true
      case .never: false
      }
    format = LogFormat(names: names, showsTime: settings.showsTime, isColored: usesColor)
    self.write = write
    file = settings.file.flatMap { path in
      let path = path.hasPrefix("/") ? path : "\(folder)/\(path)"
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      return FileHandle(forWritingAtPath: path)
    }
  }

  mutating func say(_ name: String, _ text: String, isError: Bool = false) {
    last[name, default: LastLines()].add(text)
    show(format.line(name, text, isError: isError, time: Self.timeOfDay()))
  }

  /// Shows the last lines of a node that has brought the stack down.
  mutating func blame(_ name: String) {
    guard let lines = last[name]?.all, !lines.isEmpty else { return }
    show("--- last lines of \(name)")
    for line in lines { show("    \(line)") }
    show("---")
  }

  /// A table of how the nodes have fared.
  func summary(_ supervisor: Supervisor, _ peakBytes: [String: Int], atS now: Double) {
    var rows = [["node", "up", "restarts", "last end", "peak"]]
    for node in supervisor.nodes {
      rows.append([
        node.name, Figures.duration(seconds: node.uptimeS(atS: now)), "\(node.restarts)",
        node.lastEnd ?? "-", peakBytes[node.name].map(Figures.memory(bytes:)) ?? "-",
      ])
    }
    let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = zip(row, widths).map {
        $0 + String(repeating: " ", count: $1 - $0.count)
      }
      show(Quantity.trimmed(cells.joined(separator: "  ")))
    }
  }

  private func show(_ line: String) {
    write(line)
    try? file?.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Local time, to the millisecond.
  private static func timeOfDay() -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    var seconds = now.tv_sec
    localtime_r(&seconds, &parts)
    let thousandths = "\(1_000 + now.tv_nsec / 1_000_000)".dropFirst()
    return [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
      .map(Figures.twoDigits).joined(separator: ":") + ".\(thousandths)"
  }
}
