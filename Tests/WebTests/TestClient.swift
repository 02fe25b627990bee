import Foundation
import Glibc

/// A TCP client of the plainest kind: sends bytes, reads with a deadline.
final class TestClient {
  struct Failure: Error {}
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure() }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else { throw Failure() }
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Bytes up to and with `end`.
  func read(until end: String) throws -> String {
    let mark = Array(end.utf8)
    var text: [UInt8] = []
    while !text.suffix(mark.count).elementsEqual(mark) { text.append(try byte()) }
    return String(decoding: text, as: UTF8.self)
  }

  func read(count: Int) throws -> [UInt8] { try (0..<count).map { _ in try byte() } }

  private func byte() throws -> UInt8 {
    if buffer.isEmpty {
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { throw Failure() }
      buffer = chunk.prefix(count).reversed()
    }
    guard let byte = buffer.popLast() else { throw Failure() }
    return byte
  }

  // MARK: HTTP

  /// Status and body of a GET.
  func get(_ path: String, headers: String = "Host: 127.0.0.1") throws -> (Int, String, String) {
    try send("GET \(path) HTTP/1.1\r\n\(headers)\r\n\r\n")
    return try response()
  }

  func response() throws -> (Int, String, String) {
    let head = try read(until: "\r\n\r\n")
    let status = Int(head.split(separator: " ")[1]) ?? 0
    let length = head.lowercased().split(separator: "\r\n").first {
      $0.hasPrefix("content-length:")
    }
    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
    return (status, head, String(decoding: try read(count: length ?? 0), as: UTF8.self))
  }

  // MARK: WebSocket

  func upgrade(origin: String? = nil) throws -> Int {
    let line = origin.map { "Origin: \($0)\r\n" } ?? ""
    try send(
      "GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\n\(line)Upgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
    let head = try read(until: "\r\n\r\n")
    return Int(head.split(separator: " ")[1]) ?? 0
  }

  func frame() throws -> String {
    while true {
      let head = try read(count: 2)
      var length = Int(head[1] & 0x7f)
      if length >= 126 {
        length = try read(count: length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
      }
      let payload = try read(count: length)
      // Pings of a server that waits are no message.
      if head[0] & 0x0f < 8 { return String(decoding: payload, as: UTF8.self) }
    }
  }

  func sendFrame(_ text: String) throws {
    let payload = Array(text.utf8)
    precondition(payload.count < 126, "the tests' commands are short")
    let mask: [UInt8] = [1, 2, 3, 4]
    try send(
      [0x81, 0x80 | UInt8(payload.count)] + mask
        + payload.enumerated().map { $1 ^ mask[$0 % 4] })
  }
}
