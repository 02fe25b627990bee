import BusClient
import BusProtocol
import Synchronization
import Testing

@Suite struct CallTests {
  private func code(_ end: CallEnd) -> String {
    if case .failed(let code, _, _) = end { code } else { "ok" }
  }

  @Test func `a call is answered, and its reply carries the payload`() throws {
    let pair = try CallPair(serving: "test/add")
    defer { pair.end() }
    let (server, caller) = (pair.server, pair.caller)
    let thread = OSThread("server") {
      guard let call = server.nextCall() else { return }
      server.reply(to: call.id, .ok(payload: call.payload + [UInt8(call.vehicle?.count ?? 0)]))
      server.reply(to: call.id, .ok(payload: [9, 9]))
    }
    #expect(caller.callAndWait("test/add", vehicle: "ego", payload: [1]) == .ok(payload: [1, 3]))
    thread.join()
  }

  @Test func `a call that nobody serves fails at once`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let caller = try client("caller", at: broker.address)
    defer { caller.close() }
    try #require(caller.waitForBroker(timeoutMS: 5_000))
    let start = MonotonicTime.now
    #expect(
      code(caller.callAndWait("no/thing", payload: [], timeoutMS: 5_000)) == "no_such_service")
    #expect(MonotonicTime.now.milliseconds(since: start) < 1_000)
  }

  @Test func `a server that is away is unavailable at once, and one that dies fails its calls`()
    throws
  {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let server = try client("server", at: broker.address)
    let caller = try client("caller", at: broker.address)
    defer { caller.close() }
    server.serve(["test/slow"])
    try #require(server.waitForBroker(timeoutMS: 5_000) && caller.waitForBroker(timeoutMS: 5_000))
    try #require(eventually { caller.serviceReports()?.first?.server == "server" })
    let thread = OSThread("server") {
      _ = server.nextCall()
      server.close()
    }
    let start = MonotonicTime.now
    #expect(
      code(caller.callAndWait("test/slow", payload: [], timeoutMS: 20_000)) == "server_restarted")
    thread.join()
    #expect(code(caller.callAndWait("test/slow", payload: [], timeoutMS: 20_000)) == "unavailable")
    #expect(MonotonicTime.now.milliseconds(since: start) < 10_000)
  }

  @Test func `an unanswered call ends at its deadline, and the late answer goes nowhere`() throws {
    let pair = try CallPair(serving: "test/slow")
    defer { pair.end() }
    let (server, caller) = (pair.server, pair.caller)
    let ends = Synchronization.Mutex(0)
    let counter = Counter(ends)
    let end = caller.callAndWait("test/slow", payload: [], timeoutMS: 100)
    caller.call("test/slow", payload: [], timeoutMS: 100) { _ in counter.add() }
    #expect(code(end) == "timeout")
    for _ in 0..<2 {
      guard let call = server.nextCall() else { continue }
      #expect(eventually { caller.busCounters()?["late_replies"] != nil && call.deadline < .now })
      server.reply(to: call.id, .ok(payload: []))
    }
    #expect(eventually { (caller.busCounters()?["late_replies"] ?? 0) >= 1 })
    #expect(counter.value <= 1)
  }

  @Test func `a call given up is cancelled at both ends`() throws {
    let pair = try CallPair(serving: "test/slow")
    defer { pair.end() }
    let (server, caller) = (pair.server, pair.caller)
    let codes = Words()
    let id = caller.call("test/slow", payload: [], timeoutMS: 20_000) { end in
      codes.append(end)
    }
    let call = try #require(server.nextCall())
    #expect(call.id == id)
    caller.cancel(callID: id)
    #expect(eventually { codes.values == ["cancelled"] })
    #expect(server.next(waitingMS: 5_000) == .cancelled(callID: id))
  }

  @Test func `a retry under the same identity is answered from memory`() throws {
    let pair = try CallPair(serving: "test/once")
    defer { pair.end() }
    let (server, caller) = (pair.server, pair.caller)
    let thread = OSThread("server") {
      if let call = server.nextCall() { server.reply(to: call.id, .ok(payload: [7])) }
    }
    #expect(caller.callAndWait("test/once", payload: [], id: "same") == .ok(payload: [7]))
    #expect(caller.callAndWait("test/once", payload: [], id: "same") == .ok(payload: [7]))
    thread.join()
    #expect(server.next() == nil)
    #expect(caller.serviceReports()?.first?.calls == 1)
  }

  @Test func `a call survives the broker: it is asked and answered over the new one, once`() throws
  {
    let address = try freshAddress()
    let first = try TestBroker(address)
    let server = try client("server", at: address)
    let caller = try client("caller", at: address)
    defer {
      server.close()
      caller.close()
    }
    server.serve(["test/slow"])
    try #require(server.waitForBroker(timeoutMS: 5_000) && caller.waitForBroker(timeoutMS: 5_000))
    try #require(eventually { caller.serviceReports()?.first?.server == "server" })
    let codes = Words()
    caller.call("test/slow", payload: [], timeoutMS: 10_000) { codes.append($0) }
    let call = try #require(server.nextCall())
    first.end()
    let second = try TestBroker(address)
    defer { second.end() }
    try #require(eventually { server.brokerRun == second.run && caller.brokerRun == second.run })
    server.reply(to: call.id, .ok(payload: []))
    #expect(eventually { codes.values == ["ok"] })
    var repeated = 0
    while let event = server.next() {
      if case .call = event { repeated += 1 }
    }
    #expect(repeated == 0, "the server was asked twice")
  }
}

private final class Counter: Sendable {
  private let count: Synchronization.Mutex<Int>
  init(_ count: consuming sending Synchronization.Mutex<Int>) { self.count = count }
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}

/// How calls ended, in order.
private final class Words: Sendable {
  private let words = Synchronization.Mutex<[String]>([])
  var values: [String] { words.withLock { $0 } }
  func append(_ end: CallEnd) {
    words.withLock {
      if case .failed(let code, _, _) = end { $0.append(code) } else { $0.append("ok") }
    }
  }
}
