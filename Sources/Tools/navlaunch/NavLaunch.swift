import ArgumentParser
import CLinux
import Foundation
import Launcher
import NodeKit
import StackFile
import Supervision
import ZMQ

@main
struct NavLaunch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "navlaunch",
    abstract: "Start a stack: its bus and its nodes, in order, and supervise them.",
    discussion: """
      The whole file is checked before anything starts. Ctrl-C stops the stack in reverse order; \
      a second Ctrl-C kills it.

      Exit codes: 0 stopped cleanly, 1 a required node or a check failed, 2 the file is \
      invalid, 70 a node crashed repeatedly, 137 a node had to be killed when it was stopped.
      """,
    version: NodeVersion.line)

  @Argument(help: "The stack file.")
  var file: String?

  @Option(
    name: .customLong("set"), help: ArgumentHelp("Set a parameter.", valueName: "node.param=value"))
  var settings: [String] = []

  @Option(help: ArgumentHelp("Start only these nodes (separated by commas).", valueName: "nodes"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp("Start all but these nodes (separated by commas).", valueName: "nodes"))
  var without: [String] = []

  @Option(help: "Another name for the stack, so that it can run twice.")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Run for this time, check the expectations of `expect:`, stop, and exit with 0 or 1. Default: 60s.",
      valueName: "time"))
  var check: String?

  @Option(
    help: ArgumentHelp("Record the messages of the bus, or off.", valueName: "FILE|off"))
  var record: String?

  @Option(help: ArgumentHelp("Plain lines, or one JSON object per line.", valueName: "text|json"))
  var log: LogFormat?

  @Flag(
    help: ArgumentHelp(
      "Return when all nodes are ready; the stack keeps running and logs to a file, whose name is printed."
    ))
  var detach = false

  @Flag(
    help: "Run the nodes in lock-step up to `until`: the same messages in each run, at full speed.")
  var lockstep = false

  @Option(help: "In lock-step: write SHA-256 per topic to this file.")
  var digest: String?

  @Option(
    help: "In lock-step: fail unless the run equals that of this file, digests or a recording.")
  var expect: String?

  @Flag(name: .customLong("print"), help: "Print the settings of each node, and start nothing.")
  var prints = false

  @Flag(help: "Print the JSON Schema of stack files.")
  var schema = false

  @Flag(help: "Print the JSON Schema of manifests, which programs print on --describe.")
  var manifestSchema = false

  func run() throws {
    if schema {
      print(StackSchema.text, terminator: "")
      return
    }
    if manifestSchema {
      print(StackSchema.manifest, terminator: "")
      return
    }
    guard let file else { throw ValidationError("Which stack? Give a stack file.") }
    if detach { throw ExitCode(DetachedLauncher.start(besides: name ?? file)) }
    var checkS: Double?
    if let check {
      guard let seconds = Quantity.durationS(check), seconds > 0 else {
        throw ValidationError("--check: \"\(check)\" is not a time; write 60s or 5min.")
      }
      checkS = seconds
    }
    var launch = Launch(
      file: file,
      overrides: StackOverrides(settings: settings, only: names(only), without: names(without)),
      name: name, besides: Self.ownFolder(), environment: DetachedLauncher.environment())
    if lockstep || launch.stack?.file.isLockStep == true {
      launch.convertToLockStep(digest: digest, expect: expect)
    } else if digest != nil || expect != nil {
      throw ValidationError("--digest and --expect need --lockstep.")
    }
    for line in launch.report { Self.complain(line) }
    guard let stack = launch.stack, !launch.problems.hasErrors else {
      throw ExitCode(Supervisor.ExitCode.invalidFile)
    }
    if prints {
      print(stack.text, terminator: "")
      return
    }
    var options = launch.options
    options.checkS = checkS
    options.isColored = isatty(1) == 1 && options.environment["NO_COLOR"] == nil
    options.whenReady = DetachedLauncher.reportReady
    options.logFormat = log.map { $0 == .json ? .json : .text }
    options.record = record.map { $0 == "off" ? .off : .file(Self.absolute($0)) }
    throw ExitCode(start(stack, options, map: launch.map))
  }

  /// Runs the stack on this thread, because its processes end with the thread that starts them.
  private func start(
    _ stack: CheckedStack, _ options: StackRunner.Options, map: Located<String>?
  ) -> Int32 {
    do {
      let stopRequests = try ThreadWaker()
      _ = clinux_route_stop_signals(stopRequests.descriptor)
      let options = try Self.routingReload(options)
      if let map,
        let problem = MapPreparation.problem(
          of: map, stop: stopRequests, environment: options.environment)
      {
        Self.complain(problem.text(file: file ?? ""))
        return Supervisor.ExitCode.invalidFile
      }
      try DescriptorLimit.raise()
      let output = LineOutput(descriptor: 1)
      let runner = try StackRunner(stack, options, stopRequests: stopRequests) { output.put($0) }
      let code = runner.run()
      output.end(withinS: Self.outputGraceS)
      return code
    } catch {
      Self.complain("navlaunch: \(error)")
      return Supervisor.ExitCode.failure
    }
  }

  /// The options with the signal for SIGHUP, under a service manager.
  ///
  /// Without one, SIGHUP comes from a closed terminal, and ends the stack.
  private static func routingReload(
    _ options: StackRunner.Options
  ) throws -> StackRunner.Options {
    var options = options
    guard ServiceNotifier(options.environment, process: getpid()).isThere else { return options }
    let requests = try ThreadWaker()
    guard clinux_route_reload_signal(requests.descriptor) == 0 else { return options }
    options.reloadRequests = requests
    return options
  }

  /// Seconds for which the last output lines wait for a reader.
  private static let outputGraceS = 2.0

  enum LogFormat: String, ExpressibleByArgument {
    case text
    case json
  }

  /// A path is relative to the folder of the command, not to that of the stack file.
  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  private func names(_ lists: [String]) -> [String] {
    lists.flatMap { $0.split(separator: ",").map(String.init) }
  }

  /// Folder of this program and of the related programs.
  private static func ownFolder() -> String? {
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return nil }
    return (path as NSString).deletingLastPathComponent
  }

  private static func complain(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Parses the arguments: `--check` alone means a minute, unless a duration follows it.
  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if let index = arguments.firstIndex(of: "--check") {
      let next = arguments.indices.contains(index + 1) ? arguments[index + 1] : ""
      if Quantity.durationS(next) == nil { arguments[index] = "--check=60s" }
    }
    main(arguments)
  }
}
