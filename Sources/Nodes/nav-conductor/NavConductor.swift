import ArgumentParser
import Foundation
import NodeKit

/// Leads a stack's processes in lock-step; navlaunch starts it where `lockstep: yes` is set.
@main
struct NavConductor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nav-conductor",
    abstract: "Leads the processes of a stack in lock-step: the same messages at each run.",
    discussion: """
      The nodes run with NAV_LOCKSTEP=1, and answer batches of events; what they say is published under their \
      names. Exit codes: 0 the drive ended as it should, 1 it did not, or was not the expected one, \
      64 wrong usage, 69 no bus, 78 a plan that is none.
      """,
    version: "nav-conductor \(NodeVersion.line)")

  @Argument(help: "The plan: a JSON file that navlaunch writes.")
  var plan: String

  func run() throws {
    do {
      guard let data = FileManager.default.contents(atPath: plan) else {
        throw ConductFailure("\(plan): cannot be read", .configuration)
      }
      let read: LockStepPlan
      do {
        read = try JSONDecoder().decode(LockStepPlan.self, from: data)
      } catch {
        throw ConductFailure("\(plan): no plan: \(error)", .configuration)
      }
      try ConductedStack(read).run()
    } catch let failure as ConductFailure {
      FileHandle.standardError.write(Data("error: \(failure.message)\n".utf8))
      throw ExitCode(failure.code.rawValue)
    }
  }
}

/// Why the run did not end as it should, and what the process exits with.
struct ConductFailure: Error {
  var message: String
  var code: NodeExit

  init(_ message: String, _ code: NodeExit) {
    self.message = message
    self.code = code
  }
}
