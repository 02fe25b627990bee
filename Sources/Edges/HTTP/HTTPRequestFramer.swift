package import NIOCore

/// Passes requests to the parser one at a time, each with a bounded head.
///
/// The bytes after a request wait here until it is answered. So answers keep the order of the
/// requests, a client that sends without reading fills only the system's buffers, and the unread
/// bytes can go to another process.
package final class HTTPRequestFramer: ChannelDuplexHandler, RemovableChannelHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundIn = NIOAny

  private enum Stage: Equatable {
    case head
    /// The request is being answered.
    case held
    /// This number of bytes of its body is outstanding.
    case body(Int)
    /// The connection uses another protocol, or ends.
    case open
    case ended
  }

  private var stage = Stage.head
  private var bytes: ByteBuffer
  /// Number of unread bytes that were searched for the end of the head.
  private var searched = 0
  private var bodyLength = 0
  private var isAdvancing = false
  private var isReadHeld = false
  private var context: ChannelHandlerContext?

  /// Creates a framer for a connection of which another process has read `bytes`.
  package init(unread bytes: [UInt8] = []) { self.bytes = ByteBuffer(bytes: bytes) }

  /// Whether no byte of the next request has arrived.
  var isEmpty: Bool { bytes.readableBytes == 0 }

  /// Whether bytes of a body are outstanding, which belong to no head.
  var isInBody: Bool { if case .body = stage { true } else { stage == .held && bodyLength > 0 } }

  package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  package func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    stage = .ended
  }

  package func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    guard !isEmpty else { return }
    advance()
    context.fireChannelReadComplete()
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch stage {
    case .open: context.fireChannelRead(data)
    case .ended: return
    case .head, .held, .body:
      var new = unwrapInboundIn(data)
      if isEmpty {
        bytes = new
        searched = 0
      } else {
        bytes.discardReadBytes()
        bytes.writeBuffer(&new)
      }
      advance()
    }
  }

  package func read(context: ChannelHandlerContext) {
    // A client that waits for its answer sends nothing, and reading on costs no calls of the
    // system.
    if stage == .held, !isEmpty { isReadHeld = true } else { context.read() }
  }

  // MARK: Calls of the handler of requests

  /// Holds back everything until the request, which a body of this length follows, is answered.
  package func hold(bodyLength: Int) {
    stage = .held
    self.bodyLength = bodyLength
  }

  /// Passes the rest of the answered request to the parser, and then the next request.
  package func release() {
    guard stage == .held else { return }
    stage = bodyLength > 0 ? .body(bodyLength) : .head
    bodyLength = 0
    advance()
    readAgain()
  }

  /// Passes on everything from now on, to the handlers of another protocol.
  func open() {
    guard stage == .held else { return }
    stage = .open
    let rest = drainRest()
    if !rest.isEmpty { context?.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: rest))) }
    context?.fireChannelReadComplete()
    readAgain()
  }

  /// Ignores everything that the client still sends.
  package func end() { stage = .ended }

  /// Removes and returns the bytes that were not passed on.
  func drainRest() -> [UInt8] {
    defer {
      bytes = ByteBuffer()
      searched = 0
    }
    return Array(bytes.readableBytesView)
  }

  private func readAgain() {
    guard isReadHeld, stage != .held else { return }
    isReadHeld = false
    context?.read()
  }

  // MARK: Framing

  private func advance() {
    // The request may be answered, and the next one requested, while it is passed on.
    guard !isAdvancing, let context else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    while let piece = nextPiece(context) { context.fireChannelRead(wrapInboundOut(piece)) }
    if isEmpty { bytes = ByteBuffer() }
  }

  /// The rest of a body, or a complete head; nil if more bytes are needed, or the request is not
  /// answered yet.
  private func nextPiece(_ context: ChannelHandlerContext) -> ByteBuffer? {
    switch stage {
    case .held, .open, .ended: return nil
    case .body(let left):
      guard let piece = bytes.readSlice(length: min(left, bytes.readableBytes)),
        piece.readableBytes > 0
      else { return nil }
      stage = piece.readableBytes == left ? .head : .body(left - piece.readableBytes)
      return piece
    case .head:
      do throws(HTTPFault) {
        guard let length = try headLength() else { return nil }
        searched = 0
        let head = bytes.readSlice(length: length)
        guard head.map(Self.hasRequestLine) ?? true else { throw HTTPHead.badRequestLine }
        return head
      } catch {
        stage = .ended
        context.fireErrorCaught(error)
        return nil
      }
    }
  }

  /// Whether a head begins with three words and single spaces between them; the parser also accepts
  /// others.
  private static func hasRequestLine(_ head: ByteBuffer) -> Bool {
    let line = head.readableBytesView.prefix { $0 != 0x0D }
    let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
    return words.count == 3 && words.allSatisfy { !$0.isEmpty }
  }

  /// The length of the head at the start of the bytes, with its empty line; nil if it is
  /// incomplete.
  ///
  /// Each byte is examined once, however slowly they arrive.
  private func headLength() throws(HTTPFault) -> Int? {
    let limit = HTTPHead.sizeLimit
    let (end, isFaulty) = bytes.withUnsafeReadableBytes { raw -> (Int?, Bool) in
      for at in min(searched, raw.count)..<min(raw.count, limit + 4) where raw[at] == 0x0A {
        guard at > 0, raw[at - 1] == 0x0D else { return (nil, true) }
        if at >= 3, raw[at - 2] == 0x0A { return (at + 1, false) }
      }
      return (nil, false)
    }
    if isFaulty { throw HTTPFault(400, "a line of the head ends without CR") }
    if let end { return end }
    guard bytes.readableBytes <= limit else {
      let isTarget = !bytes.readableBytesView.contains(0x0A)
      throw isTarget ? HTTPFault(414, HTTPHead.tooLarge.sentence) : HTTPHead.tooLarge
    }
    searched = bytes.readableBytes
    return nil
  }
}
