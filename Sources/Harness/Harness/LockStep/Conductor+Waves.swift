import EventTime
import Messages
import NodeKit
import Stage

/// One node of a `Conductor`, and the conductor's data about it.
final class ConductorMember {
  let node: any ConductedNode
  let facts: NodeFacts
  var run: UInt64 = 1
  var sequences: [String: UInt64] = [:]
  var wakes: [String: DueWakeUp] = [:]
  /// In order of creation.
  private(set) var vehicles: [String] = []
  private var known: Set<String> = []

  init(_ node: any ConductedNode) {
    self.node = node
    facts = node.facts
  }

  var name: String { node.name }
  var setsClock: Bool { facts.setsClock }
  func reads(_ topic: String) -> Bool { facts.inputs.contains(topic) }

  /// Adds a vehicle; false if it is already present.
  func admit(_ vehicle: String) -> Bool {
    guard known.insert(vehicle).inserted else { return false }
    vehicles.append(vehicle)
    return true
  }

  func has(_ vehicle: String) -> Bool { known.contains(vehicle) }

  /// Forgets a vehicle that has gone; linear in the vehicles.
  func drop(_ vehicle: String) {
    guard known.remove(vehicle) != nil else { return }
    vehicles.removeAll { $0 == vehicle }
    wakes[vehicle] = nil
  }

  /// Forgets the state that a killed process has lost.
  func restart() {
    run += 1
    sequences = [:]
    wakes = [:]
  }
}

struct DueWakeUp {
  var at: Instant
  /// Order of wake-ups at the same moment: the one requested first comes first.
  var order: Int
}

struct PendingEvent {
  var member: ConductorMember
  var vehicle: String
  var event: EncodedEvent
  /// The cause of outputs that do not name one.
  var cause: Cause?
}

struct ConductedClock {
  var isKnown = false
  var run: UInt64?
  var isPaused = false
}

extension Conductor {
  /// Number of waves without an advance of time above which they count as an endless loop.
  private static let maximumWaves = 10_000

  /// Handles waves until none is left; false if they do not end.
  func settle() throws(NodeLost) -> Bool {
    for _ in 0..<Self.maximumWaves {
      if pending.isEmpty { return true }
      try handleWave()
    }
    return false
  }

  private func handleWave() throws(NodeLost) {
    var parts: [ObjectIdentifier: [PendingEvent]] = [:]
    for one in pending { parts[ObjectIdentifier(one.member), default: []].append(one) }
    pending = []
    waveCount += 1
    let wave = members.compactMap { member in
      parts[ObjectIdentifier(member)].map { (member: member, events: $0) }
    }
    // All nodes get their batches before any answer is awaited, so processes work in parallel.
    for (member, events) in wave {
      member.node.begin(
        EventBatch(
          now: clock.isKnown ? now : nil,
          items: events.map { EventBatch.Item(vehicle: $0.vehicle, event: $0.event) },
          wantsStates: publishesStates))
    }
    batchCount += wave.count
    var answers: [BatchAnswer] = []
    for (member, events) in wave {
      let answer = try member.node.finish()
      guard answer.results.count == events.count else {
        throw NodeLost(
          node: member.name,
          reason: "it answered \(answer.results.count) of \(events.count) events")
      }
      answers.append(answer)
    }
    for ((member, events), answer) in zip(wave, answers) { perform(answer, of: member, events) }
  }

  private func perform(_ answer: BatchAnswer, of member: ConductorMember, _ events: [PendingEvent])
  {
    // Published after the state is kept, as on the bus.
    for state in answer.states { publish(state, of: member) }
    for (pending, result) in zip(events, answer.results) {
      switch result {
      case .success(let outputs):
        perform(outputs, of: member, vehicle: pending.vehicle, cause: pending.cause)
      case .failure(let refusal):
        refuse(refusal, at: member, place: pending.event.place)
        if case .call(let request) = pending.event {
          endCall(
            request.id,
            .failed(CallError(code: "invalid", message: refusal.message, field: refusal.field)))
        }
      }
    }
  }

  func refuse(_ refusal: Refusal, at member: ConductorMember, place: String) {
    refusals[member.name, default: [:]]["\(place) \(refusal.reason)", default: 0] += 1
    let text = "\(place): \(refusal.sentence(at: place))"
    log?(LogLine(level: .warning, node: member.name, text: text))
  }

