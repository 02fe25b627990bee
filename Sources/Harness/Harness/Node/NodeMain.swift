public import ArgumentParser
import Foundation
import NodeKit
public import Stage

/// The main program of a node, which puts a stage on the bus.
public enum NodeMain {
  /// Creates the attachments of a node from the shared part that its stage loaded.
  public typealias Attachments<S: Stage> = (S.Shared, Parameters) throws(StageFailure) ->
    [any NodeAttachment]

  /// Runs `stage` as this process until a signal, the launcher's death or a failure ends it.
  ///
  /// Reads the arguments `--describe`, `--print-params`, `--params FILE.json`, `--name`,
  /// `--version`, and the environment that navlaunch sets (NAV_BUS, NAV_NODE, NAV_PARAMS,
  /// NAV_VEHICLE, NOTIFY_SOCKET). Exits with 0, with 64 for wrong usage, 69 if no broker appears,
  /// 78 for a configuration error that a restart cannot fix, or 1. `arguments` replace the
  /// process's own if given; `overriding` are parameters with priority over those of the stack
  /// file.
  public static func run<S: Stage>(
    _ stage: S.Type, arguments: [String]? = nil, overriding: [String: ParameterValue] = [:],
    attachments: Attachments<S> = { (_, _) throws(StageFailure) in [] }
  ) -> Never {
    run(
      NodeCommandLine<S, NoMoreOptions>.parseOrExit(arguments), overriding: overriding,
      attachments: attachments)
  }

  /// Runs a stage whose command line has been parsed, with options for its own program.
  public static func run<S: Stage, More: ParsableArguments>(
    _ line: NodeCommandLine<S, More>, overriding: [String: ParameterValue] = [:],
    attachments: Attachments<S> = { (_, _) throws(StageFailure) in [] }
  ) -> Never {
    if line.version { finish("\(S.manifest.name) \(NodeVersion.line)") }
    if line.describe { finish(description(of: S.manifest)) }
    if line.printParams { finish(listing(of: S.manifest)) }
    do throws(NodeFailure) {
      try serve(S.self, name: line.name, params: line.params, overriding, attachments)
    } catch {
      FileHandle.standardError.write(Data("error: \(error.message)\n".utf8))
      exit(error.code.rawValue)
    }
    exit(NodeExit.success.rawValue)
  }

  private static func serve<S: Stage>(
    _ stage: S.Type, name: String?, params: String?, _ overriding: [String: ParameterValue],
    _ attachments: Attachments<S>
  ) throws(NodeFailure) {
    let environment: NodeEnvironment
    let parameters: Parameters
    let supervision: Supervision
    do {
      environment = try NodeEnvironment(
        program: S.manifest.name, name: name, parametersPath: params)
      parameters = try environment.parameters(
        declared: S.manifest.parameters, overriding: overriding)
      supervision = try Supervision(isSupervised: environment.isSupervised)
      try DescriptorLimit.raise()
    } catch {
      throw NodeFailure(error)
    }
    let notifier = Notifier(path: environment.notifySocket)
    notifier.status("loading")
    let shared: S.Shared
    let made: [any NodeAttachment]
    do {
      shared = try S.load(parameters)
      made = try attachments(shared, parameters)
    } catch {
      throw NodeFailure(error)
    }
    let setUp = BusHarness.SetUp(
      environment: environment, parameters: parameters, supervision: supervision,
      notifier: notifier, host: StageHost<S>(shared), attachments: made)
    let harness: BusHarness
    do {
      harness = try BusHarness(setUp)
    } catch {
      throw NodeFailure(error)
    }
    try harness.run()
  }

  private static func finish(_ text: String) -> Never {
    print(text)
    exit(NodeExit.success.rawValue)
  }

  private static func description(of manifest: Manifest) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(manifest) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  private static func listing(of manifest: Manifest) -> String {
    manifest.parameters.map { parameter in
      let fallback = parameter.defaultValue.map { "default \($0.text)" }
      let need = parameter.isRequired ? "required" : fallback ?? "absent unless given"
      return "\(parameter.name)  (\(parameter.expectation); \(need))\n    \(parameter.about)"
    }.joined(separator: "\n")
  }
}

/// The reason why a node cannot continue, and its exit code.
struct NodeFailure: Error {
  var message: String
  var code: NodeExit

  init(_ message: String, _ code: NodeExit) {
    self.message = message
    self.code = code
  }

  init(_ error: any Error) {
    if let failure = error as? StageFailure {
      self.init(failure.message, .configuration)
    } else {
      self.init("\(error)", .failure)
    }
  }
}

extension ParameterValue {
  var text: String {
    switch self {
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .strings(let value): "\(value)"
    }
  }
}
