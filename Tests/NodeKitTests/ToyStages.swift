import ByteStage
import Foundations
import MessagePack
import Stage

/// Counts what it reads on `toy/in` and says the sum on `toy/out`; answers `toy/add`.
struct CountingStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-counting", about: "Counts.",
    parameters: [
      ParameterDeclaration("step", .int, default: 1, min: 1, max: 100, "How much each adds.")
    ],
    inputs: ["toy/in"], outputs: ["toy/out", "guidance/milestone"], serves: ["toy/add", "toy/slow"])

  let vehicle: String
  let step: Int
  var sum = 0
  var asked: [String] = []

  static func load(_ parameters: Parameters) throws(StageFailure) -> Int {
    parameters.int("step")
  }

  init(vehicle: String, shared: Int) {
    self.vehicle = vehicle
    step = shared
  }

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    switch event {
    case .message(let message):
      guard let first = message.payload.first else {
        throw Refusal(reason: "does_not_decode", message: "empty", field: "n")
      }
      sum += Int(first) * step
      var outputs: [EncodedOutput] = [
        .publish(topic: "toy/out", stamp: message.stamp, payload: [UInt8(sum & 0xff)]),
        .count("seen", 1),
      ]
      if first == 7 {
        outputs.append(
          .publish(topic: "guidance/milestone", stamp: message.stamp, payload: [UInt8(sum & 0xff)])
        )
      }
      return outputs
    case .call(let request) where request.name == "toy/slow":
      asked.append(request.id)
      let id = request.id
      return [
        .work(callID: id) { [.reply(callID: id, outcome: .ok(payload: [99]))] }
      ]
    case .call(let request):
      guard request.payload.count == 2 else {
        throw Refusal(reason: "out_of_range", message: "two numbers expected", field: "numbers")
      }
      let sum = request.payload[0] + request.payload[1]
      let reply = EncodedOutput.reply(callID: request.id, outcome: .ok(payload: [sum]))
      // Two nines are worth telling everybody.
      return request.payload == [9, 9]
        ? [.publish(topic: "toy/out", stamp: request.stamp, payload: [sum]), reply] : [reply]
    default: return []
    }
  }

  var savedState: [UInt8]? { [UInt8(sum & 0xff)] }
  mutating func restore(_ state: [UInt8]) throws(Refusal) { sum = Int(state.first ?? 0) }
}

/// Calls `toy/add` at every wake, once a second of stack time, and says the answer.
struct CallingStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-asking", about: "Asks.", inputs: ["toy/out"], outputs: ["toy/answer", "toy/reset"],
    calls: ["toy/add"])

  var token: UInt64 = 0

  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    switch event {
    case .wake(let now):
      token += 1
      return [
        .call(name: "toy/add", payload: [UInt8(token), 1], timeoutMS: 1_000, token: token),
        .wake(at: now.advanced(bySeconds: 1)),
      ]
    case .reply(let token, let stamp, let outcome):
      guard case .ok(let payload) = outcome else {
        return [.publish(topic: "toy/answer", stamp: stamp, payload: [0xff])]
      }
      return [.publish(topic: "toy/answer", stamp: stamp, payload: payload + [UInt8(token)])]
    case .message(let message):
      return [.publish(topic: "toy/echo", stamp: message.stamp, payload: message.payload)]
    case .clockReset(let now):
      return [.publish(topic: "toy/reset", stamp: now, payload: [])]
    default: return []
    }
  }
}

/// A source of time: ten times as fast as the wall, from the day given; a fix each second.
struct ClockStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-ticking", about: "Ticks.", outputs: ["toy/in", "_clock"])
  static let day = Instant(seconds: 1_372_636_858)

  var count = 0

  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    guard case .wake = event else { return [] }
    let now = Self.day.advanced(bySeconds: Double(count))
    count += 1
    guard count <= 20 else { return [] }
    return [
      .setClock(now: now, rate: 10, isPaused: false, run: count <= 10 ? 1 : 2),
      .publish(topic: "toy/in", stamp: now, payload: [UInt8(count)]),
      .wake(at: now.advanced(bySeconds: 1)),
    ]
  }
}

/// Wakes at once, for ever.
struct EndlessWakeStage: ByteStage {
  static let manifest = Manifest(name: "toy-spinning", about: "Spins.", inputs: ["toy/echo"])
  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}
  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    [.publish(topic: "toy/echo", stamp: Instant(nanoseconds: 0), payload: [])]
  }
}

/// Asks to be woken at the moment at which it is woken.
struct RepeatedWakeStage: ByteStage {
  static let manifest = Manifest(name: "toy-sleepless", about: "Never sleeps.")
  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}
  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    guard case .wake(let now) = event else { return [] }
    return [.wake(at: now)]
  }
}
