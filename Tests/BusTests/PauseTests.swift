import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

/// That broker and reader do what `MessageRate` says, by how often they paused; at which rates it says so is
/// tested by itself.
@Suite struct PauseTests {
  private struct Figures {
    var broker: UInt64
    var reader: UInt64
  }

  /// Publishes `count` messages, each when the one before has been heard, and tells of the pauses; `isEnough`, asked
  /// after each message, ends it before.
  private func pauses(
    _ limits: MessageRate.Limits, count: Int, restMS: Int = 0,
    isEnough: (Figures) -> Bool = { _ in false }
  ) throws -> Figures {
    let broker = try TestBroker(try freshAddress(), rateLimits: limits)
    defer { broker.end() }
    var configuration = BusClient.Configuration(
      address: broker.address, name: "reader", table: TestBroker.table)
    configuration.rateLimits = limits
    let reader = try BusClient(configuration)
    let writer = try client("writer", at: broker.address)
    defer {
      reader.close()
      writer.close()
    }
    try #require(writer.waitForBroker(timeoutMS: 10_000))
    try #require(reader.subscribe(["ego/test/stream"], waitingMS: 10_000))
    var figures = Figures(broker: 0, reader: 0)
    for number in 1...count {
      _ = writer.publish(publication("ego/test/stream", number))
      try #require(reader.messages(1).count == 1)
      figures = Figures(broker: broker.pauses, reader: reader.pauses)
      if isEnough(figures) { return figures }
      var nothing: [PollItem] = []
      if restMS > 0 { _ = try? poll(&nothing, timeoutMS: restMS) }
    }
    // The broker tells its figures ten times a second: those of a turn that began after the last message.
    let reported = broker.turns
    try #require(eventually { broker.turns > reported + 1 })
    return Figures(broker: broker.pauses, reader: reader.pauses)
  }

  @Test func `between the two rates broker and reader let messages come together`() throws {
    // Some 25 a second are many here: even a machine that is busy sends and hears so many.
    let figures = try pauses(
      MessageRate.Limits(dense: 25, flood: .max), count: 100_000,
      isEnough: { $0.broker > 0 && $0.reader > 0 })
    #expect(figures.broker > 0)
    #expect(figures.reader > 0)
  }

  @Test func `below the lower rate nothing waits`() throws {
    // With a millisecond between them there are fewer than a thousand a second on any machine.
    let figures = try pauses(MessageRate.Limits(), count: 300, restMS: 1)
    #expect(figures.broker == 0)
    #expect(figures.reader == 0)
  }

  @Test func `in a flood nothing waits`() throws {
    // Whatever comes is a flood here; without that it would be dense.
    let figures = try pauses(MessageRate.Limits(dense: 0, flood: 0), count: 1_000)
    #expect(figures.broker == 0)
    #expect(figures.reader == 0)
  }
}
