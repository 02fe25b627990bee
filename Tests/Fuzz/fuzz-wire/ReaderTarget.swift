import BusClient
import BusProtocol
import Fuzzing

/// A reader's mind: numbers that jump, runs that change, states that are given again.
struct ReaderTarget: FuzzTarget {
  static let name = "reader"
  static let about = "a reader: order, gaps, doubles of messages with strange numbers"
  static let inputsOfOneLife: Int? = 512

  private struct Stream: Hashable {
    var topic: String
    var source: String
  }

  private let messages: MessageMaker
  private var reader = SocketlessReader(MessageMaker.table)
  private var now = MonotonicTime(nanoseconds: 1_000_000_000)
  /// Run and number of the last message delivered.
  private var last: [Stream: (run: UInt64, sequence: UInt64)] = [:]

  init(_ corpus: Corpus) { messages = MessageMaker(corpus) }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    dice.oneIn(4) ? messages.spoilt(&dice) : messages.good(&dice)
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    now = now.advanced(byMS: 40)
    let deliveries = reader.live(input, at: now) + reader.tick(at: now)
    for delivery in deliveries { try check(delivery) }
    if !deliveries.isEmpty { return "delivered" }
    return (try? Frame(input)) == nil ? "malformed" : "held_or_dropped"
  }

  /// Never an older one after a newer one of the same run, and none twice; only a number that
  /// nobody can have reached is not believed.
  ///
  /// Which run of a name is heard is for the broker to say.
  private mutating func check(_ delivery: Delivery) throws(Broken) {
    let header = delivery.header
    // The values of a keyed state have an order of their own each.
    guard delivery.traits.deliveryClass != .state else { return }
    let stream = Stream(topic: delivery.topic, source: header.source)
    if let last = last[stream], last.run == header.run {
      try promise(
        header.sequence > last.sequence || last.sequence - header.sequence > 100_000,
        "\(stream.topic) of \(stream.source): \(header.run)/\(header.sequence) after \(last.run)/\(last.sequence)"
      )
    }
    last[stream] = (header.run, header.sequence)
  }
}
