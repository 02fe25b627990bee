import Foundation
import StackFile
import Supervision

/// Shows the lines of all nodes, and keeps the last ones of each.
struct StackLog {
  private var format: LogFormat
  private let isJSON: Bool
  private let write: (String) -> Void
  private let path: String?
  private var file: FileHandle?
  private var last: [String: LastLines] = [:]
  private var lastErrors: [String: String] = [:]

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
    isJSON = settings.format == .json
    self.write = write
    path = settings.file.map { Self.path(of: $0.value, folder: folder) }
    file = path.flatMap(Self.open)
  }

  /// Whether the lines go to a file, too.
  var hasFile: Bool { file != nil }

  /// Opens the file under its name again: another program may have renamed the one that is open.
  mutating func reopen() {
    guard let path else { return }
    file = Self.open(path) ?? file
  }

  /// Size in bytes above which a log is renamed at the next start of the stack.
  private static let largestBytes = 64 << 20

  static func path(of file: String, folder: String) -> String {
    file.hasPrefix("/") ? file : "\(folder)/\(file)"
  }

  /// Returns why a log cannot be written; nil if it can.
  ///
  /// The check itself writes nothing.
  static func writeFailureReason(_ path: String) -> String? {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      if isFolder.boolValue { return "it is a folder" }
      return access(path, W_OK) == 0 ? nil : String(cString: strerror(errno))
    }
    let folder = (path as NSString).deletingLastPathComponent
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
    else { return "there is no folder \(folder)" }
    return access(folder, W_OK | X_OK) == 0 ? nil : String(cString: strerror(errno))
  }

  /// Opens a log for appending, because the previous run's lines may show why it ended.
  ///
  /// A log that has become too large is renamed to `PATH.1`, and a new one is created.
  private static func open(_ path: String) -> FileHandle? {
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    if size > largestBytes { rename(path, "\(path).1") }
    if !FileManager.default.fileExists(atPath: path) {
      // The log contains the page's token, so other users must not read it.
      _ = FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    let file = FileHandle(forWritingAtPath: path)
    _ = try? file?.seekToEnd()
    return file
  }

  mutating func say(_ name: String, _ text: String, isError: Bool = false) {
    last[name, default: LastLines()].add(text)
    if isError, text.contains(where: { !$0.isWhitespace }) { lastErrors[name] = text }
    if isJSON {
      show(LogFormat.json(name, text, isError: isError, time: Self.moment()))
    } else {
      show(format.line(name, text, isError: isError, time: Self.timeOfDay()))
    }
  }

  /// The last lines of a process; nil if it has written none.
  func lines(of name: String, after number: UInt64) -> (last: UInt64, lines: [String])? {
    last[name].map { ($0.last, $0.after(number)) }
  }

  /// Exchanges the lines of two processes that have exchanged their names.
  mutating func exchange(_ one: String, _ other: String) {
    (last[one], last[other]) = (last[other], last[one])
    (lastErrors[one], lastErrors[other]) = (lastErrors[other], lastErrors[one])
  }

  mutating func forget(_ name: String) { (last[name], lastErrors[name]) = (nil, nil) }

  /// The last line that a process wrote to its standard error; nil for none.
  func lastError(of name: String) -> String? {
    lastErrors[name].map { LogFormat.withoutEscapes($0) }
  }

  /// Shows the last lines of a node that has brought the stack down.
  mutating func showLastLines(_ name: String) {
    guard let lines = last[name]?.after(0).suffix(LastLines.blameCount), !lines.isEmpty else {
      return
    }
    // In JSON, each line was already written as an object.
    guard !isJSON else { return }
    show("--- last lines of \(name)")
    for line in lines { show("    \(line)") }
    show("---")
  }

  /// A table with a summary of each node.
  func summary(
    _ supervisor: Supervisor, _ peakBytes: [String: Int], _ losses: LossCounts, atS now: Double
  ) {
    var rows = [["node", "up", "restarts", "last end", "peak", "lost"]]
    for node in supervisor.processes {
      rows.append([
        node.name, Figures.duration(seconds: node.uptimeS(atS: now)), "\(node.history.restarts)",
        node.history.lastEnd ?? "-", peakBytes[node.name].map(Figures.memory(bytes:)) ?? "-",
        losses.known(of: node.name).map { "\($0)" } ?? "-",
      ])
    }
    guard !isJSON else { return summaryAsJSON(rows) }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = zip(row, widths).map {
        $0 + String(repeating: " ", count: $1 - $0.count)
      }
      show(Quantity.trimmed(cells.joined(separator: "  ")))
    }
  }

  private func summaryAsJSON(_ rows: [[String]]) {
    for row in rows.dropFirst() {
      let pairs = zip(rows[0], row).map { "\(JSONText.quoted($0)): \(JSONText.quoted($1))" }
      show("{\"summary\": {\(pairs.joined(separator: ", "))}}")
    }
  }

  private func show(_ line: String) {
    write(line)
    try? file?.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Local time as in `20260801-120338`, for names of files.
  static func compactMoment() -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    var seconds = now.tv_sec
    localtime_r(&seconds, &parts)
    let day = [Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    let time = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
    return day.map(Figures.twoDigits).joined() + "-" + time.map(Figures.twoDigits).joined()
  }

  /// UTC, to the millisecond, as in `2026-08-01T12:03:41.207Z`.
  private static func moment() -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    var seconds = now.tv_sec
    gmtime_r(&seconds, &parts)
    let day = [Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
      .map(Figures.twoDigits).joined(separator: "-")
    let time = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
      .map(Figures.twoDigits).joined(separator: ":")
    return "\(day)T\(time).\("\(1_000 + now.tv_nsec / 1_000_000)".dropFirst())Z"
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
