import EventTime
import NodeKit
import Stage

/// One node of a `MemoryHarness`.
final class MemoryNode {
  let name: String
  private let makeHost: () -> any StageHosting
  private(set) var host: any StageHosting
  private(set) var run: UInt64 = 1
  var sequences: [String: UInt64] = [:]
  var wakes: [String: MemoryWake] = [:]

  init(name: String, makeHost: @escaping () -> any StageHosting) {
    self.name = name
    self.makeHost = makeHost
    self.host = makeHost()
  }

  var setsClock: Bool { host.manifest.outputs.contains(Contract.clockTopic) }
  func reads(_ topic: String) -> Bool { host.manifest.inputs.contains(topic) }

  func restart() {
    host = makeHost()
    run += 1
    sequences = [:]
    wakes = [:]
  }
}

struct MemoryWake {
  var at: Instant
  /// Of wake-ups at the same moment the one asked for first comes first.
  var order: Int
}

struct MemoryDelivery {
  var node: MemoryNode
  var vehicle: String
  var event: StageEvent
  /// The message that an output without a cause is put down to.
  var cause: Cause?
}

struct MemoryClock {
  var isKnown = false
  var run: UInt64?
  var isPaused = false
}

extension MemoryHarness {
  /// More waves than this without time going on are no work but a circle.
  private static let maximumWaves = 10_000

  /// Handles waves until none is left; false where there is no end to them.
  func settle() -> Bool {
    for _ in 0..<Self.maximumWaves {
      if pending.isEmpty { return true }
      var wave: [ObjectIdentifier: [MemoryDelivery]] = [:]
      for delivery in pending {
        wave[ObjectIdentifier(delivery.node), default: []].append(delivery)
      }
      pending = []
      for node in nodes {
        for delivery in wave[ObjectIdentifier(node)] ?? [] { handle(delivery) }
      }
    }
    return false
  }

  private func handle(_ delivery: MemoryDelivery) {
    let node = delivery.node
    do {
      let outputs = try node.host.handle(delivery.event, vehicle: delivery.vehicle)
      perform(outputs, of: node, vehicle: delivery.vehicle, cause: delivery.cause)
    } catch {
      refuse(error, at: node, place: delivery.event.place)
      if case .call(let request) = delivery.event {
        endCall(
          request.id,
          .failed(CallError(code: "invalid", message: error.message, field: error.field)))
      }
    }
  }

  func refuse(_ refusal: Refusal, at node: MemoryNode, place: String) {
    refusals[node.name, default: [:]]["\(place) \(refusal.reason)", default: 0] += 1
    log?(LogLine(level: .warning, node: node.name, text: "\(place): \(refusal.message)"))
  }

  func deliver(_ event: StageEvent, to node: MemoryNode, vehicle: String?, cause: Cause?) {
    for one in vehicle.map({ [$0] }) ?? node.host.vehicles {
      if node.host.admit(one), clock.isKnown, !node.setsClock {
        pending.append(
          MemoryDelivery(node: node, vehicle: one, event: .wake(now: now), cause: nil))
      }
      pending.append(MemoryDelivery(node: node, vehicle: one, event: event, cause: cause))
    }
  }

  /// Gives a message to the tap and to every node that reads its topic.
  func route(_ message: PublishedMessage) {
    tap?(message)
    if let stopWhen, !hasMetCondition { hasMetCondition = stopWhen(message) }
    if Contract.isState(message.topic) {
      lastValues["\(message.name) \(message.key ?? "")"] = message
    }
    for node in nodes where node.reads(message.topic) {
      deliver(
        .message(message.inbound), to: node, vehicle: message.vehicle, cause: message.inbound.cause)
    }
  }

