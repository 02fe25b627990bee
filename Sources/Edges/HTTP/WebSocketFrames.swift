/// Parses the frames of a WebSocket client from a stream of bytes (RFC 6455).
///
/// Client frames must be masked, and control frames must be short and unfragmented. A message has
/// at most `messageLimit` bytes.
struct WebSocketReader: Sendable {
  /// Longest message of a client in bytes.
  static let messageLimit = 64 * 1024

  enum Message: Hashable, Sendable {
    case text(String)
    case ping([UInt8])
    case pong
    case close
  }

  /// Why the connection is closed, with the status code of RFC 6455, 7.4.1.
  struct Fault: Error, Hashable, Sendable {
    var code: UInt16
    var sentence: String

    init(_ code: UInt16, _ sentence: String) {
      self.code = code
      self.sentence = sentence
    }
  }

  private var buffer: [UInt8] = []
  private var start = 0
  /// The received parts of an incomplete message; nil if none has begun.
  private var message: [UInt8]?

  mutating func feed(_ bytes: some Sequence<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next complete message; nil if more bytes are needed.
  mutating func next() throws(Fault) -> Message? {
    while let frame = try frame() {
      switch frame.opcode {
      case 0x8: return .close
      case 0x9: return .ping(frame.payload)
      case 0xA: return .pong
      case 0x0 where message != nil: message?.append(contentsOf: frame.payload)
      case 0x1 where message == nil: message = frame.payload
      case 0x2: throw Fault(1003, "commands must be text")
      default: throw Fault(1002, "a frame is out of order")
      }
      guard message?.count ?? 0 <= Self.messageLimit else {
        throw Fault(1009, "a command may have at most \(Self.messageLimit) bytes")
      }
      guard frame.isLast, let whole = message else { continue }
      message = nil
      guard let text = String(validating: whole, as: UTF8.self) else {
        throw Fault(1007, "a command is not valid UTF-8")
      }
      return .text(text)
    }
    return nil
  }

  private struct Frame {
    var opcode: UInt8
    var isLast: Bool
    var payload: [UInt8]
  }

  private mutating func frame() throws(Fault) -> Frame? {
    let left = buffer.count - start
    guard left >= 2 else { return nil }
    let (first, second) = (buffer[start], buffer[start + 1])
    let (opcode, isLast) = (first & 0x0f, first & 0x80 != 0)
    guard first & 0x70 == 0, second & 0x80 != 0 else {
      throw Fault(1002, "frames of a client must be masked and without extensions")
    }
    var length = Int(second & 0x7f)
    guard opcode < 8 || (length < 126 && isLast) else {
      throw Fault(1002, "a control frame must be short and not fragmented")
    }
    var head = 2
    if length >= 126 {
      let count = length == 126 ? 2 : 8
      guard left >= 2 + count else { return nil }
      head += count
      let number = buffer[(start + 2)..<(start + 2 + count)].reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      guard number <= UInt64(Self.messageLimit) else {
        throw Fault(1009, "a command may have at most \(Self.messageLimit) bytes")
      }
      length = Int(number)
    }
    guard left >= head + 4 + length else { return nil }
    let mask = Array(buffer[(start + head)..<(start + head + 4)])
    let body = start + head + 4
    let payload = (0..<length).map { buffer[body + $0] ^ mask[$0 & 3] }
    start = body + length
    return Frame(opcode: opcode, isLast: isLast, payload: payload)
  }
}

/// Encodes the frames that a server sends.
enum WebSocketFrame {
  static func text(_ text: String) -> [UInt8] { frame(0x1, Array(text.utf8)) }
  static func bytes(_ message: LiveFrame) -> [UInt8] {
    switch message {
    case .text(let text): self.text(text)
    case .binary(let bytes): frame(0x2, bytes)
    }
  }
  static func ping() -> [UInt8] { frame(0x9, []) }
  static func pong(_ payload: [UInt8]) -> [UInt8] { frame(0xA, payload) }

  static func close(_ code: UInt16, _ sentence: String = "") -> [UInt8] {
    frame(0x8, [UInt8(code >> 8), UInt8(code & 0xff)] + Array(sentence.utf8.prefix(120)))
  }

  private static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var head = [0x80 | opcode]
    switch payload.count {
    case ..<126: head.append(UInt8(payload.count))
    case ..<65_536: head += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    default:
      head.append(127)
      head += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
    }
    return head + payload
  }
}

/// The response to a client that requests a WebSocket.
enum WebSocketHandshake {
  private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// Returns the head that opens the connection; nil if the request is not a version 13 handshake, or offers none of
  /// the subprotocols `spoken` where there are some.
  static func answer(to head: HTTPHead, speaking spoken: [String] = []) -> [UInt8]? {
    func names(_ header: String) -> Set<String> {
      Set(
        (head.headers[header] ?? "").lowercased().split(separator: ",").map { word in
          String(word.drop { $0 == " " }.prefix { $0 != " " })
        })
    }
    guard head.method == "GET", names("upgrade").contains("websocket"),
      names("connection").contains("upgrade"), head.headers["sec-websocket-version"] == "13",
      let key = head.headers["sec-websocket-key"], key.utf8.count == 24
    else { return nil }
    let offered = names("sec-websocket-protocol")
    let chosen = spoken.first { offered.contains($0) }
    guard spoken.isEmpty || chosen != nil else { return nil }
    let protocolLine = chosen.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
    let accept = Base64.text(SHA1.digest(Array((key + suffix).utf8)))
    return Array(
      ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + protocolLine + "Sec-WebSocket-Accept: \(accept)\r\n\r\n").utf8)
  }
}

/// The SHA-1 digest of the WebSocket handshake; it must not be used for security.
enum SHA1 {
  static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    var data = bytes + [0x80]
    while data.count % 64 != 56 { data.append(0) }
    let bits = UInt64(bytes.count) * 8
    data += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    for block in stride(from: 0, to: data.count, by: 64) {
      var words = (0..<16).map { index in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(data[block + index * 4 + $1]) }
      }
      for index in 16..<80 {
        let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
        words.append(rotated(mixed, 1))
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for index in 0..<80 {
        let (mix, constant): (UInt32, UInt32) =
          switch index {
          case ..<20: ((b & c) | (~b & d), 0x5a82_7999)
          case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
          case ..<60: ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc)
          default: (b ^ c ^ d, 0xca62_c1d6)
          }
        let next = rotated(a, 5) &+ mix &+ e &+ constant &+ words[index]
        (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
      }
      for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
    return state.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
    }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}

enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(UInt32(0)) {
        $0 << 8 | UInt32(start + $1 < bytes.count ? bytes[start + $1] : 0)
      }
      for place in 0..<4 {
        out.append(
          place <= part.count
            ? letters[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
