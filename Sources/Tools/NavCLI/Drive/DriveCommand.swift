import ArgumentParser
import Foundation
import Foundations
import Harness
import Replay
import Stage

/// `nav drive STACK`: runs the stages of a stack file in this process, with simulated time.
struct DriveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drive",
    abstract: "Run a stack's stages in one process, at full speed, and print what happens.")

  @Argument(help: "The stack file.")
  var file: String

  @Option(help: "NODE.PARAM=VALUE: replaces the value of the stack file.")
  var set: [String] = []

  @Option(help: "Leave out a node.")
  var without: [String] = []

  @Option(help: "Stop after this many seconds of stack time.")
  var limit = 14_400.0

  @Option(help: "Record every message into this file (MCAP).")
  var record: String?

  @Option(
    help: "Hand each stage over to a new one after this many events; the output must not change.")
  var handOverEvery: Int?

  @Option(help: "Write SHA-256 per topic to this file: topic sha256 count.")
  var digest: String?

  @Option(help: "Fail unless the drive equals that of this file: digests, or a recording (.mcap).")
  var expect: String?

  @Flag(help: "Print only how the drive ended.")
  var quiet = false

  func run() throws {
    let stack = try StackDrive(file: file, settings: set, without: without)
    let conductor = Conductor(vehicles: stack.vehicles)
    // As with processes in lock-step, so that the bytes are the same.
    conductor.publishesStates = true
    conductor.mirrorsCalls = true
    for node in try stack.nodes(handsOverEvery: handOverEvery.map { max(1, $0) }) {
      conductor.add(node)
    }
    let recorder = try record.map { try DriveRecorder(path: $0) }
    let run = try RunRecord(expect: expect)
    let isQuiet = quiet
    conductor.tap = { message in
      recorder?.write(message, at: conductor.now)
      run.add(message)
      if !isQuiet, let line = DriveLine.text(message) { print(line) }
    }
    conductor.log = { line in
      guard line.level == .warning || line.level == .error else { return }
      FileHandle.standardError.write(Data("\(line.node): \(line.text)\n".utf8))
    }
    let problem = stack.drive(limitS: limit).run(conductor)
    try recorder?.close()
    if let digest { try run.write(to: digest) }
    if let problem { throw Problem(problem) }
    let differences = try run.differences()
    guard differences.isEmpty else { throw Problem(differences.joined(separator: "\n")) }
  }
}
