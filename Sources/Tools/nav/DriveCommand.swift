import ArgumentParser
import EventTime
import Foundation
import Harness
import LaunchKit
import MessagePack
import Messages
import NodeKit
import Stage

/// `nav drive STACK`: runs the stages of a stack file in this one process, with drawn time.
struct DriveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drive",
    abstract: "Run a stack's stages in one process, at full speed, and print what happens.")

  @Argument(help: "The stack file.")
  var file: String

  @Option(help: "NODE.PARAM=VALUE, in place of what the file says.")
  var set: [String] = []

  @Option(help: "Leave out a node.")
  var without: [String] = []

  @Option(help: "Stop after so many seconds of stack time.")
  var limit = 14_400.0

  @Option(help: "Record every message into this file (MCAP).")
  var record: String?

  @Option(help: "Hand each stage over to a fresh one after so many events; nothing may change.")
  var handOverEvery: Int?

  @Flag(help: "Print nothing but the end.")
  var quiet = false

  func run() throws {
    let stack = try check()
    let vehicles = stack.file.vehicles
    let harness = MemoryHarness(vehicles: vehicles.isEmpty ? ["ego"] : vehicles)
    harness.handsOverEvery = handOverEvery.map { max(1, $0) }
    for name in stack.order.names {
      guard let node = stack.nodes.first(where: { $0.name.value == name }) else { continue }
      let entry = try Self.entry(of: node)
      try entry.add(harness, name, stack.parameters[name] ?? [:])
    }
    let recorder = try record.map { try DriveRecorder(path: $0) }
    let isQuiet = quiet
    harness.tap = { message in
      recorder?.write(message)
      if !isQuiet, let line = DriveLine.text(message) { print(line) }
    }
    harness.log = { line in
      guard line.level == .warning || line.level == .error else { return }
      FileHandle.standardError.write(Data("\(line.node): \(line.text)\n".utf8))
    }
    let failed = StartFailures()
    for call in stack.file.start {
      harness.call(call.name.value, payload: call.request.messagePack.encoded()) { outcome in
        if case .failed(let error) = outcome { failed.add(call.name.value, error) }
      }
    }
    try finish(harness, stack.file.until, failed, recorder)
  }

  private func finish(
    _ harness: MemoryHarness, _ until: Expectation?, _ failed: StartFailures,
    _ recorder: DriveRecorder?
  ) throws {
    var seen = until == nil
    let firstStamp = Stamp()
    let end = harness.run(until: nil) { message in
      if message.topic == LocationRaw.topic { firstStamp.note(message.stamp) }
      if let until, until.takes(message) {
        seen = true
        return true
      }
      return !failed.texts.isEmpty || firstStamp.seconds(to: message.stamp) > limit
    }
    try recorder?.close()
    for text in failed.texts { FileHandle.standardError.write(Data("nav: \(text)\n".utf8)) }
    guard failed.texts.isEmpty, seen else {
      let what = until.map { "\($0.topic.value) did not come" } ?? "a call at the start failed"
      throw Problem("\(what) (the run ended: \(end))")
    }
  }

  // MARK: The stack

  private func check() throws -> CheckedStack {
    let text: String
    do {
      text = try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      throw Problem("\(file): cannot be read")
    }
    let (parsed, parseProblems) = StackFile.parse(text)
    var problems = parseProblems
    guard var stack = parsed, !problems.hasErrors else { throw Self.report(problems, file) }
    let overrides = StackOverrides(settings: set, without: without)
    problems += overrides.apply(to: &stack)
    var manifests: [String: Manifest] = [:]
    for node in stack.nodes { manifests[node.name.value] = try Self.entry(of: node).manifest }
    let folder = URL(filePath: file).deletingLastPathComponent().path
    let (checked, found) = StackCheck.check(
      stack, manifests: manifests, leftOut: overrides.leftOut(of: stack), folder: folder,
      environment: ProcessInfo.processInfo.environment)
    problems += found
    guard !problems.hasErrors else { throw Self.report(problems, file) }
    return checked
  }

  private static func report(_ problems: [StackProblem], _ file: String) -> Problem {
    Problem(problems.inOrder.map { $0.text(file: file) }.joined(separator: "\n"))
  }

  private static func entry(of node: NodeSettings) throws -> StageCatalogue.Entry {
    let program = node.run.value.first.map { URL(filePath: $0).lastPathComponent } ?? ""
    guard let entry = StageCatalogue.entry(of: program) else {
      throw Problem(
        "nodes.\(node.name.value).run: \"\(program)\" is a program of its own and cannot run in "
          + "this process; leave it out with --without \(node.name.value)")
    }
    return entry
  }
}

/// The first of some stamps.
private final class Stamp {
  private var first: Instant?

  func note(_ stamp: Instant) { if first == nil { first = stamp } }

  func seconds(to stamp: Instant) -> Double { first.map { stamp.seconds(since: $0) } ?? 0 }
}

/// The calls at the start that failed.
private final class StartFailures {
  private(set) var texts: [String] = []

  func add(_ call: String, _ error: CallError) {
    texts.append("\(call): \(error.code): \(error.message)")
  }
}

extension Expectation {
  /// Whether a message is one of the topic with the fields that are asked for.
  func takes(_ message: PublishedMessage) -> Bool {
    guard message.topic == topic.value,
      let payload = try? MessagePackValue(decoding: message.payload)
    else { return false }
    return fields.allSatisfy { entry in
      guard let found = payload[entry.key.value] else { return false }
      return found == entry.value.messagePack
    }
  }
}
