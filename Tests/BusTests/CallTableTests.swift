import Testing

@testable import Broker
@testable import BusProtocol

/// What the broker promises of calls, rule by rule, with drawn time.
@Suite struct CallTableTests {
  /// A broker core with `server`, which answers `test/add`, and `caller`.
  private func core() -> BrokerCoreFixture {
    var drawn = BrokerCoreFixture()
    drawn.register("server", serves: ["test/add"])
    drawn.register("caller")
    _ = drawn.sent()
    return drawn
  }

  @Test func `each call ends once, whatever is said of it afterwards`() {
    var drawn = core()
    drawn.call("test/add", id: "1", as: "caller")
    drawn.reply("1", as: "server")
    drawn.reply("1", as: "server")
    drawn.cancel("1", as: "caller")
    drawn.pass(ms: 5_000)
    #expect(drawn.sent(to: "caller").ends == ["1 ok"])
    #expect(drawn.core.callTable.reports.first?.late == 1)
    #expect(drawn.core.counters["late_reply test/add"] == 1)
  }

  @Test func `a call ends at its deadline, not before, and its server is reported`() {
    var drawn = core()
    drawn.call("test/add", id: "1", timeoutMS: 300, as: "caller")
    drawn.pass(ms: 299)
    #expect(drawn.sent(to: "caller").ends.isEmpty)
    drawn.pass(ms: 1)
    let all = drawn.sent()
    #expect(all.count == 2)
    drawn.reply("1", as: "server")
    #expect(drawn.sent(to: "caller").ends.isEmpty, "a late reply reached the caller")
    #expect(drawn.core.callTable.reports.first?.codes == ["timeout": 1])
    #expect(drawn.core.callTable.reports.first?.late == 1)
  }

  @Test func `nobody, somebody away, and somebody busy are said at once`() {
    var drawn = core()
    drawn.call("no/thing", id: "a", as: "caller")
    #expect(drawn.sent(to: "caller").ends == ["a no_such_service"])
    for number in 0..<CallTable.maximumPending {
      drawn.call("test/add", id: "n\(number)", as: "caller")
    }
    #expect(drawn.sent(to: "caller").ends.isEmpty)
    drawn.call("test/add", id: "b", as: "caller")
    #expect(drawn.sent(to: "caller").ends == ["b busy"])
    // One is answered: there is room for one.
    drawn.reply("n0", as: "server")
    drawn.call("test/add", id: "c", as: "caller")
    drawn.call("test/add", id: "d", as: "caller")
    #expect(drawn.sent(to: "caller").ends == ["n0 ok", "d busy"])
    drawn.say(ControlMessage.Bye(), as: "server")
    #expect(drawn.sent(to: "caller").ends.count == CallTable.maximumPending)
    drawn.call("test/add", id: "e", as: "caller")
    #expect(drawn.sent(to: "caller").ends == ["e unavailable"])
    let codes = drawn.core.callTable.reports.first?.codes
    #expect(codes == ["busy": 2, "server_restarted": 1_000, "unavailable": 1])
    #expect(drawn.core.callTable.reports.first?.pending == 0)
  }

  @Test func `a refused call may be tried again under its identity`() {
    var drawn = core()
    drawn.say(ControlMessage.Bye(), as: "server")
    drawn.call("test/add", id: "1", as: "caller")
    drawn.register("server", serves: ["test/add"])
    drawn.call("test/add", id: "1", as: "caller")
    drawn.reply("1", as: "server")
    #expect(drawn.sent(to: "caller").ends == ["1 unavailable", "1 ok"])
  }

  @Test func `a retry gets the reply that there is, for a minute, from whomever it comes`() {
    var drawn = core()
    drawn.call("test/add", id: "1", as: "caller")
    drawn.reply("1", payload: [9], as: "server")
    _ = drawn.sent()
    drawn.pass(ms: 59_000)
    drawn.call("test/add", id: "1", as: "caller")
    let all = drawn.sent()
    #expect(all.count == 1, "the server was asked again")
    guard case .control(_, let parts)? = all.first else { return }
    #expect(parts.last == [9])
    drawn.pass(ms: 2_000)
    drawn.call("test/add", id: "1", as: "caller")
    #expect(drawn.sent(to: "server").map(\.operation) == [.call])
  }

  @Test func `a retry while the call runs moves its end to who asked last`() {
    var drawn = core()
    drawn.register("other")
    drawn.call("test/add", id: "1", as: "caller")
    drawn.call("test/add", id: "1", as: "other")
    _ = drawn.sent()
    drawn.reply("1", as: "server")
    #expect(drawn.sent(to: "other").ends == ["1 ok"])
  }

  @Test func `the calls of a caller that has gone are cancelled at their server`() {
    var drawn = core()
    drawn.call("test/add", id: "1", as: "caller")
    _ = drawn.sent()
    drawn.say(ControlMessage.Bye(), as: "caller")
    #expect(drawn.sent(to: "server").map(\.operation) == [.cancel])
    #expect(drawn.core.callTable.reports.first?.pending == 0)
    drawn.reply("1", as: "server")
    #expect(drawn.core.callTable.reports.first?.late == 1)
  }

  @Test func `only the caller cancels, and only the server answers`() {
    var drawn = core()
    drawn.register("other")
    drawn.call("test/add", id: "1", as: "caller")
    _ = drawn.sent()
    drawn.cancel("1", as: "other")
    drawn.reply("1", as: "other")
    #expect(drawn.sent(to: "caller").ends.isEmpty)
    drawn.cancel("1", as: "caller")
    #expect(drawn.sent(to: "caller").ends == ["1 cancelled"])
  }
}
