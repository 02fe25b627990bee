import Foundations
import Messages
import Stage

/// An invalid batch or answer.
struct LockStepFault: Error {
  var message: String
  init(_ message: String) { self.message = message }
}

extension EventBatch {
  var request: LockstepRequest {
    LockstepRequest(
      nowNs: now?.nanoseconds, states: wantsStates,
      events: items.map { WireLockstepEvent($0.event, vehicle: $0.vehicle) })
  }

  init(_ request: LockstepRequest) throws(LockStepFault) {
    self.init(now: request.nowNs.map(Instant.init(nanoseconds:)), items: [])
    wantsStates = request.states
    for event in request.events {
      items.append(Item(vehicle: event.vehicle, event: try event.event))
    }
  }
}

extension BatchAnswer {
  var reply: LockstepReply {
    LockstepReply(
      answers: results.map { result in
        switch result {
        case .success(let outputs):
          WireLockstepAnswer(outputs: outputs.compactMap(WireLockstepOutput.init))
        case .failure(let refusal):
          WireLockstepAnswer(
            refusal: WireLockstepError(
              code: refusal.reason, message: refusal.message, field: refusal.field))
        }
      }, states: states.map { WireLockstepState(vehicle: $0.vehicle, state: $0.payload) })
  }

  init(_ reply: LockstepReply) throws(LockStepFault) {
    self.init(
      states: reply.states.map { State(vehicle: $0.vehicle, payload: $0.state) })
    for answer in reply.answers {
      if let refusal = answer.refusal {
        results.append(
          .failure(
            Refusal(reason: refusal.code, message: refusal.message, field: refusal.field)))
      } else {
        var outputs: [EncodedOutput] = []
        for output in answer.outputs { outputs.append(try output.output) }
        results.append(.success(outputs))
      }
    }
  }
}

extension WireLockstepEvent {
  init(_ event: EncodedEvent, vehicle: String) {
    switch event {
    case .message(let message):
      self.init(
        kind: .message, vehicle: vehicle, stampNs: message.stamp.nanoseconds, topic: message.topic,
        src: message.source, run: message.run, seq: message.sequence, key: message.key,
        latched: message.isLatched, payload: message.payload)
    case .call(let call):
      self.init(
        kind: .call, vehicle: vehicle, stampNs: call.stamp.nanoseconds, payload: call.payload,
        id: call.id, name: call.name)
    case .cancelled(let id): self.init(kind: .cancelled, vehicle: vehicle, id: id)
    case .reply(let token, let stamp, let outcome):
      self.init(kind: .reply, vehicle: vehicle, stampNs: stamp.nanoseconds, token: token)
      (payload, error) = outcome.wire
    case .wake(let now): self.init(kind: .wake, vehicle: vehicle, stampNs: now.nanoseconds)
    case .clockReset(let now):
      self.init(kind: .clockReset, vehicle: vehicle, stampNs: now.nanoseconds)
    }
  }

  var event: EncodedEvent {
    get throws(LockStepFault) {
      let stamp = Instant(nanoseconds: stampNs)
      switch kind {
      case .message:
        guard let topic, let src else { throw LockStepFault("a message needs topic and src") }
        return .message(
          EncodedMessage(
            topic: topic, stamp: stamp, source: src, run: run, sequence: seq, key: key,
            isLatched: latched, payload: payload ?? []))
      case .call:
        guard let id, let name else { throw LockStepFault("a call needs id and name") }
        return .call(EncodedCall(id: id, name: name, stamp: stamp, payload: payload ?? []))
      case .cancelled:
        guard let id else { throw LockStepFault("a cancelled call needs an id") }
        return .cancelled(callID: id)
      case .reply:
        return .reply(token: token, stamp: stamp, outcome: EncodedOutcome(payload, error))
      case .wake: return .wake(now: stamp)
      case .clockReset: return .clockReset(now: stamp)
      }
    }
  }
}

