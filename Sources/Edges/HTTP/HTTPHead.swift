/// The head of a received request.
public struct HTTPHead: Hashable, Sendable {
  public var method: String
  /// Path and query, not decoded.
  public var target: [UInt8]
  /// By lower-case name; the last value if a name occurs several times.
  public var headers: [String: String]
  /// Whether the connection stays open after the answer.
  public var keepsAlive: Bool
  /// Bytes of a body that follow the head.
  public var bodyLength: Int
  /// Whether the request is HTTP/1.0, which does not require a Host header.
  var isOld = false
}

/// The reason why a request cannot be parsed; the connection ends with the answer.
public struct HTTPFault: Error, Hashable, Sendable {
  public var status: Int
  public var sentence: String

  public init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }
}

/// Parses heads of HTTP/1.1 requests from a stream of bytes (RFC 9112).
///
/// Strict: lines end with CR LF, names are tokens, a body has one length. Bounded: a head of more
/// than `headLimit` bytes or `lineLimit` lines is a fault, even if it is incomplete.
public struct HTTPReader: Sendable {
  public static let headLimit = 64 * 1024
  public static let lineLimit = 100
  public static let bodyLimit = 64 * 1024

  private var buffer: [UInt8] = []
  /// Position of the next head in the buffer, and the position up to which its end was searched
  /// for.
  private var start = 0
  private var searched = 0
  /// Remaining bytes of a body to skip: no request of this server uses a body.
  private var skipping = 0

  public init() {}

  public var isEmpty: Bool { start == buffer.count && skipping == 0 }

  /// Whether bytes of a body are outstanding, which belong to no head.
  var isInBody: Bool { skipping > 0 }

