import ArgumentParser
import Documents
import Foundation
import Messages
import StackFile

/// `nav rec start`: orders the broker to record.
struct RecStartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Have the broker of a running stack record into a file.")

  @Argument(help: "The file; a number is added if it already exists.")
  var file: String

  @Option(
    parsing: .upToNextOption,
    help: "Topics to record, such as '*' '!location/raw'; the last matching pattern decides.")
  var topics: [String] = []

  @Option(help: "Start a new file after this time, such as 10min.")
  var every: String?

  @Option(help: "Start a new file after this size, such as 1GiB.")
  var size: String?

  @Option(help: "Delete the oldest files of this recording beyond this total size, such as 50GiB.")
  var keep: String?

  @Option(help: "Attach a text file, such as stack.yaml.")
  var attach: [String] = []

  @Option(help: "NAME=TEXT to store in the file.")
  var note: [String] = []

  @OptionGroup var stack: StackOptions

  func run() throws {
    var files: [String: String] = [:]
    for path in attach {
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw Problem("\(path): cannot be read as text")
      }
      files[URL(filePath: path).lastPathComponent] = text
    }
    var notes: [String: String] = [:]
    for one in note {
      let parts = one.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw Problem("--note \(one): expected NAME=TEXT") }
      notes[parts[0]] = parts[1]
    }
    let request = RecordStartRequest(
      path: URL(filePath: file).standardizedFileURL.path, topics: topics,
      splitS: try every.map { try Self.quantity($0, "--every", Quantity.durationS) },
      splitBytes: try size.map { UInt64(try Self.quantity($0, "--size", Quantity.bytes)) },
      keepBytes: try keep.map { UInt64(try Self.quantity($0, "--keep", Quantity.bytes)) },
      files: files, notes: notes)
    let reply: RecordStartReply = try stack.ask(request)
    print(stack.json ? "{\"path\":\(JSONString.quoted(reply.path))}" : "recording to \(reply.path)")
  }

  private static func quantity<Value>(
    _ text: String, _ option: String, _ read: (String) -> Value?
  ) throws -> Value {
    guard let value = read(text) else { throw Problem("\(option) \(text): not a valid quantity") }
    return value
  }
}

/// `nav rec stop`: ends the recording and waits until its file is closed.
struct RecStopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "End the recording; exit code 1 if messages were lost.")

  @OptionGroup var stack: StackOptions

  func run() throws {
    let reply: RecordStopReply = try stack.ask(RecordStopRequest())
    if stack.json {
      print(try MessagePackLine.text(reply.encoded()))
    } else {
      for file in reply.files { print(file) }
      print(
        "\(reply.messages) messages, \(ByteCount.text(Int(reply.bytes))), lost \(reply.lost)"
      )
    }
    if reply.lost > 0 { throw ExitCode.failure }
  }
}

/// `nav rec status`: shows what the broker records.
struct RecStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract:
      "Print whether and what the broker records; exit code 1 if the last recording ended with an error."
  )

  @OptionGroup var stack: StackOptions

  func run() throws {
    let reply: RecordStatusReply = try stack.ask(RecordStatusRequest())
    if stack.json {
      print(try MessagePackLine.text(reply.encoded()))
    } else {
      write(reply)
    }
    if reply.error != nil { throw ExitCode.failure }
  }

  private func write(_ reply: RecordStatusReply) {
    if let path = reply.path, reply.recording {
      print("recording to \(path)")
    } else {
      print("not recording")
    }
    if let error = reply.error { print("the last one ended: \(error)") }
    print(
      "\(reply.messages) messages, \(ByteCount.text(Int(reply.bytes))), "
        + "\(ByteCount.text(Int(reply.queued))) waiting")
    for (topic, count) in reply.lost.sorted(by: { $0.key < $1.key }) {
      print(Lines.columns([topic, "\(count) lost"]))
    }
  }
}
