import Foundations
import Fuzzing
import MessagePack
import Messages
import Stage

/// Messages, replies, wake-ups and saved states, to the stages that take them.
struct EventTarget: FuzzTarget {
  static let name = "events"
  static let about = "messages, replies, wake-ups and saved states, to every stage"
  static let inputsOfOneLife: Int? = 2_048

  private enum Kind: UInt8, CaseIterable {
    case message, reply, failure, wake, reset, restore, cancel
  }

  private let benches: [any AnyBench]
  /// What each stage reads, and what it gets for an answer.
  private let inputs: [[(topic: String, example: [UInt8])]]
  private let replies: [[(call: String, example: [UInt8])]]
  private let examples: [[UInt8]]
  /// Calls of each stage that nobody has answered.
  private var open: [[(name: String, token: UInt64)]]
  private var sequence: UInt64 = 0

  init(_ corpus: Corpus) throws {
    benches = try Benches().all
    inputs = benches.map { bench in
      bench.manifest.inputs.compactMap { topic in
        Topics.declaration(of: topic).map { (topic, corpus.example($0.schema)) }
      }
    }
    replies = benches.map { bench in
      bench.manifest.calls.compactMap { name in
        Calls.declaration(of: name).map { (name, corpus.example($0.reply.schema)) }
      }
    }
    examples = corpus.examples.map(\.bytes)
    open = benches.map { _ in [] }
  }

  /// Stage, kind, name, stamp, payload.
  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    let stage = dice.below(benches.count)
    var kind = dice.oneIn(2) ? Kind.message : dice.pick(Kind.allCases)
    if kind == .message, inputs[stage].isEmpty { kind = .wake }
    if kind == .reply, replies[stage].isEmpty { kind = .wake }
    var name = ""
    var payload: [UInt8] = []
    switch kind {
    case .message: (name, payload) = dice.pick(inputs[stage])
    case .reply: (name, payload) = dice.pick(replies[stage])
    case .restore: payload = (0..<8).map { _ in dice.byte() }
    default: break
    }
    if kind == .message || kind == .reply, dice.oneIn(2) {
      WireMutation.spoil(&payload, with: examples, &dice)
    }
    var stamp = 1_790_000_000_000_000_000 + Int64(dice.below(200)) * 1_000_000_000
    if dice.oneIn(8) { stamp = Int64(bitPattern: ByteMutation.extreme(&dice)) }
    return [
      [UInt8(stage)], [kind.rawValue], Array(name.utf8), Self.bytes(UInt64(bitPattern: stamp)),
      payload,
    ]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    guard input.count == 5, let index = input[0].first.map({ Int($0) }), index < benches.count,
      let kind = input[1].first.flatMap(Kind.init)
    else { return "none" }
    let stage = benches[index]
    let name = String(decoding: input[2], as: UTF8.self)
    let stamp = Instant(nanoseconds: Int64(bitPattern: Self.number(input[3])))
    sequence += 1
    do throws(Refusal) {
      let outputs: [EncodedOutput]
      switch kind {
      case .message:
        outputs = try stage.handle(
          .message(
            EncodedMessage(
              topic: name, stamp: stamp, source: "vandal", run: 1, sequence: sequence,
              key: sequence % 5 == 0 ? "ego" : nil, isLatched: sequence % 7 == 0,
              payload: sequence % 31 == 0 ? [] : input[4])))
      case .reply: outputs = try answer(index, name, stamp, .ok(payload: input[4]))
      case .failure:
        let error = CallError(code: "no_route", message: "none")
        outputs = try answer(index, open[index].first?.name ?? "", stamp, .failed(error))
      case .wake: outputs = try stage.handle(.wake(now: stamp))
      case .reset: outputs = try stage.handle(.clockReset(now: stamp))
      case .cancel: outputs = try stage.handle(.cancelled(callID: "c1"))
      case .restore:
        try restore(stage, seed: Self.number(input[4]))
        return "restored"
      }
      open[index] += (try checked(outputs, stage)).suffix(32)
      return "\(kind)"
    } catch {
      if let broken { throw broken }
      try promise(!error.message.isEmpty, "\(stage.manifest.name) refuses without a sentence")
      return "refused"
    }
  }

  /// A promise that broke where only refusals may be thrown.
  private var broken: Broken?

  private mutating func checked(
    _ outputs: [EncodedOutput], _ stage: any AnyBench
  ) throws(Refusal) -> [(name: String, token: UInt64)] {
    do throws(Broken) {
      return try Said.check(outputs, of: stage.manifest)
    } catch {
      broken = error
      throw Refusal(reason: "broken", message: error.text)
    }
  }

  private mutating func answer(
    _ index: Int, _ name: String, _ stamp: Instant, _ outcome: EncodedOutcome
  ) throws(Refusal) -> [EncodedOutput] {
    guard let place = open[index].firstIndex(where: { $0.name == name }) else { return [] }
    let token = open[index].remove(at: place).token
    return try benches[index].handle(.reply(token: token, stamp: stamp, outcome: outcome))
  }

  /// Gives a stage at rest what the one before it saved, mostly spoilt.
  private func restore(_ stage: any AnyBench, seed: UInt64) throws(Refusal) {
    var dice = Dice(seed: seed, input: 0)
    guard var state = stage.savedState else { return }
    if !dice.oneIn(4) { WireMutation.spoil(&state, with: examples, &dice) }
    stage.renew()
    try stage.restore(state)
  }

  private static func bytes(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private static func number(_ bytes: [UInt8]) -> UInt64 {
    bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
  }
}
