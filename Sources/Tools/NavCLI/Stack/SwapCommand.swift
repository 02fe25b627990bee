import ArgumentParser
import BusClient
import Foundation
import Messages
import StackFile

/// `nav swap STAGE --run PROGRAM`: replaces a running program by another one.
struct SwapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swap",
    abstract: "Replace the program of a stage while the stack runs; no message is lost.",
    discussion: """
      The new program is started in parallel with the old one, is checked, takes over its state, \
      and continues where it stopped. If anything fails, the old program continues.

      Exit codes: 0 swapped, 1 not swapped, the old program continues, 2 the launcher cannot be reached.
      """)

  @Argument(help: "The stage: a node of the stack, or one replica of it.")
  var stage: String

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp("The new program, with fixed arguments.", valueName: "program"))
  var program: String

  @Option(
    name: .customLong("arg"), parsing: .unconditionalSingleValue,
    help: "An argument for it; default: the arguments of the node.")
  var arguments: [String] = []

  @Option(
    name: [.customLong("set"), .customLong("param")],
    help: ArgumentHelp("Set a parameter.", valueName: "param=value"))
  var settings: [String] = []

  @Option(
    help: ArgumentHelp(
      "Run both programs in parallel for this time first, and compare their output.",
      valueName: "time"))
  var shadow = "0s"

  @Flag(help: "Check and start the new program, then stop it again.")
  var dryRun = false

  @OptionGroup var stack: StackOptions

  func run() throws {
    guard let shadowS = Quantity.durationS(shadow) else {
      throw ValidationError("--shadow: \"\(shadow)\" is not a time; write 60s or 5min.")
    }
    guard shadowS == 0 || !dryRun else {
      throw ValidationError("--shadow and --dry-run: a dry run ends before a shadow would start.")
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
      return [
        "\(stage) can be replaced with \(reply.program): it is compatible, and ready in \(prepared)"
      ]
    }
    var lines = ["\(stage) is now \(reply.program), ready in \(prepared)"] + reply.notes
    for (handover, lost) in zip(reply.handovers, lost) {
      lines.append(
        "\(handover.process)  pid \(handover.pid ?? 0)  input held "
          + "\(StackCall.milliseconds(handover.heldMs)), \(handover.stateBytes) bytes of state, "
          + "\(handover.callsHeld) calls waited, lost \(lost.map { "\($0)" } ?? "unknown")")
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
