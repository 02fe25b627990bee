import CLinux
import Glibc
import Synchronization
import Testing

@testable import HTTP

/// A client over a plain socket.
private final class Client {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ port: UInt16) { descriptor = clinux_tcp_connect("127.0.0.1", port, 10_000) }
  deinit { clinux_close(descriptor) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBufferPointer {
        clinux_tcp_write(
          descriptor, $0.baseAddress.map { $0 + sent }, Int64(bytes.count - sent), 10_000)
      }
      guard count > 0 else { return }
      sent += Int(count)
    }
  }

  /// Status and body of the next answer; nil where the connection ends before.
  func answer() -> (status: Int, body: String)? {
    var head = ""
    while !head.hasSuffix("\r\n\r\n") {
      guard let byte = next() else { return nil }
      head.unicodeScalars.append(Unicode.Scalar(byte))
    }
    let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
      .flatMap { Int($0.dropFirst(16)) }
    var body: [UInt8] = []
    for _ in 0..<(length ?? 0) {
      guard let byte = next() else { return nil }
      body.append(byte)
    }
    return (Int(head.split(separator: " ")[1]) ?? 0, String(decoding: body, as: UTF8.self))
  }

  private func next() -> UInt8? {
    if buffer.isEmpty {
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let got = clinux_tcp_read(descriptor, &chunk, 65_536, 20_000)
      guard got > 0 else { return nil }
      buffer = chunk.prefix(Int(got)).reversed()
    }
    return buffer.popLast()
  }
}

@Suite struct HTTPServiceTests {
  /// A server that tells a request's path back; `/wait` answers when the gate is opened.
  final class Echo: Sendable {
    let isOpen = Atomic(false)
    let gaveUp = Atomic(0)

    func service(_ bounds: HTTPLimits = HTTPLimits()) throws -> HTTPService {
      let service = try HTTPService(
        host: "127.0.0.1", port: 0, bounds: bounds,
        isHeavy: { $0.target.starts(with: Array("/wait".utf8)) }
      ) { [self] head, patience in
        if head.target.starts(with: Array("/wait".utf8)) {
          while !isOpen.load(ordering: .relaxed), !patience.hasEnded { sched_yield() }
          if patience.hasEnded { gaveUp.add(1, ordering: .relaxed) }
        }
        let size = head.target.starts(with: Array("/large".utf8)) ? 8 << 20 : 0
        return WebResponse(
          contentType: "text/plain", body: head.target + [UInt8](repeating: 0x61, count: size))
      }
      service.start()
      return service
    }
  }

  func get(_ path: String, _ more: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(more)\r\n"
  }

  @Test func `one connection asks many times, also before it has read`() throws {
    let service = try Echo().service()
    defer { service.stop() }
    let client = Client(service.port)
    client.send((0..<500).map { get("/\($0)") }.joined())
    for number in 0..<500 {
      let answer = try #require(client.answer())
      #expect(answer.status == 200 && answer.body == "/\(number)")
    }
  }

  @Test func `a heavy query leaves a worker for the light ones`() throws {
    let echo = Echo()
    let service = try echo.service()
    defer { service.stop() }
    let heavy = (0..<8).map { _ in Client(service.port) }
    for client in heavy { client.send(get("/wait")) }
    let client = Client(service.port)
    client.send(get("/quick"))
    #expect(client.answer()?.body == "/quick")
    echo.isOpen.store(true, ordering: .relaxed)
    for client in heavy { #expect(client.answer()?.body == "/wait") }
  }

  @Test func `a calculation is given up when its time is over`() throws {
    let echo = Echo()
    var bounds = HTTPLimits()
    bounds.answerS = 0.05
    let service = try echo.service(bounds)
    defer { service.stop() }
    let client = Client(service.port)
    client.send(get("/wait"))
    // Where no worker was free in that time it was not even begun.
    let answer = try #require(client.answer())
    #expect(answer.status == 503 || echo.gaveUp.load(ordering: .relaxed) == 1)
  }

  @Test func `who is slow makes room for others when there is none`() throws {
    var bounds = HTTPLimits()
    bounds.connections = 16
    let service = try Echo().service(bounds)
    defer { service.stop() }
    let slow = (0..<64).map { _ in Client(service.port) }
    for client in slow { client.send("GET /slow HTTP/1.1\r\n") }
    // A client that is not used any more may be closed before the server has accepted it.
    withExtendedLifetime(slow) {
      let client = Client(service.port)
      client.send(get("/quick"))
      #expect(client.answer()?.body == "/quick")
      #expect(service.counts.evicted >= 48)
    }
  }

  @Test func `a head that never ends is given up`() throws {
    var bounds = HTTPLimits()
    bounds.headS = 0.1
    let service = try Echo().service(bounds)
    defer { service.stop() }
    let client = Client(service.port)
    client.send("GET / HT")
    #expect(client.answer() == nil)
  }

  @Test func `a client that reads nothing is given up, and others are served`() throws {
    var bounds = HTTPLimits()
    bounds.writeS = 0.005
    let service = try Echo().service(bounds)
    defer { service.stop() }
    let deaf = Client(service.port)
    deaf.send(get("/large"))
    let client = Client(service.port)
    client.send(get("/quick"))
    #expect(client.answer()?.body == "/quick")
    while service.counts.evicted == 0 { sched_yield() }
    #expect(deaf.answer() == nil)
  }

  @Test func `who is not meant is refused`() throws {
    let service = try Echo().service()
    defer { service.stop() }
    let cases = [
      ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403), ("GET / HTTP/1.1\r\n\r\n", 403),
      (get("/", "Origin: https://evil.example\r\n"), 403),
      (get("/", "Origin: http://localhost:8080\r\n"), 200),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab", 405),
      ("OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n", 204),
      ("what is this\r\n\r\n", 400),
    ]
    for (text, status) in cases {
      let client = Client(service.port)
      client.send(text)
      #expect(client.answer()?.status == status, "\(text)")
    }
  }

  @Test func `a port that is taken is reported`() throws {
    let service = try Echo().service()
    defer { service.stop() }
    #expect(throws: HTTPServiceFailure.self) {
      try HTTPService(host: "127.0.0.1", port: service.port) { _, _ in .refusal(404, "") }
    }
  }
}
