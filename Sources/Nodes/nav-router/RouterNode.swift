import Harness
import RouterStage
import Stage

/// `nav-router`: routes over the bus, and over OSRM's HTTP API where it is asked for.
@main enum RouterNode {
  static func main() {
    let line: RouterLine
    do {
      line = try RouterLine(CommandLine.arguments.dropFirst())
    } catch {
      RouterLine.fail(error)
    }
    if line.isAlone { RouterAlone.run(line) }
    NodeMain.run(RouterStage.self, arguments: line.rest, overriding: line.parameters) {
      (shared, parameters) throws(StageFailure) in
      try EngineServer.connect(shared)
      guard let address = try OSRMAddress(parameters) else { return [] }
      return [try OSRMServer(shared, parameters, address)]
    }
  }
}
