import CLinux
import Glibc
import Synchronization
import Testing

@testable import HTTP

/// Two servers of one node in one process: the second takes the first one's place.
@Suite struct HTTPHandoverTests {
  /// A client that sends bytes and reads responses without a body's end.
  private final class Link {
    let descriptor: Int32

    init(_ port: UInt16) { descriptor = clinux_tcp_connect("127.0.0.1", port, 10_000) }
    deinit { clinux_close(descriptor) }

    func send(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(clinux_tcp_write(descriptor, bytes, Int64(bytes.count), 10_000) == bytes.count)
    }

    /// The body of the next response, one letter; nil at the end of the connection.
    func answer() -> String? {
      var text = ""
      while !text.contains("\r\n\r\n") || text.hasSuffix("\r\n\r\n") {
        var byte: UInt8 = 0
        guard clinux_tcp_read(descriptor, &byte, 1, 20_000) == 1 else { return nil }
        text.unicodeScalars.append(Unicode.Scalar(byte))
      }
      return text.last.map(String.init)
    }
  }

  private final class Gate: Sendable {
    let isOpen = Atomic(false)
    let isWaiting = Atomic(false)
  }

  private static func request(_ path: String = "/") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
  }

  /// A server that answers every request with its letter, `/wait` when the gate is open.
  private func server(
    _ letter: Character, port: UInt16 = 0, _ sharing: ListenerSharing?, gate: Gate = Gate()
  ) throws -> HTTPService {
    try HTTPService(host: "127.0.0.1", port: port, sharing: sharing) { head, patience in
      if head.target.elementsEqual("/wait".utf8) {
        gate.isWaiting.store(true, ordering: .relaxed)
        // Without a pause this would keep Dispatch from starting the other server's loop.
        while !gate.isOpen.load(ordering: .relaxed), !patience.hasEnded { usleep(1_000) }
      }
      return WebResponse(contentType: "text/plain", body: Array(String(letter).utf8))
    }
  }

  private func place(_ scope: String, isStandby: Bool = false) -> ListenerSharing {
    ListenerSharing(process: "router", scope: scope, isStandby: isStandby)
  }

  private func hasEnded(_ service: HTTPService) -> Bool {
    let deadline = clinux_monotonic_ns() + 20_000_000_000
    while !service.hasEnded, clinux_monotonic_ns() < deadline { usleep(1_000) }
    return service.hasEnded
  }

  @Test func `open connections and requests under way survive a change of servers, RT-19`() throws {
    let gate = Gate()
    let old = try server("a", place("one"), gate: gate)
    old.start()
    let idle = Link(old.port)
    idle.send(Self.request())
    #expect(idle.answer() == "a")
    let partial = Link(old.port)
    partial.send("GET / HTTP/1.1\r\nHo")
    let busy = Link(old.port)
    busy.send(Self.request("/wait"))
    while !gate.isWaiting.load(ordering: .relaxed) { usleep(1_000) }
    // The port is any free one, so the successor can only have it from the old server.
    let new = try server("b", place("one", isStandby: true))
    #expect(new.port == old.port)
    let waiting = Link(old.port)
    waiting.send(Self.request())
    #expect(waiting.answer() == "a")
    old.retire()
    let fresh = Link(old.port)
    fresh.send(Self.request())
    new.start()
    #expect(fresh.answer() == "b")
    for link in [idle, waiting] {
      link.send(Self.request())
      #expect(link.answer() == "b")
    }
    partial.send("st: localhost\r\n\r\n")
    #expect(partial.answer() == "b")
    #expect(!old.hasEnded)
    gate.isOpen.store(true, ordering: .relaxed)
    #expect(busy.answer() == "a")
    #expect(hasEnded(old))
    busy.send(Self.request())
    #expect(busy.answer() == "b")
    new.stop()
    #expect(hasEnded(new))
  }

  @Test func `a successor that dies leaves the old server as it was`() throws {
    let old = try server("a", place("two"))
    old.start()
    try server("b", place("two", isStandby: true)).stop()
    let link = Link(old.port)
    link.send(Self.request())
    #expect(link.answer() == "a")
    old.stop()
  }

  @Test func `without a successor a request that is on its way is the last one`() throws {
    let gate = Gate()
    let old = try server("a", place("three"), gate: gate)
    old.start()
    let link = Link(old.port)
    link.send(Self.request("/wait"))
    while !gate.isWaiting.load(ordering: .relaxed) { usleep(1_000) }
    old.retire()
    gate.isOpen.store(true, ordering: .relaxed)
    #expect(link.answer() == "a")
    #expect(hasEnded(old))
    #expect(link.answer() == nil)
  }

  @Test func `replicas share a port, and nobody else gets it`() throws {
    var sharing = place("four")
    sharing.isReplica = true
    let first = try server("a", sharing)
    first.start()
    // A server that has answered also passes its socket on.
    let early = Link(first.port)
    early.send(Self.request())
    #expect(early.answer() == "a")
    sharing.process = "router.1"
    let second = try server("a", port: 0, sharing)
    #expect(second.port == first.port)
    for other in [nil, place("five"), place("five", isStandby: true)] {
      let failure = #expect(throws: HTTPServiceFailure.self) {
        _ = try server("c", port: first.port, other)
      }
      #expect(failure?.description.contains("127.0.0.1:\(first.port)") ?? false)
    }
    second.start()
    // The first server has the place 0 among the processes of the node, the second takes the next one.
    let name = sharing.name(host: "127.0.0.1", port: 0, place: 1)
    var probe: Int32 = -1
    while probe < 0 {
      probe = clinux_local_connect(name, 1_000)
      if probe < 0 { usleep(1_000) }
    }
    clinux_close(probe)
    first.retire()
    #expect(hasEnded(first))
    for link in [early, Link(second.port)] {
      link.send(Self.request())
      #expect(link.answer() != nil)
    }
    second.stop()
  }

  @Test func `a connection arrives also from a process that ends at once`() throws {
    var sharing = place("six")
    sharing.isReplica = true
    let service = try server("a", sharing)
    service.start()
    defer { service.stop() }
    var port: UInt16 = 0
    let listener = clinux_tcp_listen("127.0.0.1", 0, &port)
    defer { clinux_close(listener) }
    for _ in 0..<20 {
      let client = Link(port)
      client.send(Self.request())
      var accepted: Int32 = -1
      while accepted < 0 { accepted = clinux_tcp_accept(listener) }
      var link: Int32 = -1
      while link < 0 {
        link = clinux_local_connect(sharing.name(host: "127.0.0.1", port: 0, place: 0), 1_000)
      }
      let hello = ListenerHello(process: "router.1", .gives).bytes
      clinux_local_send(link, hello, Int64(hello.count), -1, 1_000)
      clinux_local_send(link, Array("c".utf8), 1, accepted, 1_000)
      clinux_close(link)
      clinux_close(accepted)
      #expect(client.answer() == "a")
    }
  }
}
