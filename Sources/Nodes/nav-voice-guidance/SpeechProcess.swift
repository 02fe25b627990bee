import Foundation
import Synchronization

/// One run of a speech program; one thread waits for it, another may cut it off.
final class SpeechProcess: Sendable {
  struct Ending: Hashable, Sendable {
    var exitCode: Int32
    var wasCut: Bool
    /// Seconds of the machine's clock from the start to the end.
    var tookS: Double
    /// Last line that it wrote to its standard error; empty if it wrote nothing.
    var complaint: String
  }

  private struct State {
    var processID: Int32?
    var wasCut = false
  }

  private let state = Mutex(State())

  /// Runs the program at `path` to its end.
  ///
  /// - Throws: the error of Foundation if it cannot be started.
  func run(
    _ path: String, _ arguments: [String], environment: [String: String], input: String
  ) throws -> Ending {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (stdin, stderr) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = FileHandle.nullDevice
    process.standardError = stderr
    let start = ContinuousClock.now
    try process.run()
    state.withLock { state in
      state.processID = process.processIdentifier
      if state.wasCut { Self.end(process.processIdentifier) }
    }
    // A program that does not read its input closes it: the write then fails, which does not
    // matter.
    try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? stdin.fileHandleForWriting.close()
    let problems = (try? stderr.fileHandleForReading.readToEnd()) ?? nil
    process.waitUntilExit()
    let took = start.duration(to: .now)
    let wasCut = state.withLock { state in
      state.processID = nil
      return state.wasCut
    }
    let lines = String(decoding: problems ?? Data(), as: UTF8.self).split(separator: "\n")
    return Ending(
      exitCode: process.terminationStatus, wasCut: wasCut,
      tookS: Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18,
      complaint: lines.last.map(String.init) ?? "")
  }

  /// Ends the program immediately; its run ends as cut.
  func cut() {
    state.withLock { state in
      state.wasCut = true
      if let processID = state.processID { Self.end(processID) }
    }
  }

  /// Ends a program and the processes that it started: Foundation makes each the head of a process
  /// group.
  private static func end(_ processID: Int32) {
    if kill(-processID, SIGTERM) != 0 { kill(processID, SIGTERM) }
  }
}
