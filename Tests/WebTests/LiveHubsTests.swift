import HTTP
import Synchronization
import Testing

@testable import Web

@Suite struct LiveHubsTests {
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func write(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private func hubs(_ log: Log, limit: Int = 8) -> LiveHubs {
    LiveHubs(
      clientLimit: limit, name: { $0.query["vehicle"] ?? "" }, began: { log.write("began \($0)") },
      ended: { log.write("ended \($0)") }, answer: { hub, text in "\(hub) \(text)" })
  }

  /// A page that shows a vehicle; nil where there are too many.
  private func page(_ vehicle: String, of hubs: LiveHubs) -> (any LiveSession)? {
    hubs.join(WebRequest(path: "/live", query: ["vehicle": vehicle])) {}
  }

  @Test func `a hub lives from its first client to its last, RN-9`() throws {
    let log = Log()
    let hubs = hubs(log)
    #expect(hubs.hub(named: "a") == nil)
    let first = try #require(page("a", of: hubs))
    let second = try #require(page("a", of: hubs))
    let other = try #require(page("b", of: hubs))
    hubs.hub(named: "a")?.publish("of a", name: "x", delivery: .latest)
    #expect([first.next(), second.next(), other.next()] == ["of a", "of a", nil])
    first.leave()
    first.leave()
    #expect(hubs.hub(named: "a") != nil)
    second.leave()
    #expect(hubs.hub(named: "a") == nil)
    #expect(log.all == ["began a", "began b", "ended a"])
  }

  @Test func `a hub that is kept has the newest texts without clients, RN-9`() throws {
    let log = Log()
    let hubs = hubs(log)
    hubs.keep("ego")
    hubs.hub(named: "ego")?.publish("frame", name: "scene/frame", delivery: .latest)
    let client = try #require(page("ego", of: hubs))
    #expect(client.next() == "frame")
    client.leave()
    #expect(hubs.hub(named: "ego") != nil)
  }

  @Test func `the limit is that of all hubs together, RN-9`() throws {
    let hubs = hubs(Log(), limit: 2)
    let first = try #require(page("a", of: hubs))
    _ = try #require(page("b", of: hubs))
    #expect(page("c", of: hubs) == nil)
    first.leave()
    #expect(page("c", of: hubs) != nil)
    hubs.close()
    #expect(page("a", of: hubs) == nil)
  }
}
