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

  func read(_ bytes: [UInt8], piece: Int = .max) -> (
    messages: [WebSocketReader.Message], code: UInt16?
  ) {
    var reader = WebSocketReader()
    var messages: [WebSocketReader.Message] = []
    var rest = bytes[...]
    do throws(WebSocketReader.Fault) {
      while !rest.isEmpty {
        reader.feed(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        while let message = try reader.next() { messages.append(message) }
      }
    } catch {
      return (messages, error.code)
    }
    return (messages, nil)
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

  @Test func `frames of the server have the shortest length`() {
    #expect(WebSocketFrame.text("ab") == [0x81, 2, 0x61, 0x62])
    #expect(
      WebSocketFrame.text(String(repeating: "a", count: 126)).prefix(4) == [0x81, 126, 0, 126])
    #expect(
      WebSocketFrame.text(String(repeating: "a", count: 65_536)).prefix(10)
        == [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0])
    #expect(WebSocketFrame.close(1000) == [0x88, 2, 3, 232])
  }

  @Test func `the handshake is answered as RFC 6455 has it`() {
    func head(_ lines: String) throws(HTTPFault) -> HTTPHead? {
      var reader = HTTPReader()
      Array("GET /live HTTP/1.1\r\nHost: x\r\n\(lines)\r\n".utf8).withUnsafeBufferPointer {
        reader.feed($0)
      }
      return try reader.next()
    }
    let good =
      "Upgrade: WebSocket\r\nConnection: keep-alive\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    let answer = (try? head(good)).flatMap { $0 }.flatMap { WebSocketHandshake.answer(to: $0) }
    #expect(String(decoding: answer ?? [], as: UTF8.self).contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    for wrong in ["WebSocket", "Upgrade", "13", "dGhl"] {
      let text = good.replacing(wrong, with: "no")
      #expect((try? head(text)).flatMap { $0 }.flatMap { WebSocketHandshake.answer(to: $0) } == nil)
    }
  }

  @Test func `digest and letters are those of the standards`() {
    func hex(_ bytes: [UInt8]) -> String {
      bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    #expect(hex(SHA1.digest([])) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(hex(SHA1.digest(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    let long = [UInt8](repeating: 0x61, count: 1_000)
    #expect(hex(SHA1.digest(long)) == "291e9a6c66994949b57ba5e650361e98fc36b1ba")
    let pairs = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg=="]
    for (plain, letters) in pairs { #expect(Base64.text(Array(plain.utf8)) == letters) }
  }
}
