import ArgumentParser
import Foundation

@main
struct NavSchema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nav-schema",
    abstract: "Turns the contract in Protocols/ into structs, schemas, pages and example bytes.",
    subcommands: [Build.self, Check.self, Lint.self, Diff.self])
}

/// The option for the path of the repository.
struct RootOption: ParsableArguments {
  @Option(help: "The repository's root, which holds Protocols/.")
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
  static let configuration = CommandConfiguration(abstract: "Writes all generated files.")
  @OptionGroup var root: RootOption

  func run() throws {
    let files = try GeneratedFiles(contract: try root.contract(), root: root.url)
    let changed = try files.write()
    print("\(files.texts.count) files, \(changed) changed")
  }
}

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Names each generated file that is stale; exit 1 if there is one.")
  @OptionGroup var root: RootOption

  func run() throws {
    let stale = try GeneratedFiles(contract: try root.contract(), root: root.url).stale()
    for name in stale { print("\(name): stale, run `nav-schema build`") }
    if !stale.isEmpty { throw ExitCode(1) }
  }
}

struct Lint: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks the files of Protocols/: names, units, examples.")
  @OptionGroup var root: RootOption

  func run() throws {
    let contract = try root.contract()
    print(
      "\(contract.topics.count) topics, \(contract.calls.count) calls, "
        + "\(contract.types.count + contract.words.count) types: no complaint")
  }
}

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Names each change that breaks readers of an older Protocols/; exit 1 if any.")
  @OptionGroup var root: RootOption

  @Option(help: "The older Protocols/ folder.")
  var against: String

  func run() throws {
    let older = try ContractReader(root: URL(fileURLWithPath: against))
    try root.report(older.problems)
    let breaks = ContractDiff(old: older.contract, new: try root.contract()).problems()
    try root.report(breaks)
    print("no change that breaks a reader")
  }
}
