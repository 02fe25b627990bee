import ArgumentParser
import Foundation

@main
struct NavSchema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nav-schema",
    abstract: "Generate structs, schemas, pages and example bytes from the contract in Protocols/.",
    subcommands: [Build.self, Check.self, Lint.self, Diff.self])
}

/// The option for the path of the repository.
struct RootOption: ParsableArguments {
  @Option(help: "The root of the repository, which contains Protocols/.")
  var root = "."

  var url: URL { URL(fileURLWithPath: root) }

  /// The contract; all errors are printed first.
  func contract() throws -> Contract {
    let reader = try ContractReader(root: url.appendingPathComponent("Protocols"))
    let problems = reader.problems + Linter(contract: reader.contract).problems()
    try report(problems)
    return reader.contract
  }

  func report(_ problems: [Problem]) throws {
    guard !problems.isEmpty else { return }
    for problem in Set(problems).sorted() { print(problem.line) }
    throw ExitCode(1)
  }
}

struct Build: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Write all generated files.")
  @OptionGroup var root: RootOption

  func run() throws {
    let files = try GeneratedFiles(contract: try root.contract(), root: root.url)
    let changed = try files.write()
    print("\(files.texts.count) files, \(changed) changed")
  }
}

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List stale generated files; exit code 1 if there are any.")
  @OptionGroup var root: RootOption

  func run() throws {
    let stale = try GeneratedFiles(contract: try root.contract(), root: root.url).stale()
    for name in stale { print("\(name): stale, run `nav-schema build`") }
    if !stale.isEmpty { throw ExitCode(1) }
  }
}

struct Lint: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the files of Protocols/: names, units, examples.")
  @OptionGroup var root: RootOption

  func run() throws {
    let contract = try root.contract()
    print(
      "\(contract.topics.count) topics, \(contract.calls.count) calls, "
        + "\(contract.types.count + contract.words.count) types, "
        + "\(contract.operations.count) operations: no problems")
  }
}

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "List changes that break readers of an older Protocols/; exit code 1 if there are any.")
  @OptionGroup var root: RootOption

  @Option(help: "The older Protocols/ folder.")
  var against: String

  func run() throws {
    let older = try ContractReader(root: URL(fileURLWithPath: against))
    try root.report(older.problems)
    let breaks = ContractDiff(old: older.contract, new: try root.contract()).problems()
    try root.report(breaks)
    print("no breaking change")
  }
}
