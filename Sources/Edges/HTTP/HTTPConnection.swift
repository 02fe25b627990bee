import CLinux

/// One client's connection: its input, its output, and its deadline for progress.
struct HTTPConnection: ~Copyable {
  enum Stage {
    /// Waiting for a request, or for the rest of one.
    case reading
    /// A worker has its request.
    case answering
    case writing
    /// The connection has become a WebSocket.
    case live
  }

  let descriptor: Int32
  /// Distinguishes an answer for this connection from one for an earlier connection in the same
  /// slot.
  let number: UInt64
  var stage = Stage.reading
  var reader = HTTPReader()
  var answer: [UInt8] = []
  var sent = 0
  /// Whether the connection ends when the answer is sent.
  var isLast = false
  /// Monotonic nanoseconds at which the connection is closed; far away while a worker has the
  /// request.
  var deadline: Int64
  var patience: HTTPCancellation?
  var requests = 0
  var live: LiveLink?

  init(descriptor: Int32, number: UInt64, deadline: Int64) {
    self.descriptor = descriptor
    self.number = number
    self.deadline = deadline
  }

  deinit { clinux_close(descriptor) }

  enum Reading {
    case nothing
    case some
    case end
  }

  /// Reads available bytes, at most one buffer full.
  mutating func read() -> Reading {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16 * 1024) { space in
      let got = clinux_tcp_read(descriptor, space.baseAddress, Int64(space.count), 0)
      if got > 0 {
        let bytes = UnsafeBufferPointer(start: space.baseAddress, count: Int(got))
        if live == nil { reader.feed(bytes) } else { live?.reader.feed(bytes) }
        return .some
      }
      return got == 0 || !HTTPSocket.wouldBlock ? .end : .nothing
    }
  }

  /// Sends what the client accepts; true when everything is sent, nil if it has disconnected.
  mutating func write() -> Bool? {
    while sent < answer.count {
      let count = answer.withUnsafeBufferPointer { bytes in
        clinux_tcp_write(
          descriptor, bytes.baseAddress.map { $0 + sent }, Int64(bytes.count - sent), 0)
      }
      if count < 0 { return HTTPSocket.wouldBlock ? false : nil }
      sent += Int(count)
    }
    answer = []
    sent = 0
    return true
  }
}

/// The state of a connection that has become a WebSocket.
struct LiveLink: Sendable {
  let session: any LiveSession
  var reader = WebSocketReader()
  /// Control frames that are sent before the next text.
  var control: [UInt8] = []
  /// Whether the connection closes after the current output.
  var isEnding = false
  /// Time of the client's last message, monotonic nanoseconds.
  var heardAt: Int64 = 0
  /// Time of the last ping to the client, monotonic nanoseconds.
  var pingedAt: Int64 = 0

  init(_ session: any LiveSession) { self.session = session }
}

extension HTTPConnection {
  /// Nanoseconds of silence after which a live client is sent a ping.
  ///
  /// A client that is silent for three times as long is disconnected.
  static let pingAfterNS: Int64 = 30_000_000_000
  /// Bytes that are prepared for sending at a time.
  ///
  /// The rest waits in the session, where newer texts replace older ones.
  private static let liveBatch = 64 * 1024

  /// Processes the client's commands and sends what is queued.
  ///
  /// Returns whether everything was sent; nil if the connection ends.
  mutating func advanceLive(_ bounds: HTTPLimits, now: Int64) -> Bool? {
    guard var link = live else { return nil }
    defer { if live != nil { live = link } }
    if !link.isEnding { takeMessages(&link, now: now) }
    while true {
      let wasWaiting = !answer.isEmpty
      guard let isOut = write() else { return nil }
      guard isOut else {
        if !wasWaiting { deadline = now &+ Int64(bounds.writeS * 1e9) }
        return false
      }
      if link.isEnding && link.control.isEmpty { return nil }
      var bytes = link.control
      link.control = []
      while !link.isEnding, bytes.count < Self.liveBatch, let frame = link.session.next() {
        bytes += WebSocketFrame.bytes(frame)
      }
      if bytes.isEmpty, link.session.isClosed {
        bytes = WebSocketFrame.close(1001)
        link.isEnding = true
      }
      if bytes.isEmpty { break }
      answer = bytes
      deadline = now &+ Int64(bounds.writeS * Double(1 + bytes.count / 65_536) * 1e9)
    }
    deadline = link.heardAt &+ 3 * Self.pingAfterNS
    return true
  }

  private mutating func takeMessages(_ link: inout LiveLink, now: Int64) {
    do throws(WebSocketReader.Fault) {
      while !link.session.isBusy, let message = try link.reader.next() {
        link.heardAt = now
        switch message {
        case .text(let text): link.session.take(text)
        // A client that pings without reading gets no more pongs than fit.
        case .ping(let payload):
          if link.control.count < Self.liveBatch { link.control += WebSocketFrame.pong(payload) }
        case .pong: break
        case .close:
          link.control += WebSocketFrame.close(1000)
          link.isEnding = true
          return
        }
      }
    } catch {
      link.control += WebSocketFrame.close(error.code, error.sentence)
      link.isEnding = true
    }
  }
}
