import ExternalRouting
import HTTP
import RouterStage
import Stage

/// The connection to the external routing server that a router may use, RT-15.
enum EngineServer {
  /// Gives the router a client for its `engine_url`.
  ///
  /// - Throws: for an invalid address.
  static func connect(_ shared: RouterShared) throws(StageFailure) {
    guard let server = shared.server else { return }
    guard let endpoint = HTTPEndpoint(server.url) else {
      throw StageFailure(
        "engine_url: \"\(server.url)\" is not http://HOST:PORT; for a server with TLS, run a proxy on this machine"
      )
    }
    let client = HTTPClient(endpoint: endpoint, timeoutS: server.timeoutS)
    shared.connect { (target, body) throws(EngineFailure) in
      do throws(HTTPClientFailure) {
        return try client.ask(target, body: body)
      } catch {
        throw EngineFailure(error.description)
      }
    }
  }
}
