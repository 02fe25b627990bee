import Foundation
import RouterStage
import Stage

/// A router with no bus: a map in, OSRM's HTTP API out.
enum RouterAlone {
  static func run(_ line: RouterLine) -> Never {
    var signals = held()
    do throws(StageFailure) {
      let parameters = try Parameters(
        line.parameters, declared: RouterStage.manifest.parameters)
      let shared = try RouterStage.load(parameters)
      try EngineServer.connect(shared)
      guard let address = try OSRMAddress(parameters) else {
        throw StageFailure("http: off, and no bus: there is nothing to do")
      }
      let server = try OSRMServer(shared, parameters, address)
      let port = server.start(vehicle: "ego")
      print("listening at http://\(address.host):\(port)/")
      fflush(nil)
      var taken: Int32 = 0
      sigwait(&signals, &taken)
      server.stop()
    } catch {
      RouterLine.fail(error)
    }
    exit(0)
  }

  /// Keeps SIGTERM and SIGINT for `sigwait`; threads that are born later inherit that.
  private static func held() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    return signals
  }
}
