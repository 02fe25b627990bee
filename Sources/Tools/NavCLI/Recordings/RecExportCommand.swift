import ArgumentParser
import Bag
import BusProtocol
import Foundation
import Foxglove
import MessagePack

/// `nav rec export`: converts a recording for other tools.
struct RecExportCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json
    case csv
    case foxglove
  }

  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a recording for other tools: as JSON, CSV, or for Foxglove.",
    discussion: """
      json: one object per message and line. csv: one topic, a row for each message, a column for each field \
      (route.length_m). foxglove: an MCAP file with Foxglove's messages in JSON, for its maps, logs and plots.
      """)

  @Argument(help: "The file.")
  var file: String

  @Option(parsing: .upToNextOption, help: "Topics to export, as in nav rec start.")
  var topics: [String] = []

  @Option(help: "json, csv or foxglove.")
  var format = Format.json

  @Option(
    name: .shortAndLong, help: "The new file; default for json and csv: standard output.")
  var output: String?

  @Flag(help: "Same as --format json.")
  var jsonl = false

  func run() throws {
    guard !jsonl || format == .json else {
      throw ValidationError("--jsonl means --format json; give only one format.")
    }
    let recording = try Recording(path: file)
    let choice = RecordingChoice(topics: topics)
    try choice.check([recording])
    switch format {
    case .json:
      let lines = try LineFile(output)
      let cursor = try choice.frames(recording)
      while let one = try cursor.next() { try lines.write(RecordedLine.json(one)) }
      try lines.close()
    case .csv: try writeCSV(recording, choice)
    case .foxglove: try writeFoxglove(recording, choice)
    }
  }

  private func writeFoxglove(_ recording: Recording, _ choice: RecordingChoice) throws {
    guard let output else {
      throw ValidationError("--format foxglove writes a file: name it with --output NAME.mcap.")
    }
    guard !FileManager.default.fileExists(atPath: output) else {
      throw Problem("\(output) already exists")
    }
    let outcome = try FoxgloveExport.write(try choice.frames(recording), to: output)
    print("\(output): \(outcome.messages) messages")
    for (topic, count) in outcome.leftOut.sorted(by: { $0.key < $1.key }) {
      print("\(topic): \(count) messages cannot be represented in this format and are left out")
    }
    guard outcome.messages > 0 else { throw Problem("\(file) contains no message of these topics") }
  }

  /// Reads the recording twice: for the columns, then for the rows.
  private func writeCSV(_ recording: Recording, _ choice: RecordingChoice) throws {
    var leaves: Set<String> = []
    var columns = FlatColumns()
    var cursor = try choice.frames(recording)
    while let one = try cursor.next() {
      leaves.insert(TopicName.split(one.frame.topic).leaf)
      guard leaves.count == 1 else { break }
      columns.add(RecordedLine.payload(one.frame))
    }
    guard let leaf = leaves.first else {
      throw Problem("\(file) contains no message of these topics")
    }
    guard leaves.count == 1 else {
      throw Problem(
        "--format csv writes one topic: select it with --topics, for example --topics \(leaf)")
    }
    let lines = try LineFile(output)
    try lines.write(
      FlatColumns.row(["log_time_ns", "topic", "stamp_ns", "seq", "key"] + columns.names))
    cursor = try choice.frames(recording)
    while let one = try cursor.next() {
      let header = one.frame.header
      let cells = [
        "\(one.logTimeNS)", one.frame.topic, "\(header.stampNS)", "\(header.sequence)",
        header.key ?? "",
      ]
      try lines.write(FlatColumns.row(cells + columns.cells(RecordedLine.payload(one.frame))))
    }
    try lines.close()
  }
}

/// The fields of payloads as columns: nested fields have dots in their names, lists are JSON.
struct FlatColumns {
  private(set) var names: [String] = []
  private var indexByName: [String: Int] = [:]

  /// Adds a column for each new field.
  mutating func add(_ payload: MessagePackValue) {
    Self.walk(payload, "") { name, _ in
      guard indexByName[name] == nil else { return }
      indexByName[name] = names.count
      names.append(name)
    }
  }

  /// The cells of a payload; empty for fields that it lacks.
  func cells(_ payload: MessagePackValue) -> [String] {
    var cells = [String](repeating: "", count: names.count)
    Self.walk(payload, "") { name, value in
      guard let index = indexByName[name] else { return }
      cells[index] =
        switch value {
        case .null: ""
        case .string(let text): text
        default: value.json()
        }
    }
    return cells
  }

  /// A row in the format of RFC 4180, without its line end.
  static func row(_ cells: [String]) -> String {
    cells.map { cell in
      guard cell.contains(where: { ",\"\n\r".contains($0) || $0 == "\r\n" }) else { return cell }
      return "\"" + cell.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }.joined(separator: ",")
  }

  private static func walk(
    _ value: MessagePackValue, _ path: String, _ visit: (String, MessagePackValue) -> Void
  ) {
    // A deleted state has no fields.
    if path.isEmpty, case .null = value { return }
    guard case .map(let entries) = value, !entries.isEmpty || path.isEmpty else {
      return visit(path.isEmpty ? "payload" : path, value)
    }
    for entry in entries {
      walk(entry.value, path.isEmpty ? entry.key : "\(path).\(entry.key)", visit)
    }
  }
}

/// Writes lines to the standard output or to a new file.
final class LineFile {
  private let file: FileHandle
  private let path: String?
  private var buffer = Data()

  /// - Throws: `Problem` for a file that already exists or cannot be created.
  init(_ path: String?) throws {
    self.path = path
    guard let path else {
      file = .standardOutput
      return
    }
    guard !FileManager.default.fileExists(atPath: path) else {
      throw Problem("\(path) already exists")
    }
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let made = FileHandle(forWritingAtPath: path)
    else { throw Problem("\(path) cannot be written") }
    file = made
  }

  func write(_ line: String) throws {
    buffer.append(contentsOf: line.utf8)
    buffer.append(0x0a)
    if buffer.count >= 1 << 16 { try flush() }
  }

  func close() throws {
    try flush()
    if path != nil { try file.close() }
  }

  private func flush() throws {
    do {
      try file.write(contentsOf: buffer)
    } catch {
      throw Problem("\(path ?? "the output") cannot be written: \(error.localizedDescription)")
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
