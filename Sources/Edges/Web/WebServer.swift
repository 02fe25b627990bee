import Glibc
public import HTTP
import Synchronization

/// The reason why the server could not listen.
public enum WebServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host is neither a name of this machine's loopback nor an IPv4 address.
  case badHost(String)
  case cannotListen(host: String, port: UInt16, reason: String)

  public var description: String {
    switch self {
    case .badHost(let host):
      "cannot listen on \"\(host)\": give an IPv4 address such as 127.0.0.1"
    case .cannotListen(let host, let port, let reason):
      "cannot listen on \(host):\(port): \(reason); choose another port, or 0 for any free one"
    }
  }
}

/// A small HTTP server with one WebSocket path, for a page.
///
/// Every request must pass the host guard, and must present the token if there is one. Heads,
/// connections and idle time are bounded as in `HTTPService`.
public final class WebServer: Sendable {
  /// Answers one request; called concurrently on worker threads.
  public typealias Handler = @Sendable (WebRequest) -> WebResponse

  private let host: String
  private let port: UInt16
  private let live: any LiveChannel
  private let livePath: String
  private let headers: [String: String]
  private let token: AccessToken?
  private let handler: Handler
  private let coding = ContentCoding()
  private let service = Mutex<HTTPService?>(nil)

  /// Maximum number of open connections; a browser opens about six.
  private static let connectionLimit = 256

  /// Creates a server that does not listen yet.
  ///
  /// Requests of `livePath` become WebSocket connections of `live`. Every other GET or HEAD request
  /// goes to `handler`; other methods are refused. `headers` are part of every response. If there
  /// is a `token`, requests without it are refused.
  public init(
    host: String = "127.0.0.1", port: UInt16, live: any LiveChannel, livePath: String = "/live",
    headers: [String: String] = [:], token: AccessToken? = nil, handler: @escaping Handler
  ) throws(WebServerFailure) {
    var address = in_addr()
    guard host == "localhost" || inet_pton(AF_INET, host, &address) == 1 else {
      throw .badHost(host)
    }
    self.host = host
    self.port = port
    self.live = live
    self.livePath = livePath
    self.headers = headers
    self.token = token
    self.handler = handler
  }

  /// Binds the address without answering yet; clients that connect wait.
  ///
  /// `sharing` names the other processes of the same node, one of which may already have the
  /// address.
  public func listen(sharing: ListenerSharing? = nil) throws(WebServerFailure) {
    var bounds = HTTPLimits()
    bounds.connections = Self.connectionLimit
    let made: HTTPService
    do {
      made = try HTTPService(
        host: host, port: port, bounds: bounds, origins: nil, headers: headers, token: token,
        advice:
          "this page belongs to a running stack: open the address printed by its launcher, which contains the token",
        live: LivePath(livePath, live), sharing: sharing
      ) { [handler, coding] head, _ in coding.coded(handler(WebRequest(head)), for: head) }
    } catch {
      throw .cannotListen(host: host, port: port, reason: error.reason)
    }
    service.withLock { $0 = made }
  }

  /// Starts to answer, and returns the port: the requested one, or a free one if that was 0.
  public func start() throws(WebServerFailure) -> UInt16 {
    if service.withLock({ $0 == nil }) { try listen() }
    guard let made = service.withLock({ $0 }) else { return port }
    made.start()
    return made.port
  }

  /// Stops accepting connections, answers the requests in progress and ends; see
  /// `HTTPService.retire`.
  public func retire() { service.withLock { $0 }?.retire() }

  /// Whether a server that was retired or stopped has ended.
  public var hasEnded: Bool { service.withLock { $0 }?.hasEnded ?? true }

  /// Closes the listening socket and every connection.
  public func stop() { service.withLock { $0.take() }?.stop() }
}
