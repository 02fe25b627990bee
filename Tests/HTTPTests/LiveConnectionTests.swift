import CLinux
import Glibc
import Synchronization
import Testing

@testable import HTTP

/// A channel whose sessions answer each command with itself, when they are not busy.
private final class EchoChannel: LiveChannel {
  let subprotocols: [String]
  let isBusy = Atomic(false)
  let isClosed = Atomic(false)
  let left = Atomic(0)
  let bells = Mutex<[@Sendable () -> Void]>([])

  init(_ subprotocols: [String] = []) { self.subprotocols = subprotocols }

  func join(
    _ request: WebRequest, _ wake: @escaping @Sendable () -> Void
  ) -> (any LiveSession)? {
    guard request.path != "/full" else { return nil }
    bells.withLock { $0.append(wake) }
    return EchoSession(self)
  }

  func wake() { for bell in bells.withLock({ $0 }) { bell() } }
}

private final class EchoSession: LiveSession {
  private let channel: EchoChannel
  private let answers = Mutex<[LiveFrame]>([])

  init(_ channel: EchoChannel) { self.channel = channel }

  var isBusy: Bool { channel.isBusy.load(ordering: .relaxed) }
  var isClosed: Bool { channel.isClosed.load(ordering: .relaxed) }
  func next() -> LiveFrame? { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
  func handle(_ command: String) { answers.withLock { $0.append(.text(command)) } }
  func leave() { channel.left.add(1, ordering: .relaxed) }
}

/// A WebSocket client over a plain socket.
private final class LiveClient {
  private let descriptor: Int32

  init(_ port: UInt16) { descriptor = clinux_tcp_connect("127.0.0.1", port, 10_000) }
  deinit { clinux_close(descriptor) }

  func send(_ bytes: [UInt8]) {
    #expect(clinux_tcp_write(descriptor, bytes, Int64(bytes.count), 10_000) == bytes.count)
  }

  func read(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var byte: UInt8 = 0
      guard clinux_tcp_read(descriptor, &byte, 1, 20_000) == 1 else { break }
      bytes.append(byte)
    }
    return bytes
  }

  /// The head of the answer to a handshake with these lines, which may be followed by more bytes.
  func open(_ path: String = "/live", _ lines: String = handshake, then more: [UInt8] = [])
    -> String
  {
    send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n".utf8) + more)
    var head = ""
    while !head.hasSuffix("\r\n\r\n"), let byte = read(1).first {
      head.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return head
  }

  /// First byte and payload of the next frame; nil at the end of the connection.
  func frame() -> (first: UInt8, payload: [UInt8])? {
    let head = read(2)
    guard head.count == 2 else { return nil }
    let length =
      head[1] < 126 ? Int(head[1]) : read(head[1] == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
    return (head[0], read(length))
  }

  /// The code of the close frame that ends the connection.
  func closeCode() -> Int? {
    while let (first, payload) = frame() {
      if first == 0x88, payload.count >= 2, frame() == nil {
        return Int(payload[0]) << 8 | Int(payload[1])
      }
    }
    return nil
  }
}

/// The lines of the example of RFC 6455, 1.3.
private let handshake =
  "Upgrade: WebSocket\r\nConnection: keep-alive\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

@Suite struct LiveConnectionTests {
  private func serve(
    _ channel: EchoChannel, path: String = "/live", _ body: (UInt16) throws -> Void
  ) throws {
    let service = try HTTPService(
      host: "127.0.0.1", port: 0, live: LivePath(path, channel)
    ) { _, _ in WebResponse(contentType: "text/plain", body: []) }
    service.start()
    defer { service.stop() }
    try body(service.port)
  }

  private func text(_ text: String) -> [UInt8] { WebSocketTests.frame(0x81, Array(text.utf8)) }

  @Test func `the handshake is answered as RFC 6455 has it`() throws {
    try serve(EchoChannel()) { port in
      let head = LiveClient(port).open()
      #expect(head.hasPrefix("HTTP/1.1 101 "))
      #expect(head.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
      for wrong in [": WebSocket", ": Upgrade", ": 13", ": dGhl"] {
        let lines = handshake.replacing(wrong, with: ": no")
        #expect(LiveClient(port).open("/live", lines).hasPrefix("HTTP/1.1 400 "), "\(wrong)")
      }
    }
  }

  @Test func `a client must speak one of the subprotocols, if there are any`() throws {
    try serve(EchoChannel(["b", "a"])) { port in
      #expect(LiveClient(port).open().hasPrefix("HTTP/1.1 400 "))
      let lines = handshake + "Sec-WebSocket-Protocol: a, b\r\n"
      #expect(LiveClient(port).open("/live", lines).contains("\r\nSec-WebSocket-Protocol: b\r\n"))
    }
  }

  @Test func `a client for whom there is no room is refused`() throws {
    try serve(EchoChannel(), path: "/full") { port in
      #expect(LiveClient(port).open("/full").hasPrefix("HTTP/1.1 503 "))
    }
  }

  @Test func `bytes that follow the handshake at once are its first frames`() throws {
    try serve(EchoChannel()) { port in
      let client = LiveClient(port)
      let more = text("one") + WebSocketTests.frame(0x89, [7]) + text("two")
      #expect(client.open(then: more).hasPrefix("HTTP/1.1 101 "))
      let frames = (0..<3).compactMap { _ in client.frame() }
      #expect(Set(frames.map(\.payload)) == [Array("one".utf8), [7], Array("two".utf8)])
      #expect(frames.first { $0.first == 0x8A }?.payload == [7])
    }
  }

  @Test func `commands wait while the session is busy, and keep their order`() throws {
    let channel = EchoChannel()
    channel.isBusy.store(true, ordering: .relaxed)
    try serve(channel) { port in
      let client = LiveClient(port)
      _ = client.open()
      for number in 0..<200 { client.send(text("\(number)")) }
      channel.isBusy.store(false, ordering: .relaxed)
      channel.wake()
      for number in 0..<200 {
        #expect(client.frame()?.payload == Array("\(number)".utf8))
      }
    }
  }

  @Test func `an error of the client ends the connection with its code`() throws {
    let long = [UInt8](repeating: 0x61, count: 40_000)
    let cases: [([UInt8], Int)] = [
      ([0x81, 0x01, 0x61], 1002), (WebSocketTests.frame(0x82, [1]), 1003),
      (WebSocketTests.frame(0x81, [0xff]), 1007), (WebSocketTests.frame(0x09, [1]), 1002),
      (WebSocketTests.frame(0x01, long) + WebSocketTests.frame(0x80, long), 1009),
      ([0x81, 0xff] + [UInt8](repeating: 0xff, count: 12), 1009),
      (WebSocketTests.frame(0x88, [3, 232]), 1000),
    ]
    let channel = EchoChannel()
    try serve(channel) { port in
      for (bytes, code) in cases {
        let client = LiveClient(port)
        _ = client.open()
        client.send(bytes)
        #expect(client.closeCode() == code)
      }
      while channel.left.load(ordering: .relaxed) < cases.count { sched_yield() }
    }
  }

  @Test func `a session that ends closes its connection with 1001`() throws {
    let channel = EchoChannel()
    try serve(channel) { port in
      let client = LiveClient(port)
      _ = client.open()
      channel.isClosed.store(true, ordering: .relaxed)
      channel.wake()
      #expect(client.closeCode() == 1001)
    }
  }
}
