public import ArgumentParser
public import Stage

/// The command line of a node: the options that every node has, and `More` for its own program.
public struct NodeCommandLine<S: Stage, More: ParsableArguments>: ParsableCommand {
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: S.manifest.name, abstract: S.manifest.about, discussion: discussion)
  }

  @OptionGroup public var more: More

  @Flag(
    help: "Print the manifest as JSON: inputs, outputs, calls and parameters of the node."
  )
  public var describe = false

  @Flag(help: "List the node's parameters with defaults and units.")
  public var printParams = false

  @Option(
    help: ArgumentHelp(
      "A JSON file with parameters; default: NAV_PARAMS.", valueName: "file"))
  public var params: String?

  @Option(
    help: ArgumentHelp(
      "Name of the node in the stack; default: NAV_NODE.", valueName: "name"))
  public var name: String?

  @Flag(help: "Print name and version.")
  public var version = false

  public init() {}

  private static var discussion: String {
    let manifest = S.manifest
    let lists = [
      ("Reads", manifest.inputs), ("Publishes", manifest.outputs), ("Answers", manifest.serves),
      ("Calls", manifest.calls + (manifest.optionalCalls ?? [])),
    ]
    let lines = lists.compactMap { verb, names in
      names.isEmpty ? nil : "\(verb): \(names.joined(separator: ", "))."
    }
    return """
      \(lines.joined(separator: "\n"))

      navlaunch starts it as a node of a stack. To start it manually, set NAV_BUS to the address of the bus, which navlaunch prints:
      NAV_BUS=ipc:///run/user/1000/navstack/demo \(manifest.name) --name mine --params mine.json
      """
  }
}

/// For programs without their own options.
public struct NoMoreOptions: ParsableArguments {
  public init() {}
}
