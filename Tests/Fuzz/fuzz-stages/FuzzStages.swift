import ArgumentParser
import Fuzzing

/// Spoils what stages are asked and told, what they saved, and the files of stacks.
@main struct FuzzStages: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz-stages",
    abstract: "Gives spoilt calls, messages and states to real stages, and spoilt stack files.")

  @OptionGroup var options: FuzzOptions

  func run() throws {
    try options.run([CallTarget.self, EventTarget.self, StackFileTarget.self])
  }
}
