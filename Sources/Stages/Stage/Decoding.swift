public import MessagePack
public import Messages

// The one place where the messages of topics, the requests and the replies of calls are decoded for stages,
// and their outputs encoded. Every harness passes its events through here, so that every refusal names the
// same things: the reason, the topic or call, the field, the byte.

extension Stage {
  /// Decodes an event, handles it, and encodes the outputs.
  ///
  /// - Throws: `Refusal` for an event that does not decode, or that the stage refuses.
  public mutating func receive(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    switch event {
    case .message(let message):
      guard let value = try decoded(message) else { return [] }
      return encoded(
        try handle(
          .message(
            Inbound(
              value, stamp: message.stamp, source: message.source, run: message.run,
              sequence: message.sequence, key: message.key, isLatched: message.isLatched))))
    case .call(let call):
      return encoded(
        try handle(.call(CallRequest(id: call.id, try call.decoded(), stamp: call.stamp))))
    case .reply(let token, let stamp, let outcome):
      let decoded = outcome.decoded(call(of: token))
      return encoded(try handle(.reply(token: token, stamp: stamp, outcome: decoded)))
    case .cancelled(let callID): return encoded(try handle(.cancelled(callID: callID)))
    case .wake(let now): return encoded(try handle(.wake(now: now)))
    case .clockReset(let now): return encoded(try handle(.clockReset(now: now)))
    }
  }

  /// Switches to the replaced map of `new`, and encodes the outputs.
  public mutating func receiveMap(_ new: Shared) -> [EncodedOutput] { encoded(changeMap(to: new)) }

  /// Returns the value of a message; nil if the stage does not read it.
  private func decoded(_ message: EncodedMessage) throws(Refusal) -> TopicValue? {
    guard let name = Topics.name(of: message.topic) else {
      return .bytes(topic: message.topic, message.payload)
    }
    switch interest(in: name) {
    case .nothing: return nil
    case .bytes: return .bytes(topic: message.topic, message.payload)
    case .valueOrDeletion where message.payload.isEmpty: return .deleted(name)
    case .value, .valueOrDeletion:
      do throws(DecodeError) {
        return try TopicValue(name, decoding: message.payload)
      } catch {
        throw Refusal(error, of: message.topic)
      }
    }
  }
}

extension EncodedCall {
  /// The request as a value; one of an empty request is checked, too.
  fileprivate func decoded() throws(Refusal) -> RequestValue {
    guard let call = Calls.name(of: name) else { return .bytes(call: name, payload) }
    do throws(DecodeError) {
      return try RequestValue(call, decoding: payload)
    } catch {
      throw Refusal(error, of: name)
    }
  }
}

extension EncodedOutcome {
  fileprivate func decoded(_ call: Calls.Name?) -> CallOutcome {
    switch self {
    case .failed(let error): return .failed(error)
    case .ok(let payload):
      guard let call else { return .ok(.bytes(payload)) }
      do throws(DecodeError) {
        return .ok(try ReplyValue(call, decoding: payload))
      } catch {
        let server = Calls.declaration(of: call.rawValue)?.server ?? "server"
        return .failed(
          CallError(code: "internal", message: "The \(server)'s answer: \(error.message)"))
      }
    }
  }
}

private func encoded(_ outputs: [StageOutput]) -> [EncodedOutput] {
  outputs.map(EncodedOutput.init)
}

extension EncodedOutput {
  public init(_ output: StageOutput) {
    switch output {
    case .publish(let value, let stamp, let key, let ttlMS, let cause):
      self = .publish(
        topic: value.topic, stamp: stamp, payload: value.encoded(), key: key, ttlMS: ttlMS,
        cause: cause)
    case .promise(let topic, let nextS): self = .promise(topic: topic.rawValue, nextS: nextS)
    case .call(let request, let timeoutMS, let token):
      self = .call(
        name: request.call, payload: request.encoded(), timeoutMS: timeoutMS, token: token)
    case .cancelCall(let token): self = .cancelCall(token: token)
    case .reply(let callID, let outcome):
      self = .reply(callID: callID, outcome: EncodedOutcome(outcome))
    case .wake(let at): self = .wake(at: at)
    case .wakeDuringWork(let everyS): self = .wakeDuringWork(everyS: everyS)
    case .work(let callID, let body): self = .work(callID: callID) { encoded(body()) }
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

extension EncodedOutcome {
  fileprivate init(_ outcome: CallOutcome) {
    switch outcome {
    case .ok(let reply): self = .ok(payload: reply.encoded())
    case .failed(let error): self = .failed(error)
    }
  }
}

extension Refusal {
  /// The refusal of bytes that are not the value which `place` requires, a topic or a call.
  public init(_ error: DecodeError, of place: String) {
    self.init(
      reason: error.reason.rawValue, message: "\(place): \(error.message)",
      field: error.path.isEmpty ? nil : error.path)
  }
}

extension StructMessage {
  /// The state that a stage saved before a restart.
  ///
  /// - Throws: `Refusal` that names the type and the field.
  public init(savedState bytes: [UInt8]) throws(Refusal) {
    do throws(DecodeError) {
      try self.init(decoding: bytes)
    } catch {
      throw Refusal(error, of: "the saved state")
    }
  }
}
