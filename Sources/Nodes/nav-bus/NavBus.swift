import ArgumentParser
import BrokerNode
import NodeKit
import Recorder

@main
struct NavBus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nav-bus",
    abstract: "The broker of a stack; NAV_BUS names its address.",
    version: NodeVersion.text)

  @Flag(help: "Print the manifest of the program as JSON.")
  var describe = false

  @Option(help: "A JSON file with parameters; default: NAV_PARAMS.")
  var params: String?

  func run() {
    BrokerProcess.run(
      describes: describe, parametersPath: params, service: RecordingService())
  }
}
