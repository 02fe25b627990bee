import NIOCore
import NIOHTTP1
import NIOWebSocket

/// One client's connection: answers its requests in order, within deadlines for progress.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = ByteBuffer

  enum Stage {
    /// Waiting for a request, or for the rest of one.
    case reading
    /// A worker has its request.
    case answering
    case writing
    /// The connection has become a WebSocket.
    case live
  }

  let framer: HTTPRequestFramer
  let deadline: HTTPDeadline
  private let server: HTTPServer
  private(set) var stage = Stage.reading
  private(set) var live: LiveConnection?
  private var patience: HTTPCancellation?
  /// Whether the first byte of the next request has arrived.
  private var hasBegun = false
  private var context: ChannelHandlerContext?

  init(_ server: HTTPServer, unread: [UInt8] = []) {
    self.server = server
    framer = HTTPRequestFramer(unread: unread)
    deadline = HTTPDeadline(.now() + .seconds(of: server.bounds.headS))
  }

  /// Adds the handlers of HTTP to a new connection.
  func join(_ channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandlers([
      framer,
      ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: HTTPHead.parserLimits)), self,
    ])
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  /// The socket; nil if it is closed.
  var descriptor: Int32? {
    try? context?.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) { $0 }
  }

  func close() { context?.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) {
    patience?.end()
    live?.session.leave()
    // The session refers to its connection.
    live = nil
    server.forget(self)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case is HTTPFault, is HTTPParserError: refuse(HTTPFault(error))
    default: close()
    }
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let request) = unwrapInboundIn(data) else { return }
    do throws(HTTPFault) {
      guard stage == .reading else { throw HTTPFault(400, "the request contains another one") }
      let head = try HTTPHead(request)
      framer.hold(bodyLength: head.bodyLength)
      server.serve(self, head, request)
    } catch {
      refuse(error)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // The time for a head starts at its first byte; later bytes do not extend it.
    guard stage == .reading, !hasBegun, !framer.isEmpty else { return }
    hasBegun = true
    deadline.at = .now() + .seconds(of: server.bounds.headS)
  }

  /// Notes that a worker has the request, and returns the object that cancels its answer.
  func waitForAnswer() -> HTTPCancellation {
    let patience = HTTPCancellation(limitS: server.bounds.answerS)
    self.patience = patience
    stage = .answering
    deadline.at = .distantFuture
    return patience
  }

  /// Sends an answer, and then handles the next request unless it is the last one.
  func put(_ answer: HTTPAnswer) {
    guard let context, context.channel.isActive else { return }
    stage = .writing
    patience = nil
    let size = answer.bytes.readableBytes
    deadline.at = .now() + .seconds(of: server.bounds.writeS * Double(1 + size / 65_536))
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenSuccess { [self] in
      if answer.isLast { close() } else { goOn() }
    }
    context.writeAndFlush(wrapOutboundOut(answer.bytes), promise: sent)
  }

  private func goOn() {
    stage = .reading
    hasBegun = false
    deadline.at = .now() + .seconds(of: server.bounds.idleS)
    guard !server.moveOn(self) else { return }
    framer.release()
  }

  private func refuse(_ fault: HTTPFault) {
    guard stage != .live else { return close() }
    server.count { $0.refused += 1 }
    framer.end()
    put(server.gate.response(.refusal(fault.status, fault.sentence), to: nil, isLast: true))
  }

  // MARK: WebSocket

  /// Turns the connection into a WebSocket, or refuses the request.
  func open(_ head: HTTPHead, _ request: HTTPRequestHead, _ path: LivePath) {
    guard let context else { return }
    let spoken = path.channel.subprotocols
    var headers = HTTPHeaders()
    let chosen = spoken.first { head.names(in: "sec-websocket-protocol").contains($0) }
    if let chosen { headers.add(name: "Sec-WebSocket-Protocol", value: chosen) }
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    guard head.asksForWebSocket, spoken.isEmpty || chosen != nil else {
      return server.send(self, Self.expectation(spoken), to: head, isLast: true)
    }
    upgrader.buildUpgradeResponse(
      channel: context.channel, upgradeRequest: request, initialResponseHeaders: [:]
    ).assumeIsolated().whenComplete { [self] result in
      guard case .success(let made) = result else {
        return server.send(self, Self.expectation(spoken), to: head, isLast: true)
      }
      headers.add(contentsOf: made)
      guard let session = path.channel.join(WebRequest(head), server.bell(of: self)) else {
        server.count { $0.refused += 1 }
        return server.send(self, .refusal(503, "too many pages are open"), to: head, isLast: true)
      }
      upgrade(session, headers)
    }
  }

  private static func expectation(_ spoken: [String]) -> WebResponse {
    let names = spoken.joined(separator: " or ")
    let advice = names.isEmpty ? "" : " with the subprotocol \(names)"
    return .refusal(400, "a WebSocket of version 13\(advice) is expected here")
  }

  private func upgrade(_ session: any LiveSession, _ headers: HTTPHeaders) {
    guard let context else { return session.leave() }
    let live = LiveConnection(session, deadline: deadline, writeS: server.bounds.writeS)
    self.live = live
    stage = .live
    deadline.at = .now() + .seconds(of: server.bounds.writeS)
    var opening = HTTPAnswer(status: 101, isLast: false)
    for (name, value) in headers { opening.add(name, value) }
    opening.end()
    context.writeAndFlush(wrapOutboundOut(opening.bytes), promise: nil)
    let pipeline = context.pipeline.syncOperations
    do {
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      // The decoder is busy with this request, so it leaves a little later.
      pipeline.removeHandler(decoder).assumeIsolated().whenComplete { [self] _ in startLive(live) }
    } catch {
      close()
    }
  }

  private func startLive(_ live: LiveConnection) {
    guard let context, context.channel.isActive else { return }
    let pipeline = context.pipeline.syncOperations
    do {
      try pipeline.addHandlers(
        [
          WebSocketFrameEncoder(),
          ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketMessages.limit)), live,
        ], position: .before(self))
      framer.open()
      live.advance()
    } catch {
      close()
    }
  }
}

extension HTTPHead {
  /// The lower-case words of a header that is a list.
  func names(in header: String) -> Set<String> {
    Set(
      (headers[header] ?? "").lowercased().split(separator: ",").map { word in
        String(word.drop { $0 == " " }.prefix { $0 != " " })
      })
  }

  /// Whether the head requests a WebSocket; the version and the key are checked by the upgrade.
  var asksForWebSocket: Bool {
    method == "GET" && names(in: "upgrade").contains("websocket")
      && names(in: "connection").contains("upgrade")
      && headers["sec-websocket-key"]?.utf8.count == 24
  }
}
