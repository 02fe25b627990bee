import NIOCore
import NIOWebSocket

/// A connection that has become a WebSocket: passes the client's commands to its session, and sends
/// the session's messages.
///
/// Messages are fetched when the client has accepted the ones before, so a slow client's messages
/// wait in the session, where newer ones replace older ones. While the session is busy, the
/// client's commands wait in the system's buffers.
final class LiveConnection: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = NIOAny
  typealias OutboundOut = WebSocketFrame

  /// Seconds of silence after which a client is sent a ping.
  ///
  /// A client that is silent for three times as long is disconnected.
  static let pingAfterS = 30.0
  /// Bytes that are sent at a time.
  private static let batch = 64 * 1024
  /// Maximum number of control frames that wait for a client that does not read.
  private static let mostControl = 512

  let session: any LiveSession
  private let deadline: HTTPDeadline
  private let writeS: Double
  private var messages = WebSocketMessages()
  /// Messages that the session cannot accept yet.
  private var inbox: [WebSocketMessages.Message] = []
  /// Control frames that are sent before the next message.
  private var control: [WebSocketFrame] = []
  private var isWriting = false
  private var isReadHeld = false
  /// Whether the connection closes after the current output.
  private var isEnding = false
  /// Times of the client's last message, and of the last ping to it.
  private var heardAt = NIODeadline.now()
  private var pingedAt = NIODeadline.now()
  private var context: ChannelHandlerContext?

  init(_ session: any LiveSession, deadline: HTTPDeadline, writeS: Double) {
    self.session = session
    self.deadline = deadline
    self.writeS = writeS
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isEnding else { return }
    do throws(WebSocketFault) {
      if let message = try messages.add(unwrapInboundIn(data)) { inbox.append(message) }
      handleMessages()
    } catch {
      end(error)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) { advance() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is NIOWebSocketError else { return context.close(promise: nil) }
    end(WebSocketFault(error))
    advance()
  }

  func read(context: ChannelHandlerContext) {
    if session.isBusy || !inbox.isEmpty { isReadHeld = true } else { context.read() }
  }

  /// Executes the received commands and sends what is queued.
  func advance() {
    handleMessages()
    send()
    guard isReadHeld, !session.isBusy, inbox.isEmpty else { return }
    isReadHeld = false
    context?.read()
  }

  /// Sends a ping if the client has been silent.
  func pingIfSilent(now: NIODeadline) {
    let silence = TimeAmount.seconds(of: Self.pingAfterS)
    guard now - heardAt > silence, now - pingedAt > silence else { return }
    pingedAt = now
    control.append(.ping())
    advance()
  }

  /// Closes the connection at once, with the reason that the server ends.
  func dismiss() {
    if !isWriting { context?.writeAndFlush(wrapOutboundOut(.close(1001)), promise: nil) }
    context?.close(promise: nil)
  }

  private func handleMessages() {
    var taken = 0
    while !isEnding, taken < inbox.count, !session.isBusy {
      handle(inbox[taken])
      taken += 1
    }
    if isEnding { inbox = [] } else { inbox.removeFirst(taken) }
  }

  private func handle(_ message: WebSocketMessages.Message) {
    heardAt = .now()
    switch message {
    case .text(let text): session.handle(text)
    // A client that pings without reading gets no more pongs than fit.
    case .ping(let payload): if control.count < Self.mostControl { control.append(.pong(payload)) }
    case .pong: break
    case .close:
      control.append(.close(1000))
      isEnding = true
    }
  }

  private func end(_ fault: WebSocketFault) {
    guard !isEnding else { return }
    control.append(.close(fault.code, fault.sentence))
    isEnding = true
  }

  private func send() {
    guard !isWriting, let context else { return }
    var frames = control
    control = []
    var size = frames.reduce(0) { $0 + $1.length + 2 }
    while !isEnding, size < Self.batch, let message = session.next() {
      let frame = WebSocketFrame.message(message)
      frames.append(frame)
      size += frame.length + 2
    }
    if frames.isEmpty, !isEnding, session.isClosed {
      frames.append(.close(1001))
      isEnding = true
    }
    guard let last = frames.popLast() else {
      deadline.at = heardAt + .seconds(of: 3 * Self.pingAfterS)
      return
    }
    isWriting = true
    deadline.at = .now() + .seconds(of: writeS * Double(1 + size / 65_536))
    for frame in frames { context.write(wrapOutboundOut(frame), promise: nil) }
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenSuccess { [self] in
      isWriting = false
      if isEnding, control.isEmpty { self.context?.close(promise: nil) } else { advance() }
    }
    context.writeAndFlush(wrapOutboundOut(last), promise: sent)
  }
}

/// The time at which a connection without progress is closed.
final class HTTPDeadline {
  var at: NIODeadline

  init(_ at: NIODeadline) { self.at = at }
}

extension TimeAmount {
  static func seconds(of seconds: Double) -> TimeAmount {
    .nanoseconds(Int64(Double.minimum(seconds, 1e6) * 1e9))
  }
}
