import ArgumentParser
import Foundation
import NodeKit
import Stage

/// Drives a stack's processes in lock-step; navlaunch starts it if `lockstep: yes` is set.
@main
struct NavConductor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nav-conductor",
    abstract: "Run the processes of a stack in lock-step: the same messages in each run.",
    discussion: """
      The nodes run with NAV_LOCKSTEP=1 and answer batches of events; their output is published under their \
      names. Exit codes: 0 the drive ended as planned, 1 it did not, or differs from the expected one, \
      64 wrong usage, 69 no bus, 78 an invalid plan.
      """,
    version: "nav-conductor \(NodeVersion.line)")

  /// The parameters that navlaunch writes.
  private static let parameters = [
    ParameterDeclaration(
      "plan", .string, required: true, "Nodes, calls and end of the drive, as JSON.")
  ]

  func run() throws {
    do {
      try ConductedStack(try Self.plan()).run()
    } catch let failure as ConductFailure {
      FileHandle.standardError.write(Data("error: \(failure.message)\n".utf8))
      throw ExitCode(failure.code.rawValue)
    }
  }

  private static func plan() throws(ConductFailure) -> LockStepPlan {
    let text: String
    do {
      text =
        try NodeEnvironment(program: "nav-conductor").parameters(declared: parameters)
        .string("plan") ?? ""
    } catch {
      throw ConductFailure(error.message, .configuration)
    }
    do {
      return try JSONDecoder().decode(LockStepPlan.self, from: Data(text.utf8))
    } catch {
      throw ConductFailure("parameter plan: not a valid plan: \(error)", .configuration)
    }
  }
}

/// The reason why the run did not end as intended, and the exit code of the process.
struct ConductFailure: Error {
  var message: String
  var code: NodeExit

  init(_ message: String, _ code: NodeExit) {
    self.message = message
    self.code = code
  }
}
