import FlyingFox
import FlyingSocks
import Foundation
public import HTTP
import Synchronization

/// Why the server could not listen.
public enum WebServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host is neither a name of this machine's loopback nor an IPv4 address.
  case badHost(String)
  case cannotListen(host: String, port: UInt16, reason: String)

  public var description: String {
    switch self {
    case .badHost(let host):
      "cannot listen at \"\(host)\": give an IPv4 address such as 127.0.0.1"
    case .cannotListen(let host, let port, let reason):
      "cannot listen at \(host):\(port): \(reason); choose another port, or 0 for any free one"
    }
  }
}

/// A small HTTP server with one WebSocket path; every request goes through the host guard.
public final class WebServer: Sendable {
  public typealias Handler = @Sendable (WebRequest) async -> WebResponse

  private let server: HTTPServer
  private let host: String
  private let port: UInt16

  /// A server that does not listen yet.
  ///
  /// Requests of `livePath` become WebSocket connections of `hub`; everything else that is a GET
  /// or HEAD goes to `handler`, other methods are refused. `headers` go with every answer.
  public init(
    host: String = "127.0.0.1", port: UInt16, hub: LiveHub, livePath: String = "/live",
    headers: [String: String] = [:], handler: @escaping Handler
  ) throws(WebServerFailure) {
    self.host = host
    self.port = port
    let address: sockaddr_in
    do {
      address = try .inet(ip4: host == "localhost" ? "127.0.0.1" : host, port: port)
    } catch {
      throw .badHost(host)
    }
    let gate = Gate(
      hostGuard: HostGuard(listeningAt: host), livePath: livePath,
      live: WebSocketHTTPHandler(handler: LiveSocket(hub: hub)), headers: headers,
      handler: handler)
    server = HTTPServer(
      config: .init(address: address, timeout: 15, logger: .disabled), handler: gate)
  }

  /// Starts to listen, and gives the port: the one asked for, or a free one where that was 0.
  public func start() async throws(WebServerFailure) -> UInt16 {
    let waiter = Task { [server] in try await server.waitUntilListening() }
    let failed = FailureBox()
    Task { [server] in
      do {
        try await server.run()
      } catch {
        failed.set(error)
        waiter.cancel()
      }
    }
    do {
      try await waiter.value
    } catch {
      throw .cannotListen(host: host, port: port, reason: Self.reason(of: failed.error ?? error))
    }
    guard case .ip4(_, let actual)? = await server.listeningAddress else { return port }
    return actual
  }

  /// Closes the listening socket and every connection.
  public func stop() async {
    await server.stop(timeout: 0)
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case SocketError.failed(_, let errno, _): String(cString: strerror(errno))
    default: error.localizedDescription
    }
  }
}

/// The error that ended the server's task, to be told by the one who waited for it.
private final class FailureBox: Sendable {
  private let stored = Mutex<(any Error)?>(nil)
  var error: (any Error)? { stored.withLock { $0 } }
  func set(_ error: any Error) { stored.withLock { $0 = error } }
}

/// Turns what the server library hands in into the room's own values, after the host guard.
private struct Gate: HTTPHandler {
  let hostGuard: HostGuard
  let livePath: String
  let live: WebSocketHTTPHandler
  let headers: [String: String]
  let handler: WebServer.Handler

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let plain = WebRequest(request)
    if let objection = hostGuard.objection(to: plain) {
      return response(.refusal(403, objection), to: plain)
    }
    if plain.path == livePath { return try await live.handleRequest(request) }
    guard plain.method == .get || plain.method == .head else {
      return response(.refusal(405, "only GET and HEAD are answered here"), to: plain)
    }
    return response(await handler(plain), to: plain)
  }

  private func response(_ answer: WebResponse, to request: WebRequest) -> HTTPResponse {
    var lines: HTTPHeaders = [.contentType: answer.contentType]
    for (name, value) in headers { lines[HTTPHeader(name)] = value }
    for (name, value) in answer.headers { lines[HTTPHeader(name)] = value }
    let body = request.method == .head ? Data() : Data(answer.body)
    return HTTPResponse(
      statusCode: HTTPStatusCode(answer.status, phrase: Self.phrase(answer.status)),
      headers: lines, body: body)
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 503: "Service Unavailable"
    default: "Status \(status)"
    }
  }
}

extension WebRequest {
  init(_ request: HTTPRequest) {
    let method: Method =
      switch request.method {
      case .GET: .get
      case .HEAD: .head
      case .POST: .post
      default: .other(request.method.rawValue)
      }
    var query: [String: String] = [:]
    for item in request.query { query[item.name] = item.value }
    self.init(
      method: method, path: request.path.removingPercentEncoding ?? request.path, query: query,
      host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")])
  }
}
