import Testing

@testable import BusClient

/// A node that publishes and one that reads, at a broker of their own.
struct MessagePair {
  let broker: TestBroker
  let reader: BusClient
  let writer: BusClient

  init() throws {
    broker = try TestBroker(try freshAddress())
    reader = try client("reader", at: broker.address)
    writer = try client("writer", at: broker.address)
    try #require(writer.waitForBroker(timeoutMS: 10_000))
  }

  func end() {
    reader.close()
    writer.close()
    broker.end()
  }
}
