import Foundation
import NodeKit
import RouterStage
import Stage

/// A router without a bus: a map in, OSRM's HTTP API out.
enum StandaloneRouter {
  /// Runs with the parameters of the JSON file `params`; those of `given` have priority.
  static func run(params: String?, _ given: [String: ParameterValue]) -> Never {
    var signals = held()
    do throws(StageFailure) {
      let parameters = try NodeEnvironment.parameters(
        file: params, declared: RouterStage.manifest.parameters, overriding: given)
      let shared = try RouterStage.load(parameters)
      try EngineServer.connect(shared)
      guard let address = try OSRMAddress(parameters) else {
        throw StageFailure(
          "no bus (NAV_BUS) and no http: nothing to do; set --http, or http in the parameters"
        )
      }
      let server = try OSRMServer(shared, parameters, address)
      let port = server.start(vehicle: "ego")
      print("listening on http://\(address.host):\(port)/")
      fflush(nil)
      var taken: Int32 = 0
      sigwait(&signals, &taken)
      server.stop()
    } catch {
      FileHandle.standardError.write(Data("error: \(error.message)\n".utf8))
      exit(64)
    }
    exit(0)
  }

  /// Blocks SIGTERM and SIGINT for `sigwait`; threads that are created later inherit that.
  private static func held() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    return signals
  }
}
