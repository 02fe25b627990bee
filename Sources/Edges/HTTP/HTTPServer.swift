import CLinux
import NIOCore
import NIOHTTP1
import NIOPosix

/// The components of a server.
struct HTTPParts: Sendable {
  var socket: SharedListener
  var link: HTTPLoopLink
  var bounds: HTTPLimits
  var gate: HTTPGate
  var live: LivePath?
  var isHeavy: @Sendable (HTTPHead) -> Bool
  var handler: HTTPService.Handler
}

/// A server on its event loop: the connections, the requests that wait for a worker, and the
/// deadlines.
final class HTTPServer {
  private static let checkInterval = TimeAmount.milliseconds(250)

  private let parts: HTTPParts
  private let loop: any EventLoop
  private let handover: HTTPHandover
  private let workers: HTTPWorkers
  private var connections: [ObjectIdentifier: HTTPConnection] = [:]
  /// The repeated check of the deadlines, while there are connections.
  private var clock: RepeatedTask?
  private var isRetiring = false
  private var hasEnded = false

  var bounds: HTTPLimits { parts.bounds }
  var gate: HTTPGate { parts.gate }

  init(_ parts: HTTPParts, _ loop: any EventLoop) {
    self.parts = parts
    self.loop = loop
    handover = HTTPHandover(parts.socket)
    workers = HTTPWorkers(parts.bounds) { job in
      let response =
        job.patience.hasEnded
        ? WebResponse.refusal(503, "the time for this request is over")
        : parts.handler(job.head, job.patience)
      // Prepared here, outside the loop, because answers may be large.
      let answer = parts.gate.response(response, to: job.head, isLast: !job.head.keepsAlive)
      parts.link.run { job.connection.value.put(answer) }
    }
  }

  func count(_ change: (inout HTTPCounts) -> Void) { parts.link.count(change) }

  // MARK: Start and end

  /// Starts to accept connections.
  func start() {
    let server = NIOLoopBound(self, eventLoop: loop)
    let link = parts.link
    handover.start(
      accept: { done in
        let isRunning = link.run {
          if !server.value.isRetiring { server.value.accept() }
          done()
        }
        if !isRunning { done() }
      },
      adopt: { descriptor, unread in
        if !link.run({ server.value.adopt(descriptor, unread: unread) }) {
          clinux_close(descriptor)
        }
      }, whenGiven: { link.run { server.value.endIfDrained() } })
  }

  /// Stops listening here, and ends when the requests in progress are answered.
  func retire() {
    guard !isRetiring, !hasEnded else { return }
    isRetiring = true
    // Without a successor, connections that wait in the socket's queue would be cut off.
    if !handover.hasSuccessor { accept() }
    handover.retire()
    for connection in connections.values {
      switch connection.stage {
      case .reading: _ = moveOn(connection)
      case .live: connection.live?.dismiss()
      case .answering, .writing: break
      }
    }
    endIfDrained()
  }

  private func endIfDrained() {
    if isRetiring, connections.isEmpty, !handover.isReceiving { end() }
  }

