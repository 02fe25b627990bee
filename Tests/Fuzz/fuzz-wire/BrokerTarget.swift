import Broker
import BusProtocol
import Fuzzing
import MessagePack
import Messages

/// The broker's mind: what comes in at its three sockets.
struct BrokerTarget: FuzzTarget {
  static let name = "broker"
  static let about = "the broker: messages, heads of the control socket, subscriptions"
  static let inputsOfOneLife: Int? = 512

  private let messages: MessageMaker
  private let heads: [[UInt8]]
  private let names: [String]
  private let payloads: [[UInt8]]
  private var broker = SocketlessBroker(MessageMaker.table)
  private var now = MonotonicTime(nanoseconds: 1_000_000_000)

  init(_ corpus: Corpus) {
    messages = MessageMaker(corpus)
    names = Calls.all.map(\.name)
    heads = ControlHeads.all.map { $0.encoded() } + corpus.operations.map(\.bytes)
    payloads = corpus.examples.map(\.bytes)
  }

  /// The first part tells which socket; for the control socket the second one tells who.
  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    switch dice.below(8) {
    case 0...2:
      if dice.oneIn(3) { return [Array("in".utf8)] + messages.joined(&dice) }
      return [Array("in".utf8)] + (dice.oneIn(3) ? messages.good(&dice) : messages.spoilt(&dice))
    case 3...6:
      let who: [UInt8] = [UInt8(dice.below(4))]
      var parts = [dice.pick(heads)]
      if dice.oneIn(2) { WireMutation.spoil(&parts[0], with: heads, &dice) }
      if dice.oneIn(2) { parts.append(dice.pick(payloads)) }
      if dice.oneIn(32) { parts.append([0x80]) }
      return [Array("control".utf8), who] + parts
    default:
      var pattern = Array(dice.pick(["", "ego/", "ego/route/active", "_", "_node/", "a"]).utf8)
      if dice.oneIn(2) { ByteMutation.spoil(&pattern, with: [], &dice) }
      return [Array("out".utf8), [dice.pick([0, 1, 1, 1, 2])] + pattern]
    }
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    now = now.advanced(byMS: 7)
    let before = broker.counted
    let rest = Array(input.dropFirst())
    switch input.first.map({ String(decoding: $0, as: UTF8.self) }) {
    case "in":
      let sent = broker.ingest(rest, at: now)
      try check(sent)
      let isPassedOn = sent.contains { if case .egress = $0 { true } else { false } }
      try promise(
        isPassedOn != (broker.counted > before), "a message was neither passed on nor counted")
      return isPassedOn ? "passed_on" : "dropped"
    case "control":
      let sent = broker.control(rest, at: now)
      try check(sent)
      if rest.count == 2, let first = rest[1].first, !(0x80...0x8f).contains(first), first < 0xde {
        try promise(
          broker.counted > before && !sent.isEmpty, "garbage was not counted and answered")
      }
      return sent.isEmpty ? "unanswered" : "answered"
    default:
      let sent = broker.subscription(rest)
      try check(sent)
      try check(broker.tick(at: now))
      return "subscribed"
    }
  }

  /// All that it sends can be read, and nothing is said without need.
  private func check(_ sent: [SocketlessBroker.Sent]) throws(Broken) {
    try promise(sent.count < 100_000, "\(sent.count) messages for one")
    for one in sent {
      switch one {
      case .egress(let parts):
        try promise((try? Frame(parts)) != nil, "it publishes what is no message")
      case .control(_, let parts):
        let head = parts.first.flatMap { try? MessagePackValue(decoding: $0) }
        try promise(head?["op"]?.string != nil, "it sends a head without op")
      }
    }
  }

  /// Each call ends, at the latest when the longest deadline is over.
  mutating func end() throws(Broken) {
    now = now.advanced(byMS: 7_200_000)
    try check(broker.tick(at: now))
    try promise(!broker.isWaiting, "a call never ends")
  }
}
