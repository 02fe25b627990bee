import HTTP
import Synchronization
import Testing

@testable import Web

@Suite struct LiveMailboxTests {
  @Test func `the newest of a name takes the place of the older one`() {
    var mailbox = LiveMailbox(lineLimit: 8)
    mailbox.putLatest("a1", of: "a")
    mailbox.putLatest("b1", of: "b")
    mailbox.putLatest("a2", of: "a")
    #expect(mailbox.dequeue() == "a2")
    #expect(mailbox.dequeue() == "b1")
    #expect(mailbox.dequeue() == nil)
    #expect(mailbox.droppedCount == 1)
  }

  @Test func `events stay in their order, and the oldest goes when there are too many`() {
    var mailbox = LiveMailbox(lineLimit: 3)
    for number in 1...5 { mailbox.putInLine("\(number)") }
    mailbox.putLatest("x", of: "x")
    #expect([mailbox.dequeue(), mailbox.dequeue(), mailbox.dequeue()] == ["3", "4", "5"])
    #expect(mailbox.dequeue() == "x")
    #expect(mailbox.droppedCount == 2)
  }

  @Test func `it never holds more than its names and its line`() {
    var mailbox = LiveMailbox(lineLimit: 10)
    for number in 0..<10_000 {
      mailbox.putInLine("event \(number)")
      mailbox.putLatest("state \(number)", of: "topic \(number % 7)")
      if number % 50 == 0 { _ = mailbox.dequeue() }
    }
    #expect(mailbox.count <= 17)
  }
}

@Suite struct LiveHubTests {
  @Test func `who joins later gets the newest of each topic, and no old event`() throws {
    let hub = LiveHub()
    hub.publish("route 1", name: "route", delivery: .latest)
    hub.publish("turn", name: "maneuver", delivery: .event)
    hub.publish("route 2", name: "route", delivery: .latest)
    let client = try #require(hub.client())
    hub.publish("arrived", name: "arrival", delivery: .event)
    #expect(client.next() == "route 2")
    #expect(client.next() == "arrived")
  }

  @Test func `bytes are sent as they are, the newest in place of the older, RN-9`() throws {
    let hub = LiveHub()
    let client = try #require(hub.client())
    hub.publish(.binary([1]), name: "frame", delivery: .latest)
    hub.publish(.binary([2, 3]), name: "frame", delivery: .latest)
    #expect(client.next() == .binary([2, 3]))
    #expect(client.next() == nil)
  }

  @Test func `a deleted state is reported, and forgotten for those who join later`() throws {
    let hub = LiveHub()
    hub.publish("route 1", name: "route", delivery: .latest)
    let first = try #require(hub.client())
    #expect(first.next() == "route 1")
    hub.retract(name: "route", saying: "no route")
    #expect(first.next() == "no route")
    let second = try #require(hub.client())
    hub.publish("event", name: "event", delivery: .event)
    #expect(second.next() == "event")
  }

  @Test func `a client is woken once for all that waits, and again when it has taken all`() throws {
    let hub = LiveHub()
    let woken = Mutex(0)
    let client = try #require(hub.client { woken.withLock { $0 += 1 } })
    hub.publish("a", name: "a", delivery: .event)
    hub.publish("b", name: "b", delivery: .event)
    #expect(woken.withLock { $0 } == 1)
    #expect([client.next(), client.next(), client.next()] == ["a", "b", nil])
    hub.publish("c", name: "c", delivery: .event)
    #expect(woken.withLock { $0 } == 2)
    hub.close()
    #expect(client.isClosed)
    #expect(woken.withLock { $0 } == 3)
    #expect(client.next() == nil)
  }

  @Test func `more clients than the limit are turned away`() {
    let hub = LiveHub(clientLimit: 2)
    let clients = [hub.client(), hub.client()]
    #expect(clients.allSatisfy { $0 != nil })
    #expect(hub.client() == nil)
    if let first = clients[0] { hub.leave(first) }
    #expect(hub.client() != nil)
  }
}
