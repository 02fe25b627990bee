import CLinux
import NIOCore
import Synchronization

/// The resource limits of a server.
public struct HTTPLimits: Hashable, Sendable {
  /// Maximum number of connections; above it, the one with the longest idle time is closed.
  public var connections = 1024
  /// Maximum number of requests that wait for a worker; above it, a client gets the status 503.
  public var waiting = 512
  /// Number of requests answered at the same time.
  public var workers = 2
  /// Maximum number of heavy requests among them, so that light ones always find a worker.
  public var heavyWorkers = 1
  /// Seconds for a complete head to arrive, and between requests of one connection.
  public var headS = 10.0
  public var idleS = 15.0
  /// Seconds in which a client must receive 64 KiB of an answer.
  public var writeS = 10.0
  /// Seconds after which a calculation is cancelled.
  public var answerS = 30.0

  public init() {}
}

/// The reason why a server cannot listen.
public struct HTTPServiceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String
  /// The system's description of the error.
  public var reason = ""
}

/// Counts of a server, for the node's status.
public struct HTTPCounts: Hashable, Sendable {
  public var connections = 0
  public var requests = 0
  /// Connections closed to make room, or for lack of progress.
  public var evicted = 0
  /// Requests that were unreadable or rejected.
  public var refused = 0
}

/// A small HTTP/1.1 server for requests that need a calculation.
///
/// One event loop of SwiftNIO owns all connections; a request is answered on a worker thread. No
/// client can delay another one: the data kept per client is bounded, and each connection has one
/// request answered at a time. A client that makes no progress in time is disconnected.
public final class HTTPService: Sendable {
  /// Answers one request; called on worker threads, several at once.
  public typealias Handler = @Sendable (HTTPHead, HTTPCancellation) -> WebResponse

  /// The port on which it listens.
  public let port: UInt16
  private let parts: Mutex<HTTPParts?>
  private let link = HTTPLoopLink()
  private let server = Mutex<NIOLoopBoundBox<HTTPServer?>?>(nil)

  /// Starts to listen at an IPv4 address or `localhost`; port 0 selects a free one.
  ///
  /// `isHeavy` identifies requests that may take long, by their head. `origins` are the sites whose
  /// pages may read the responses; nil allows only the server's own pages. `hosts` are further
  /// names of the server, such as that of a proxy. `headers` are part of every response. If there
  /// is a `token`, requests without it are refused with the text `advice`. Requests of `live`
  /// become WebSockets. `sharing` names the other processes of the same node, from which the
  /// listening socket is taken if one of them has it.
  ///
  /// - Throws: if the address is not available.
  public init(
    host: String, port: UInt16, bounds: HTTPLimits = HTTPLimits(),
    origins: CrossOrigin? = CrossOrigin(), hosts: [String] = [], headers: [String: String] = [:],
    token: AccessToken? = nil, advice: String = "this server needs a token",
    live: LivePath? = nil, sharing: ListenerSharing? = nil,
    isHeavy: @escaping @Sendable (HTTPHead) -> Bool = { _ in false },
    handler: @escaping Handler
  ) throws(HTTPServiceFailure) {
    let (socket, actual) = try SharedListener.open(host: host, port: port, sharing)
    self.port = actual
    // With few descriptors, the idlest connection must be closed before descriptors run out.
    var bounds = bounds
    bounds.connections = min(bounds.connections, Int(max(16, clinux_descriptor_limit() / 2 - 32)))
    parts = Mutex(
      HTTPParts(
        socket: socket, link: link, bounds: bounds,
        gate: HTTPGate(
          hosts: HostGuard(listeningAt: host, also: hosts), origins: origins, headers: headers,
          access: token.map { HTTPAccess(token: $0, port: actual, advice: advice) }),
        live: live, isHeavy: isHeavy, handler: handler))
  }

  /// Starts to answer, on its own thread; call it once.
  public func start() {
    guard let parts = parts.withLock({ $0.take() }), let loop = link.start() else { return }
    let box = NIOLoopBoundBox.makeEmptyBox(valueType: HTTPServer.self, eventLoop: loop)
    server.withLock { $0 = box }
    loop.execute {
      let made = HTTPServer(parts, loop)
      box.value = made
      made.start()
    }
  }

  public var counts: HTTPCounts { link.counts }

  /// Closes the listening socket and all connections; calculations in progress are cancelled.
  public func stop() { onLoop { $0.end() } }

  /// Stops accepting connections, answers the requests in progress, and then ends.
  ///
  /// If another process shares the listening socket, it gets new connections. A successor of the
  /// same process also receives the open ones, so no request is refused or cut off. WebSockets are
  /// closed with code 1001.
  public func retire() { onLoop { $0.retire() } }

  /// Whether a server that was retired or stopped has ended.
  public var hasEnded: Bool { link.hasEnded }

  /// Runs `body` on the loop; a server that was not started ends at once.
  private func onLoop(_ body: @escaping @Sendable (HTTPServer) -> Void) {
    if let unused = parts.withLock({ $0.take() }) {
      unused.socket.close()
      link.end()
    } else if let server = server.withLock({ $0 }) {
      link.run { server.value.map(body) }
    }
  }
}

/// A path whose requests become WebSockets.
public struct LivePath: Sendable {
  let path: [UInt8]
  let channel: any LiveChannel

  public init(_ path: String, _ channel: any LiveChannel) {
    self.path = Array(path.utf8)
    self.channel = channel
  }

  func matches(_ head: HTTPHead) -> Bool { head.target.prefix { $0 != 0x3F }.elementsEqual(path) }
}
