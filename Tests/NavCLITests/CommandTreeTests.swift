import ArgumentParser
import Testing

@testable import NavCLI

@Suite struct CommandTreeTests {
  /// Every command of the tree, with the words that name it.
  private static let commands = found(Nav.self, ["nav"])

  private static func found(
    _ command: any ParsableCommand.Type, _ words: [String]
  ) -> [(words: [String], type: any ParsableCommand.Type)] {
    [(words, command)]
      + command.configuration.subcommands.flatMap { found($0, words + [$0._commandName]) }
  }

  @Test func `each command describes itself`() {
    #expect(Self.commands.count > 40)
    for (words, type) in Self.commands {
      let name = words.joined(separator: " ")
      #expect(!type.configuration.abstract.isEmpty, "\(name)")
      let help = Nav.helpMessage(for: type, columns: 100)
      #expect(help.contains("USAGE: \(name)"), "\(help.prefix(200))")
    }
  }

  @Test func `names are unique below each command`() {
    for (words, type) in Self.commands {
      let names = type.configuration.subcommands.map { $0._commandName }
      #expect(Set(names).count == names.count, "\(words)")
    }
  }

  @Test(arguments: [
    ["route", "--from", "51.5,-0.1"], ["match"], ["nowhere"], ["topic", "rate", "--speed", "x"],
    ["swap"], ["play"],
  ])
  func `arguments that are missing or unknown are refused before anything runs`(
    arguments: [String]
  ) {
    #expect(throws: (any Error).self) { try Nav.parseAsRoot(arguments) }
  }
}