  public mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
    var rest = bytes[...]
    if skipping > 0 {
      let skipped = min(skipping, rest.count)
      skipping -= skipped
      rest = rest.dropFirst(skipped)
    }
    if start > 0 {
      buffer.removeFirst(start)
      (start, searched) = (0, max(0, searched - start))
    }
    buffer.append(contentsOf: rest)
  }

  /// Removes and returns the bytes after the last head, which belong to another protocol.
  mutating func takeRest() -> [UInt8] {
    defer { (buffer, start, searched) = ([], 0, 0) }
    return Array(buffer[start...])
  }

  /// The next complete head; nil if more bytes are needed.
  ///
  /// - Throws: `HTTPFault` with the status to answer.
  public mutating func next() throws(HTTPFault) -> HTTPHead? {
    guard let end = endOfHead() else {
      guard buffer.count - start <= Self.headLimit else {
        let isTarget = !buffer[start...].contains(0x0A)
        throw HTTPFault(
          isTarget ? 414 : 431, "the head of a request may have at most \(Self.headLimit) bytes")
      }
      return nil
    }
    guard end - start <= Self.headLimit else {
      throw HTTPFault(431, "the head of a request may have at most \(Self.headLimit) bytes")
    }
    let head = try Self.head(buffer[start..<end])
    let skipped = min(head.bodyLength, buffer.count - end - 4)
    skipping = head.bodyLength - skipped
    start = end + 4 + skipped
    searched = start
    return head
  }

  // Each byte is examined once, however slowly they arrive.
  private mutating func endOfHead() -> Int? {
    var at = max(start, searched - 3)
    while at + 3 < buffer.count {
      if buffer[at] == 0x0D, buffer[at + 1] == 0x0A, buffer[at + 2] == 0x0D,
        buffer[at + 3] == 0x0A
      {
        return at
      }
      at += 1
    }
    searched = buffer.count
    return nil
  }

  private static func head(_ bytes: ArraySlice<UInt8>) throws(HTTPFault) -> HTTPHead {
    let lines = try lines(bytes)
    guard let first = lines.first else { throw HTTPFault(400, "the request line is missing") }
    let words = first.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, isToken(words[0]), words[1].allSatisfy({ (0x21...0x7E).contains($0) }),
      let (authority, target) = target(words[1])
    else { throw HTTPFault(400, "the request line is not \"METHOD /path HTTP/1.1\"") }
    let version = String(decoding: words[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw HTTPFault(505, "this server supports HTTP/1.1 only")
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let (name, value) = try header(line)
      if name == "content-length" || name == "host", let known = headers[name], known != value {
        throw HTTPFault(400, "the request has two \(name) lines")
      }
      // These two headers may be spread over several lines.
      if name == "connection" || name == "upgrade", let known = headers[name] {
        headers[name] = "\(known), \(value)"
      } else {
        headers[name] = value
      }
    }
    if let authority { headers["host"] = authority }
    guard headers["transfer-encoding"] == nil else {
      throw HTTPFault(501, "this server supports no transfer encoding")
    }
    let connection = (headers["connection"] ?? "").lowercased().split(separator: ",")
      .map { word in word.filter { $0 != " " && $0 != "\t" } }
    let isOld = version == "HTTP/1.0"
    return HTTPHead(
      method: String(decoding: words[0], as: UTF8.self), target: target, headers: headers,
      keepsAlive: !connection.contains("close") && (!isOld || connection.contains("keep-alive")),
      bodyLength: try bodyLength(headers["content-length"]), isOld: isOld)
  }

  /// Splits a request target into its path and, in absolute form, its host (RFC 9112, 3.2.2).
  ///
  /// The result is nil for a target of any other form.
  private static func target(_ word: ArraySlice<UInt8>) -> (authority: String?, path: [UInt8])? {
    if word.first == 0x2F { return (nil, Array(word)) }
    let scheme = Array("http://".utf8)
    guard String(decoding: word.prefix(scheme.count), as: UTF8.self).lowercased() == "http://"
    else {
      return nil
    }
    let rest = word.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != 0x2F && $0 != 0x3F }
    guard !authority.isEmpty else { return nil }
    let path = rest.dropFirst(authority.count)
    return (
      String(decoding: authority, as: UTF8.self), path.first == 0x2F ? Array(path) : [0x2F] + path
    )
  }

  private static func lines(
    _ bytes: ArraySlice<UInt8>
  ) throws(HTTPFault) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    for at in bytes.indices {
      switch bytes[at] {
      case 0x0A:
        guard at > start, bytes[at - 1] == 0x0D else {
          throw HTTPFault(400, "a line of the head ends without CR")
        }
        lines.append(bytes[start..<(at - 1)])
        start = at + 1
      case 0: throw HTTPFault(400, "the head contains a zero byte")
      default: continue
      }
    }
    lines.append(bytes[start...])
    guard lines.count <= lineLimit else {
      throw HTTPFault(431, "the head of a request may have at most \(lineLimit) lines")
    }
    return lines
  }

  private static func header(
    _ line: ArraySlice<UInt8>
  ) throws(HTTPFault) -> (name: String, value: String) {
    guard let colon = line.firstIndex(of: 0x3A), isToken(line[..<colon]) else {
      throw HTTPFault(400, "a line of the head is not \"Name: value\"")
    }
    var value = line[(colon + 1)...]
    while let byte = value.first, byte == 0x20 || byte == 0x09 { value.removeFirst() }
    while let byte = value.last, byte == 0x20 || byte == 0x09 { value.removeLast() }
    return (
      String(decoding: line[..<colon], as: UTF8.self).lowercased(),
      String(decoding: value, as: UTF8.self)
    )
  }

  private static func bodyLength(_ text: String?) throws(HTTPFault) -> Int {
    guard let text else { return 0 }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
      throw HTTPFault(400, "Content-Length is not a number")
    }
    guard length <= bodyLimit else {
      throw HTTPFault(413, "the body of a request may have at most \(bodyLimit) bytes")
    }
    return length
  }

  private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
      }
  }
}
