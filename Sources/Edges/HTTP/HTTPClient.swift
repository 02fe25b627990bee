import CLinux
import Glibc

/// The reason why a server gave no readable answer.
public enum HTTPClientFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Unknown name, refused, reset, timed out: the reason in the system's words.
  case unreachable(String)
  /// The received bytes are not an HTTP/1.1 answer, or exceed the limit.
  case unreadable(String)

  public var description: String {
    switch self {
    case .unreachable(let reason): "cannot be reached: \(reason)"
    case .unreadable(let reason): "sends no readable answer: \(reason)"
    }
  }
}

/// The address of a server: `http://host:port/prefix`.
public struct HTTPEndpoint: Hashable, Sendable, CustomStringConvertible {
  public var host: String
  public var port: UInt16
  /// Path before every target, without a trailing slash; often empty.
  public var prefix: String

  /// nil for a text that is not the `http` address of a server.
  public init?(_ text: String) {
    guard text.hasPrefix("http://") else { return nil }
    let rest = text.dropFirst("http://".count)
    let authority = rest.prefix { $0 != "/" }
    var path = String(rest.dropFirst(authority.count))
    while path.hasSuffix("/") { path.removeLast() }
    let name: Substring
    var digits = Substring("80")
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      name = authority[authority.index(after: authority.startIndex)..<end]
      let tail = authority[authority.index(after: end)...]
      if !tail.isEmpty { digits = tail.dropFirst() }
    } else {
      let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2 else { return nil }
      name = parts[0]
      if parts.count == 2 { digits = parts[1] }
    }
    guard !name.isEmpty, let port = UInt16(digits), port > 0,
      (name + path).utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    host = String(name)
    self.port = port
    prefix = path
  }

  /// Host and port as in a request head; an IPv6 address has brackets.
  var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  public var description: String { "http://\(authority)\(prefix)" }
}

/// Sends a request to an HTTP server, with a timeout, on the calling thread.
///
/// Each request uses its own connection, because some servers close persistent ones after some
/// hundred requests.
public struct HTTPClient: Sendable {
  /// Maximum size of an answer, in bytes.
  public static let answerLimit = 64 << 20

  public let endpoint: HTTPEndpoint
  /// Timeout in seconds, excluding the lookup of the host's name.
  public let timeoutS: Double

  public init(endpoint: HTTPEndpoint, timeoutS: Double) {
    self.endpoint = endpoint
    self.timeoutS = timeoutS
  }

  /// Status and body of the answer to a GET, or to a POST if there is a body.
  ///
  /// Blocks for at most the time-out.
  public func ask(
    _ target: String, body: [UInt8]? = nil
  ) throws(HTTPClientFailure) -> (status: Int, body: [UInt8]) {
    let deadline = clinux_monotonic_ns() &+ Int64(Double.minimum(timeoutS, 1e6) * 1e9)
    let descriptor = clinux_tcp_connect(endpoint.host, endpoint.port, Self.leftMS(deadline))
    guard descriptor >= 0 else {
      throw .unreachable(errno == ENOENT ? "there is no host of that name" : HTTPSocket.reason)
    }
    defer { clinux_close(descriptor) }
    var head = "\(body == nil ? "GET" : "POST") \(endpoint.prefix)\(target) HTTP/1.1\r\n"
    head += "Host: \(endpoint.authority)\r\nAccept: application/json\r\n"
    head += "Connection: close\r\n"
    if let body {
      head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
    }
    try Self.send(Array((head + "\r\n").utf8) + (body ?? []), descriptor, deadline)
    return try HTTPAnswerReader.response(try Self.received(descriptor, deadline))
  }

  private static func send(
    _ bytes: [UInt8], _ descriptor: Int32, _ deadline: Int64
  ) throws(HTTPClientFailure) {
    var sent = 0
    while sent < bytes.count {
      guard clinux_monotonic_ns() < deadline else { throw late }
      let count = bytes.withUnsafeBufferPointer {
        clinux_tcp_write(
          descriptor, $0.baseAddress.map { $0 + sent }, Int64(bytes.count - sent),
          leftMS(deadline))
      }
      guard count > 0 else { throw .unreachable(HTTPSocket.reason) }
      sent += Int(count)
    }
  }

  // The server closes after its answer, so everything received is the answer.
  private static func received(
    _ descriptor: Int32, _ deadline: Int64
  ) throws(HTTPClientFailure) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      guard clinux_monotonic_ns() < deadline else { throw late }
      let got = clinux_tcp_read(descriptor, &chunk, Int64(chunk.count), leftMS(deadline))
      if got == 0 { return all }
      guard got > 0 else { throw .unreachable(HTTPSocket.reason) }
      all.append(contentsOf: chunk.prefix(Int(got)))
      guard all.count <= answerLimit else { throw .unreadable("the answer is longer than 64 MiB") }
      if HTTPAnswerReader.isWhole(all) { return all }
    }
  }

  private static var late: HTTPClientFailure { .unreachable("it takes too long") }

  private static func leftMS(_ deadline: Int64) -> Int32 {
    Int32(clamping: max(1, (deadline - clinux_monotonic_ns()) / 1_000_000))
  }
}

/// Parses an HTTP/1.1 answer.
enum HTTPAnswerReader {
  static func response(_ bytes: [UInt8]) throws(HTTPClientFailure) -> (status: Int, body: [UInt8]) {
    guard let end = endOfHead(bytes) else { throw .unreadable("its header has no end") }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw .unreadable("its first line is not HTTP/1.1")
    }
    let body = bytes[(end + 4)...]
    if header("transfer-encoding", lines)?.lowercased() == "chunked" {
      return (status, try unchunked(body))
    }
    guard let length = header("content-length", lines) else { return (status, Array(body)) }
    guard let count = Int(length), count >= 0, count <= body.count else {
      throw .unreadable("the answer is truncated")
    }
    return (status, Array(body.prefix(count)))
  }

  /// Whether an answer with a declared length is complete.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let end = endOfHead(bytes) else { return false }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    guard let length = header("content-length", lines).flatMap({ Int($0) }), length >= 0 else {
      return bytes.suffix(5).elementsEqual(Array("0\r\n\r\n".utf8))
        && header("transfer-encoding", lines) != nil
    }
    return bytes.count - end - 4 >= length
  }

  private static func header(_ name: String, _ lines: [Substring]) -> String? {
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
        continue
      }
      return String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    return nil
  }

  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for at in 0...(min(bytes.count, HTTPHead.sizeLimit) - 4)
    where bytes[at] == 0x0D && bytes[at + 1] == 0x0A && bytes[at + 2] == 0x0D
      && bytes[at + 3] == 0x0A
    {
      return at
    }
    return nil
  }

  private static func unchunked(
    _ bytes: ArraySlice<UInt8>
  ) throws(HTTPClientFailure) -> [UInt8] {
    var rest = bytes
    var body: [UInt8] = []
    while let line = rest.firstIndex(of: 0x0D) {
      let size = rest[..<line].prefix { $0 != 0x3B }
      guard let count = Int(String(decoding: size, as: UTF8.self), radix: 16), count >= 0 else {
        throw .unreadable("a chunk has no length")
      }
      rest = rest[line...].dropFirst(2)
      if count == 0 { return body }
      guard rest.count >= count else { throw .unreadable("the answer is truncated") }
      body.append(contentsOf: rest.prefix(count))
      rest = rest.dropFirst(count + 2)
    }
    throw .unreadable("the answer is truncated")
  }
}
