import ArgumentParser
import Bus
import Foundation
import LaunchKit
import Messages

/// `nav swap STAGE --run PROGRAM`: replaces a running program by another one.
struct SwapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swap",
    abstract: "Replace the program of a stage while the stack runs; nothing is lost.",
    discussion: """
      The new program is started beside the old one, is checked, takes the old one's state over, \
      and goes on where that stopped. Where anything goes wrong the old one goes on.

      Exit codes: 0 swapped, 1 not swapped, and the old one goes on, 2 nobody to ask.
      """)

  @Argument(help: "The stage: a node of the stack, or one replica of it.")
  var stage: String

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp("The new program, with fixed words.", valueName: "program"))
  var program: String

  @Option(
    name: .customLong("arg"), parsing: .unconditionalSingleValue,
    help: "An argument for it; those of the node where none is given.")
  var arguments: [String] = []

  @Option(
    name: [.customLong("set"), .customLong("param")],
    help: ArgumentHelp("Another parameter.", valueName: "param=value"))
  var settings: [String] = []

  @Option(
    help: ArgumentHelp("Let both do the same so long before, and compare.", valueName: "time"))
  var shadow = "0s"

  @Flag(help: "Check and start the new one, then end it again.")
  var dryRun = false

  @OptionGroup var stack: StackOptions

  func run() throws {
    guard let shadowS = Quantity.durationS(shadow) else {
      throw ValidationError("--shadow: \"\(shadow)\" is no time; write 60s or 5min.")
    }
    guard shadowS == 0 || !dryRun else {
      throw ValidationError("--shadow and --dry-run: a dry run ends before a shadow would begin.")
    }
    let client = try StackCall.connect(stack)
    defer { client.close() }
    let reply = try StackCall.make(
      StackSwapRequest(
        node: stage, run: Self.absolute(program), args: arguments, params: try parameters(),
        shadowS: shadowS, dryRun: dryRun),
      client, timeoutS: shadowS + Self.patienceS, as: StackSwapReply.self)
    let lost = reply.handovers.map { handover in
      handover.pid.flatMap { LostMessages.count(of: handover.process, pid: $0, client) }
    }
    for line in try stack.json ? [json(reply, lost)] : text(reply, lost) { print(line) }
  }

  private func parameters() throws -> [String: String] {
    var parameters: [String: String] = [:]
    for setting in settings {
      guard let equals = setting.firstIndex(of: "=") else {
        throw ValidationError("--set \(setting): expected param=value.")
      }
      parameters[String(setting[..<equals])] = String(setting[setting.index(after: equals)...])
    }
    return parameters
  }

  /// A fleet is handed over in hundreds of parts, which takes minutes on a busy machine.
  static let patienceS = 900.0

  /// A path is relative to the folder of the command, not to that of the stack.
  static func absolute(_ line: String) -> String {
    guard let word = line.split(separator: " ").first, word.contains("/"), !word.hasPrefix("/")
    else { return line }
    return FileManager.default.currentDirectoryPath + "/" + line
  }

  private func text(_ reply: StackSwapReply, _ lost: [UInt64?]) -> [String] {
    let prepared = Figures.duration(seconds: reply.prepareS)
    guard !dryRun else {
      return ["\(stage) could be \(reply.program): it fits, and is ready in \(prepared)"]
    }
    var lines = ["\(stage) is now \(reply.program), ready in \(prepared)"] + reply.notes
    for (handover, lost) in zip(reply.handovers, lost) {
      lines.append(
        "\(handover.process)  pid \(handover.pid ?? 0)  input held "
          + "\(StackCall.milliseconds(handover.heldMs)), \(handover.stateBytes) bytes of state, "
          + "\(handover.callsHeld) calls waited, lost \(lost.map { "\($0)" } ?? "not told")")
    }
    return lines
  }

  private func json(_ reply: StackSwapReply, _ lost: [UInt64?]) throws -> String {
    struct Handover: Encodable {
      var process: String
      var pid: Int64?
      var heldMs: Double
      var stateBytes: UInt64
      var callsHeld: UInt64
      var lost: UInt64?
    }
    struct Answer: Encodable {
      var stage: String
      var program: String
      var prepareS: Double
      var dryRun: Bool
      var notes: [String]
      var handovers: [Handover]
    }
    return try Lines.json(
      Answer(
        stage: stage, program: reply.program, prepareS: reply.prepareS, dryRun: dryRun,
        notes: reply.notes,
        handovers: zip(reply.handovers, lost).map {
          Handover(
            process: $0.process, pid: $0.pid, heldMs: $0.heldMs, stateBytes: $0.stateBytes,
            callsHeld: $0.callsHeld, lost: $1)
        }))
  }
}
