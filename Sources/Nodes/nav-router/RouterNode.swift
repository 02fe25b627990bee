import ArgumentParser
import Foundation
import Harness
import RouterStage
import Stage

/// `nav-router`: computes routes over the bus, and over OSRM's HTTP API if requested.
@main enum RouterNode {
  static func main() {
    let line = NodeCommandLine<RouterStage, RouterOptions>.parseOrExit(
      RouterOptions.words(CommandLine.arguments.dropFirst()))
    let hasBus = !(ProcessInfo.processInfo.environment["NAV_BUS"] ?? "").isEmpty
    let asksNothing = !line.describe && !line.printParams && !line.version
    // With an address and no bus, the router serves HTTP only.
    if asksNothing, !hasBus, line.more.http != nil || line.params != nil {
      StandaloneRouter.run(params: line.params, line.more.parameters)
    }
    NodeMain.run(line, overriding: line.more.parameters) {
      (shared, parameters) throws(StageFailure) in
      try EngineServer.connect(shared)
      guard let address = try OSRMAddress(parameters) else { return [] }
      return [try OSRMServer(shared, parameters, address)]
    }
  }
}
