public import Messages
public import Stage

/// A stage that reads and writes bytes instead of values, for tests of harnesses.
///
/// Its messages need not be those of the contract, whatever their topics are.
public protocol ByteStage: Stage {
  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput]
}

extension ByteStage {
  public func interest(in topic: Topics.Name) -> TopicInterest { .bytes }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    try handle(EncodedEvent(event)).map(StageOutput.init)
  }
}

extension EncodedEvent {
  fileprivate init(_ event: StageEvent) {
    switch event {
    case .message(let message):
      self = .message(
        EncodedMessage(
          topic: message.topic, stamp: message.stamp, source: message.source, run: message.run,
          sequence: message.sequence, key: message.key, isLatched: message.isLatched,
          payload: message.value.encoded()))
    case .call(let call):
      self = .call(
        EncodedCall(
          id: call.id, name: call.name, stamp: call.stamp, payload: call.value.encoded()))
    case .cancelled(let callID): self = .cancelled(callID: callID)
    case .reply(let token, let stamp, .ok(let reply)):
      self = .reply(token: token, stamp: stamp, outcome: .ok(payload: reply.encoded()))
    case .reply(let token, let stamp, .failed(let error)):
      self = .reply(token: token, stamp: stamp, outcome: .failed(error))
    case .wake(let now): self = .wake(now: now)
    case .clockReset(let now): self = .clockReset(now: now)
    }
  }
}

extension StageOutput {
  /// An output whose values are bytes.
  public init(_ output: EncodedOutput) {
    switch output {
    case .publish(let topic, let stamp, let payload, let key, let ttlMS, let cause):
      self = .publish(
        .bytes(topic: topic, payload), stamp: stamp, key: key, ttlMS: ttlMS, cause: cause)
    case .promise(let topic, let nextS):
      // No topic of a test's own has readers that expect a rate.
      self = Topics.name(of: topic).map { .promise($0, nextS: nextS) } ?? .count("promises", 1)
    case .call(let name, let payload, let timeoutMS, let token):
      self = .call(.bytes(call: name, payload), timeoutMS: timeoutMS, token: token)
    case .cancelCall(let token): self = .cancelCall(token: token)
    case .reply(let callID, .ok(let payload)):
      self = .reply(callID: callID, outcome: .ok(.bytes(payload)))
    case .reply(let callID, .failed(let error)):
      self = .reply(callID: callID, outcome: .failed(error))
    case .wake(let at): self = .wake(at: at)
    case .wakeDuringWork(let everyS): self = .wakeDuringWork(everyS: everyS)
    case .work(let callID, let body): self = .work(callID: callID) { body().map(Self.init) }
    case .log(let level, let text): self = .log(level, text)
    case .count(let counter, let amount): self = .count(counter, amount)
    case .degraded(let why): self = .degraded(why)
    case .admit(let vehicle): self = .admit(vehicle: vehicle)
    case .leave: self = .leave
    case .setClock(let now, let rate, let isPaused, let run):
      self = .setClock(now: now, rate: rate, isPaused: isPaused, run: run)
    }
  }
}