  func perform(_ outputs: [StageOutput], of node: MemoryNode, vehicle: String, cause: Cause?) {
    for output in outputs {
      switch output {
      case .publish(let topic, let stamp, let payload, let key, let ttlMS, let given):
        publish(
          topic, stamp: stamp, payload: payload, key: key, ttlMS: ttlMS, cause: given ?? cause,
          of: node, vehicle: vehicle)
      case .call(let name, let payload, _, let token):
        beginCall(
          name, payload: payload, vehicle: vehicle,
          caller: .stage(node: node, vehicle: vehicle, token: token))
      case .cancelCall(let token): cancelCall(of: node, vehicle: vehicle, token: token)
      case .reply(let id, let outcome): endCall(id, outcome)
      case .wake(let at):
        wakeCount += 1
        node.wakes[vehicle] = MemoryWake(at: at, order: wakeCount)
      case .work(_, let body):
        perform(body(), of: node, vehicle: vehicle, cause: cause)
      case .log(let level, let text): log?(LogLine(level: level, node: node.name, text: text))
      case .count(let counter, let amount):
        counters[node.name, default: [:]][counter, default: 0] += amount
      case .degraded(let why): degraded[node.name] = why
      // Nobody judges inputs here: nothing gets lost or late within one process.
      case .promise: break
      case .setClock(let now, let rate, let isPaused, let run):
        setClock(now: now, rate: rate, isPaused: isPaused, run: run, by: node)
      }
    }
  }

  private func publish(
    _ topic: String, stamp: Instant, payload: [UInt8], key: String?, ttlMS: UInt32?, cause: Cause?,
    of node: MemoryNode, vehicle: String
  ) {
    let owner = topic.hasPrefix("_") ? nil : vehicle
    let name = owner.map { "\($0)/\(topic)" } ?? topic
    let sequence = (node.sequences[name] ?? 0) + 1
    node.sequences[name] = sequence
    route(
      PublishedMessage(
        vehicle: owner, topic: topic, stamp: stamp, source: node.name, run: node.run,
        sequence: sequence, schema: Contract.schema(ofTopic: topic), key: key, ttlMS: ttlMS,
        cause: cause, payload: payload))
  }

  private func setClock(
    now new: Instant, rate: Double, isPaused: Bool, run: UInt64, by setter: MemoryNode
  ) {
    let isReset = clock.run.map { $0 != run } ?? false
    let isFirst = !clock.isKnown
    now = isReset || isFirst ? new : max(now, new)
    clock = MemoryClock(isKnown: true, run: run, isPaused: isPaused)
    publish(
      Contract.clockTopic, stamp: now,
      payload: Contract.clockPayload(now: new, rate: rate, isPaused: isPaused, run: run), key: nil,
      ttlMS: nil, cause: nil, of: setter, vehicle: "")
    for node in nodes where node !== setter {
      if isFirst { wakeFirst(node) }
      guard isReset else { continue }
      node.wakes = [:]
      deliver(.clockReset(now: new), to: node, vehicle: nil, cause: nil)
    }
  }

  func wakeFirst(_ node: MemoryNode) {
    for vehicle in node.host.vehicles {
      wakeCount += 1
      node.wakes[vehicle] = MemoryWake(at: now, order: wakeCount)
    }
  }

  /// When the next wake-up is due; while the clock stands still only its source has any.
  func nextWake() -> Instant? {
    awake.flatMap { $0.wakes.values.map(\.at) }.min()
  }

  private var awake: [MemoryNode] {
    clock.isPaused ? nodes.filter(\.setsClock) : nodes
  }

  func deliverDueWakes() {
    for node in awake {
      let due = node.wakes.filter { $0.value.at <= now }.sorted {
        ($0.value.at, $0.value.order) < ($1.value.at, $1.value.order)
      }
      for (vehicle, _) in due {
        node.wakes[vehicle] = nil
        pending.append(
          MemoryDelivery(node: node, vehicle: vehicle, event: .wake(now: now), cause: nil))
      }
    }
  }
}

extension StageEvent {
  /// What a refusal of the event is counted under: the topic or the call.
  var place: String {
    switch self {
    case .message(let message): message.topic
    case .call(let request): request.name
    case .cancelled: "cancelled"
    case .reply: "reply"
    case .wake: "wake"
    case .clockReset: "clock_reset"
    }
  }
}