  /// Closes the listening socket and all connections.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    clock?.cancel()
    for connection in connections.values { connection.close() }
    handover.end()
    parts.link.end()
  }

  // MARK: Connections

  /// Accepts the connections that wait.
  private func accept() {
    while !hasEnded {
      let descriptor = clinux_tcp_accept(parts.socket.listener)
      if descriptor >= 0 {
        adopt(descriptor, unread: [])
      } else if !HTTPSocket.isOutOfDescriptors || !closeIdlest() {
        // Without a free descriptor, the waiting client would call the loop forever.
        return
      }
    }
  }

  /// Prepares a new connection; if there is no room, the one with the longest idle time is closed.
  private func admit(_ channel: any Channel, unread: [UInt8]) throws {
    count { $0.connections += 1 }
    guard !hasEnded, connections.count < bounds.connections || closeIdlest() else {
      count { $0.refused += 1 }
      throw ChannelError.ioOnClosedChannel
    }
    let connection = HTTPConnection(self, unread: unread)
    try connection.join(channel)
    connections[ObjectIdentifier(connection)] = connection
    guard clock == nil else { return }
    let server = NIOLoopBound(self, eventLoop: loop)
    clock = loop.scheduleRepeatedTask(
      initialDelay: Self.checkInterval, delay: Self.checkInterval
    ) { _ in server.value.checkDeadlines() }
  }

  /// Takes an open connection, of which another process may have read some bytes.
  private func adopt(_ descriptor: Int32, unread: [UInt8]) {
    let server = NIOLoopBound(self, eventLoop: loop)
    ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try server.value.admit(channel, unread: unread) }
      }
      .withConnectedSocket(descriptor).whenFailure { _ in }
  }

  func forget(_ connection: HTTPConnection) {
    connections[ObjectIdentifier(connection)] = nil
    endIfDrained()
  }

  /// Closes the connection with the earliest deadline among those without a request in progress.
  private func closeIdlest() -> Bool {
    var best: HTTPConnection?
    for connection in connections.values
    where connection.stage != .answering && connection.stage != .live {
      if best.map({ connection.deadline.at < $0.deadline.at }) ?? true { best = connection }
    }
    guard let best else { return false }
    best.close()
    count { $0.evicted += 1 }
    return true
  }

  private func checkDeadlines() {
    let now = NIODeadline.now()
    for connection in connections.values {
      if connection.deadline.at <= now {
        count { $0.evicted += 1 }
        connection.close()
      } else {
        connection.live?.pingIfSilent(now: now)
      }
    }
    guard connections.isEmpty else { return }
    clock?.cancel()
    clock = nil
  }

  /// Gives a connection without a request in progress to the successor of a server that retires.
  ///
  /// Without a successor it stays for a moment: a request in transit is answered, as the last one.
  /// The result is false if the connection stays here.
  func moveOn(_ connection: HTTPConnection) -> Bool {
    guard isRetiring else { return false }
    guard handover.hasSuccessor, !connection.framer.isInBody else {
      connection.deadline.at = min(connection.deadline.at, .now() + .milliseconds(500))
      return false
    }
    if let descriptor = connection.descriptor {
      handover.pass(descriptor, unread: connection.framer.drainRest())
    }
    connection.framer.end()
    connection.close()
    return true
  }

  // MARK: Requests

  /// Answers a request at once, or gives it to a worker.
  func serve(_ connection: HTTPConnection, _ given: HTTPHead, _ request: HTTPRequestHead) {
    count { $0.requests += 1 }
    var head = given
    if isRetiring, !handover.hasSuccessor { head.keepsAlive = false }
    gate.access?.unwrap(&head)
    if let answer = gate.respond(to: head) {
      return send(connection, answer, to: head, isLast: !head.keepsAlive)
    }
    gate.access?.hide(in: &head)
    if let live = parts.live, live.matches(head) { return connection.open(head, request, live) }
    guard !workers.isFull else {
      count { $0.refused += 1 }
      var refusal = WebResponse.refusal(503, "too many requests are waiting; try again later")
      refusal.headers["Retry-After"] = "1"
      return send(connection, refusal, to: head, isLast: !head.keepsAlive)
    }
    let job = HTTPJob(
      connection: NIOLoopBound(connection, eventLoop: loop), head: head,
      patience: connection.waitForAnswer())
    workers.add(job, isHeavy: parts.isHeavy(head))
  }

  func send(_ connection: HTTPConnection, _ response: WebResponse, to head: HTTPHead, isLast: Bool)
  {
    connection.put(gate.response(response, to: head, isLast: isLast))
  }

  /// The function with which a session reports from any thread that its connection has work to do.
  func bell(of connection: HTTPConnection) -> @Sendable () -> Void {
    let bound = NIOLoopBound(connection, eventLoop: loop)
    let link = parts.link
    let bell = HTTPBell()
    return {
      guard bell.ring() else { return }
      link.run {
        bell.acknowledge()
        bound.value.live?.advance()
      }
    }
  }
}
