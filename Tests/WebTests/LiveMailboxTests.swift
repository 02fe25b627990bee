import Testing

@testable import Web

@Suite struct LiveMailboxTests {
  @Test func `the newest of a name takes the place of the older one`() {
    var mailbox = LiveMailbox(lineLimit: 8)
    mailbox.putLatest("a1", of: "a")
    mailbox.putLatest("b1", of: "b")
    mailbox.putLatest("a2", of: "a")
    #expect(mailbox.take() == "a2")
    #expect(mailbox.take() == "b1")
    #expect(mailbox.take() == nil)
    #expect(mailbox.droppedCount == 1)
  }

  @Test func `events stay in their order, and the oldest goes when there are too many`() {
    var mailbox = LiveMailbox(lineLimit: 3)
    for number in 1...5 { mailbox.putInLine("\(number)") }
    mailbox.putLatest("x", of: "x")
    #expect([mailbox.take(), mailbox.take(), mailbox.take()] == ["3", "4", "5"])
    #expect(mailbox.take() == "x")
    #expect(mailbox.droppedCount == 2)
  }

  @Test func `it never holds more than its names and its line`() {
    var mailbox = LiveMailbox(lineLimit: 10)
    for number in 0..<10_000 {
      mailbox.putInLine("event \(number)")
      mailbox.putLatest("state \(number)", of: "topic \(number % 7)")
      if number % 50 == 0 { _ = mailbox.take() }
    }
    #expect(mailbox.count <= 17)
  }
}

@Suite struct LiveHubTests {
  @Test func `who joins later gets the newest of each topic, and no old event`() async throws {
    let hub = LiveHub()
    hub.publish("route 1", name: "route", delivery: .latest)
    hub.publish("turn", name: "maneuver", delivery: .event)
    hub.publish("route 2", name: "route", delivery: .latest)
    let client = try #require(hub.join())
    hub.publish("arrived", name: "arrival", delivery: .event)
    #expect(await client.next() == "route 2")
    #expect(await client.next() == "arrived")
  }

  @Test func `a deleted state is told, and forgotten for those who join later`() async throws {
    let hub = LiveHub()
    hub.publish("route 1", name: "route", delivery: .latest)
    let first = try #require(hub.join())
    #expect(await first.next() == "route 1")
    hub.retract(name: "route", saying: "no route")
    #expect(await first.next() == "no route")
    let second = try #require(hub.join())
    hub.publish("event", name: "event", delivery: .event)
    #expect(await second.next() == "event")
  }

  @Test func `a client that waits is woken, and one that is closed ends`() async throws {
    let hub = LiveHub()
    let client = try #require(hub.join())
    async let text = client.next()
    hub.publish("hello", name: "a", delivery: .event)
    #expect(await text == "hello")
    async let end = client.next()
    hub.close()
    #expect(await end == nil)
    #expect(await client.next() == nil)
  }

  @Test func `more clients than the limit are turned away`() {
    let hub = LiveHub(clientLimit: 2)
    let clients = [hub.join(), hub.join()]
    #expect(clients.allSatisfy { $0 != nil })
    #expect(hub.join() == nil)
    if let first = clients[0] { hub.leave(first) }
    #expect(hub.join() != nil)
  }
}
