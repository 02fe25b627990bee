import NIOCore
import NIOWebSocket

/// Joins the frames of a WebSocket client to messages (RFC 6455).
///
/// Client frames must be masked. A message has at most `limit` bytes, and is text.
struct WebSocketMessages: Sendable {
  /// Longest message of a client in bytes.
  static let limit = 64 * 1024

  enum Message: Hashable, Sendable {
    case text(String)
    case ping([UInt8])
    case pong
    case close
  }

  /// The received parts of an incomplete message; nil if none has begun.
  private var parts: ByteBuffer?

  /// Takes a frame; returns the message that it completes.
  mutating func add(_ frame: WebSocketFrame) throws(WebSocketFault) -> Message? {
    guard !frame.rsv1, !frame.rsv2, !frame.rsv3, frame.maskKey != nil else {
      throw WebSocketFault(1002, "frames of a client must be masked and without extensions")
    }
    var data = frame.unmaskedData
    switch frame.opcode {
    case .connectionClose: return .close
    case .ping: return .ping(Array(data.readableBytesView))
    case .pong: return .pong
    case .continuation where parts != nil: parts?.writeBuffer(&data)
    case .text where parts == nil: parts = data
    case .binary: throw WebSocketFault(1003, "commands must be text")
    default: throw WebSocketFault(1002, "a frame is out of order")
    }
    guard let whole = parts, whole.readableBytes <= Self.limit else { throw .tooLarge }
    guard frame.fin else { return nil }
    parts = nil
    guard let text = String(validating: whole.readableBytesView, as: UTF8.self) else {
      throw WebSocketFault(1007, "a command is not valid UTF-8")
    }
    return .text(text)
  }
}

/// Why a WebSocket is closed, with the status code of RFC 6455, 7.4.1.
struct WebSocketFault: Error, Hashable, Sendable {
  var code: UInt16
  var sentence: String

  init(_ code: UInt16, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  /// Creates the fault for an error that the decoder of frames reports.
  init(_ error: any Error) {
    switch error {
    case let fault as WebSocketFault: self = fault
    case NIOWebSocketError.invalidFrameLength: self = .tooLarge
    default: self.init(1002, "a control frame must be short and not fragmented")
    }
  }

  static let tooLarge = WebSocketFault(
    1009, "a command may have at most \(WebSocketMessages.limit) bytes")
}

extension WebSocketFrame {
  static func message(_ message: LiveFrame) -> WebSocketFrame {
    switch message {
    case .text(let text): WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    case .binary(let bytes):
      WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(bytes: bytes))
    }
  }

  static func ping() -> WebSocketFrame {
    WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
  }

  static func pong(_ payload: [UInt8]) -> WebSocketFrame {
    WebSocketFrame(fin: true, opcode: .pong, data: ByteBuffer(bytes: payload))
  }

  static func close(_ code: UInt16, _ sentence: String = "") -> WebSocketFrame {
    var data = ByteBuffer(integer: code)
    data.writeBytes(sentence.utf8.prefix(120))
    return WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
  }
}