extension EncodedOutcome {
  fileprivate var wire: ([UInt8]?, WireLockstepError?) {
    switch self {
    case .ok(let payload): (payload, nil)
    case .failed(let error):
      (nil, WireLockstepError(code: error.code, message: error.message, field: error.field))
    }
  }

  fileprivate init(_ payload: [UInt8]?, _ error: WireLockstepError?) {
    if let error {
      self = .failed(CallError(code: error.code, message: error.message, field: error.field))
    } else {
      self = .ok(payload: payload ?? [])
    }
  }
}

extension WireLockstepOutput {
  /// nil for `work`, which is performed by the node itself, and for wake-ups while it runs.
  init?(_ output: EncodedOutput) {
    switch output {
    case .publish(let topic, let stamp, let payload, let key, let ttlMS, let cause):
      self.init(
        kind: .publish, stampNs: stamp.nanoseconds, topic: topic, payload: payload, key: key,
        ttlMs: ttlMS.map(UInt64.init))
      if let cause {
        (causeTopic, causeSrc) = (cause.topic, cause.source)
        (causeRun, causeSeq) = (cause.run, cause.sequence)
      }
    case .call(let name, let payload, let timeoutMS, let token):
      self.init(
        kind: .call, payload: payload, name: name, timeoutMs: UInt64(timeoutMS), token: token)
    case .cancelCall(let token): self.init(kind: .cancelCall, token: token)
    case .reply(let id, let outcome):
      self.init(kind: .reply, id: id)
      (payload, error) = outcome.wire
    case .wake(let at): self.init(kind: .wake, stampNs: at.nanoseconds)
    case .work, .wakeDuringWork: return nil
    case .log(let level, let text):
      self.init(kind: .log, level: Level(rawValue: level.rawValue) ?? .info, text: text)
    case .count(let counter, let amount):
      self.init(kind: .count, name: counter, amount: Int64(amount))
    case .degraded(let why): self.init(kind: .degraded, text: why)
    case .promise(let topic, let nextS):
      self.init(kind: .promise, topic: topic, nextS: nextS)
    case .admit(let vehicle): self.init(kind: .admit, vehicle: vehicle)
    case .leave: self.init(kind: .leave)
    case .setClock(let now, let rate, let isPaused, let run):
      self.init(
        kind: .setClock, stampNs: now.nanoseconds, rate: rate, paused: isPaused, run: run)
    }
  }

  var output: EncodedOutput {
    get throws(LockStepFault) {
      let stamp = Instant(nanoseconds: stampNs)
      switch kind {
      case .publish:
        guard let topic else { throw LockStepFault("a publication needs a topic") }
        return .publish(
          topic: topic, stamp: stamp, payload: payload ?? [], key: key,
          ttlMS: ttlMs.map { UInt32(clamping: $0) }, cause: cause)
      case .call:
        guard let name else { throw LockStepFault("a call needs a name") }
        return .call(
          name: name, payload: payload ?? [], timeoutMS: UInt32(clamping: timeoutMs), token: token)
      case .cancelCall: return .cancelCall(token: token)
      case .reply:
        guard let id else { throw LockStepFault("a reply needs the id of its call") }
        return .reply(callID: id, outcome: EncodedOutcome(payload, error))
      case .wake: return .wake(at: stamp)
      case .log: return .log(LogLevel(rawValue: level.rawValue) ?? .info, text ?? "")
      case .count: return .count(name ?? "", Int(amount))
      case .degraded: return .degraded(text)
      case .setClock: return .setClock(now: stamp, rate: rate, isPaused: paused, run: run)
      case .promise:
        guard let topic else { throw LockStepFault("a promise needs a topic") }
        return .promise(topic: topic, nextS: nextS)
      case .admit:
        guard let vehicle else { throw LockStepFault("an admitted vehicle needs a name") }
        return .admit(vehicle: vehicle)
      case .leave: return .leave
      }
    }
  }

  private var cause: Cause? {
    guard let causeTopic, let causeSrc else { return nil }
    return Cause(topic: causeTopic, source: causeSrc, run: causeRun, sequence: causeSeq)
  }
}
