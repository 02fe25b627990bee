import ArgumentParser
import Fuzzing

/// Spoils what strangers send to the router over HTTP, and what other engines answer.
@main struct FuzzHTTP: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz-http",
    abstract: "Gives spoilt requests, questions and engines' answers to the router."
  )

  @OptionGroup var options: FuzzOptions

  func run() throws {
    try options.run([HTTPHeadTarget.self, OSRMQuestionTarget.self, EngineAnswerTarget.self])
  }
}
