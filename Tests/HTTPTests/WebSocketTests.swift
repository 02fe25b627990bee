import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import HTTP

@Suite struct WebSocketTests {
  static func frame(_ first: UInt8, _ payload: [UInt8], mask: [UInt8] = [9, 8, 7, 6]) -> [UInt8] {
    var bytes = [first]
    switch payload.count {
    case ..<126: bytes.append(0x80 | UInt8(payload.count))
    case ..<65_536:
      bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    default:
      bytes.append(0x80 | 127)
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
    }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  /// Messages read from the bytes in pieces, and the code of the fault that ended the reading.
  func read(_ bytes: [UInt8], piece: Int = .max) -> (
    messages: [WebSocketMessages.Message], code: UInt16?
  ) {
    let channel = EmbeddedChannel()
    var messages = WebSocketMessages()
    var found: [WebSocketMessages.Message] = []
    var rest = bytes[...]
    do {
      try channel.pipeline.syncOperations.addHandler(
        ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketMessages.limit)))
      while !rest.isEmpty {
        try channel.writeInbound(ByteBuffer(bytes: rest.prefix(piece)))
        rest = rest.dropFirst(piece)
        while let frame = try channel.readInbound(as: WebSocketFrame.self) {
          if let message = try messages.add(frame) { found.append(message) }
        }
      }
    } catch {
      return (found, WebSocketFault(error).code)
    }
    return (found, nil)
  }

  @Test(arguments: [1, 2, 3, 7, Int.max]) func `messages are read however they are cut`(piece: Int)
  {
    let long = String(repeating: "ä", count: 5_000)
    let bytes =
      Self.frame(0x81, Array("one".utf8)) + Self.frame(0x01, Array("t".utf8))
      + Self.frame(0x89, [1, 2]) + Self.frame(0x80, Array("wo".utf8))
      + Self.frame(0x81, Array(long.utf8)) + Self.frame(0x8A, []) + Self.frame(0x88, [3, 232])
    let (messages, code) = read(bytes, piece: piece)
    #expect(code == nil)
    #expect(messages == [.text("one"), .ping([1, 2]), .text("two"), .text(long), .pong, .close])
  }

  @Test func `what breaks the protocol or is too large ends the link`() {
    #expect(read([0x81, 0x03, 1, 2, 3]).code == 1002)
    #expect(read(Self.frame(0xC1, [1])).code == 1002)
    #expect(read(Self.frame(0x80, [1])).code == 1002)
    #expect(read(Self.frame(0x09, [1])).code == 1002)
    #expect(read(Self.frame(0x89, [UInt8](repeating: 0, count: 126))).code == 1002)
    #expect(read(Self.frame(0x82, [1])).code == 1003)
    #expect(read(Self.frame(0x81, [0xff])).code == 1007)
    #expect(read([0x81, 0xff] + [UInt8](repeating: 0xff, count: 8)).code == 1009)
    let half = [UInt8](repeating: 0x61, count: 40_000)
    #expect(read(Self.frame(0x01, half) + Self.frame(0x80, half)).code == 1009)
  }

  @Test func `frames of the server have the shortest length`() throws {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(WebSocketFrameEncoder())
    func bytes(_ frame: WebSocketFrame) throws -> [UInt8] {
      try channel.writeOutbound(frame)
      var bytes: [UInt8] = []
      while let part = try channel.readOutbound(as: ByteBuffer.self) {
        bytes += Array(part.readableBytesView)
      }
      return bytes
    }
    func text(_ count: Int) -> WebSocketFrame {
      .message(.text(String(repeating: "a", count: count)))
    }
    #expect(try bytes(text(2)) == [0x81, 2, 0x61, 0x61])
    #expect(try bytes(text(126)).prefix(4) == [0x81, 126, 0, 126])
    #expect(try bytes(text(65_536)).prefix(10) == [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0])
    #expect(try bytes(.message(.binary([1]))) == [0x82, 1, 1])
    #expect(try bytes(.close(1000)) == [0x88, 2, 3, 232])
  }
}
