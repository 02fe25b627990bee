import NIOCore
import NIOHTTP1

/// An answer as it is sent.
struct HTTPAnswer: Sendable {
  /// The status line, the headers and the body.
  var bytes: ByteBuffer
  /// Whether the connection ends with it.
  var isLast: Bool

  /// Starts an answer with its status line and room for a body.
  init(status: Int, bodyLength: Int = 0, isLast: Bool) {
    bytes = ByteBuffer()
    bytes.reserveCapacity(512 + bodyLength)
    bytes.writeString("HTTP/1.1 \(status) ")
    bytes.writeString(HTTPResponseStatus(statusCode: status).reasonPhrase)
    bytes.writeStaticString("\r\n")
    self.isLast = isLast
  }

  /// Adds a header line.
  mutating func add(_ name: String, _ value: String) {
    bytes.writeString(name)
    bytes.writeStaticString(": ")
    bytes.writeString(value)
    bytes.writeStaticString("\r\n")
  }

  /// Ends the headers, and adds the body.
  mutating func end(body: [UInt8] = []) {
    bytes.writeStaticString("\r\n")
    bytes.writeBytes(body)
  }
}
