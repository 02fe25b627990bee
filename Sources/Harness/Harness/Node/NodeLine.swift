public import ArgumentParser
public import Stage

/// The command line of a node: the options that every node has, and `More` for its own program.
public struct NodeLine<S: Stage, More: ParsableArguments>: ParsableCommand {
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: S.manifest.name, abstract: S.manifest.about, discussion: discussion)
  }

  @OptionGroup public var more: More

  @Flag(
    help: "Print the manifest as JSON: what the node reads, publishes, answers, and its parameters."
  )
  public var describe = false

  @Flag(help: "List the node's parameters with defaults and units.")
  public var printParams = false

  @Option(
    help: ArgumentHelp(
      "A JSON file with parameters; NAV_PARAMS where it is not given.", valueName: "file"))
  public var params: String?

  @Option(
    help: ArgumentHelp(
      "Name of the node in the stack; NAV_NODE where it is not given.", valueName: "name"))
  public var name: String?

  @Flag(help: "Print name and version.")
  public var version = false

  public init() {}

  private static var discussion: String {
    let manifest = S.manifest
    let lists = [
      ("Reads", manifest.inputs), ("Publishes", manifest.outputs), ("Answers", manifest.serves),
      ("Calls", manifest.calls),
    ]
    let lines = lists.compactMap { verb, names in
      names.isEmpty ? nil : "\(verb): \(names.joined(separator: ", "))."
    }
    return """
      \(lines.joined(separator: "\n"))

      navlaunch starts it as a node of a stack. By hand, NAV_BUS is the address of the bus, which navlaunch prints:
      NAV_BUS=ipc:///run/user/1000/navstack/demo \(manifest.name) --name mine --params mine.json
      """
  }
}

/// For programs without their own options.
public struct NoMoreOptions: ParsableArguments {
  public init() {}
}