  func deliver(_ event: EncodedEvent, to member: ConductorMember, vehicle: String?, cause: Cause?) {
    for one in vehicle.map({ [$0] }) ?? member.vehicles {
      if member.admit(one), clock.isKnown, !member.setsClock {
        pending.append(
          PendingEvent(
            member: member, vehicle: one, event: .wake(now: now), cause: .tick(at: member.name)))
      }
      pending.append(PendingEvent(member: member, vehicle: one, event: event, cause: cause))
    }
  }

  /// Passes a message to the tap and to every node that reads its topic.
  func route(_ message: PublishedMessage) {
    tap?(message)
    if let stopWhen, !hasMetCondition { hasMetCondition = stopWhen(message) }
    if Contract.isState(message.topic) {
      lastValues["\(message.name) \(message.key ?? "")"] = message
    }
    if holdsBack?(message) == true { return }
    hand(message)
  }

  func hand(_ message: PublishedMessage, isLatched: Bool = false) {
    var inbound = message.inbound
    inbound.isLatched = isLatched
    for member in members where member.reads(message.topic) {
      deliver(.message(inbound), to: member, vehicle: message.vehicle, cause: inbound.cause)
    }
  }

  private func perform(
    _ outputs: [EncodedOutput], of member: ConductorMember, vehicle: String, cause: Cause?
  ) {
    for output in outputs {
      switch output {
      case .publish(let topic, let stamp, let payload, let key, let ttlMS, let given):
        publish(
          topic, stamp: stamp, payload: payload, key: key, ttlMS: ttlMS, cause: given ?? cause,
          of: member, vehicle: vehicle)
      case .call(let name, let payload, _, let token):
        beginCall(
          name, payload: payload, vehicle: vehicle,
          caller: .member(member, vehicle: vehicle, token: token))
      case .cancelCall(let token): cancelCall(of: member, vehicle: vehicle, token: token)
      case .reply(let id, let outcome): endCall(id, outcome)
      case .wake(let at):
        wakeCount += 1
        member.wakes[vehicle] = DueWakeUp(at: at, order: wakeCount)
      case .work(_, let body):
        perform(body(), of: member, vehicle: vehicle, cause: cause)
      case .log(let level, let text): log?(LogLine(level: level, node: member.name, text: text))
      case .count(let counter, let amount):
        counters[member.name, default: [:]][counter, default: 0] += amount
      case .degraded(let why): degraded[member.name] = why
      case .admit(let another):
        guard member.admit(another) else { break }
        pending.append(
          PendingEvent(
            member: member, vehicle: another, event: .wake(now: now),
            cause: .tick(at: member.name)))
      case .leave: member.drop(vehicle)
      // In lock-step work takes no time, and inputs are not checked: nothing is lost or late.
      case .promise, .wakeDuringWork: break
      case .setClock(let now, let rate, let isPaused, let run):
        setClock(now: now, rate: rate, isPaused: isPaused, run: run, by: member)
      }
    }
  }

  private func publish(
    _ topic: String, stamp: Instant, payload: [UInt8], key: String?, ttlMS: UInt32?, cause: Cause?,
    of member: ConductorMember, vehicle: String
  ) {
    let owner = topic.hasPrefix("_") ? nil : vehicle
    let name = owner.map { "\($0)/\(topic)" } ?? topic
    let sequence = (member.sequences[name] ?? 0) + 1
    member.sequences[name] = sequence
    route(
      PublishedMessage(
        vehicle: owner, topic: topic, stamp: stamp, source: member.name, run: member.run,
        sequence: sequence, schema: Contract.schema(ofTopic: topic), key: key, ttlMS: ttlMS,
        cause: cause, payload: payload))
  }

  private func publish(_ state: BatchAnswer.State, of member: ConductorMember) {
    let payload = state.payload.map {
      NodeState(
        vehicle: state.vehicle, program: member.facts.program, savedNs: now.nanoseconds, state: $0
      ).encoded()
    }
    publish(
      "_state/\(member.name)", stamp: now, payload: payload ?? [], key: state.vehicle, ttlMS: nil,
      cause: nil, of: member, vehicle: state.vehicle)
  }

  private func setClock(
    now new: Instant, rate: Double, isPaused: Bool, run: UInt64, by setter: ConductorMember
  ) {
    let payload = Contract.clockPayload(now: new, rate: rate, isPaused: isPaused, run: run)
    let change = recordClock(now: new, isPaused: isPaused, run: run)
    publish(
      Contract.clockTopic, stamp: now, payload: payload, key: nil, ttlMS: nil, cause: nil,
      of: setter, vehicle: "")
    followClock(change, now: new, besides: setter)
  }
}

extension EncodedEvent {
  /// The key under which a refusal of the event is counted: the topic or the call.
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
