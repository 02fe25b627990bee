public import MessagePack
public import Messages

// A stage decodes the messages of its topics, the requests of its calls and its saved state by these
// functions only, so that every refusal names the same things: the reason, the topic or call, the field, the byte.

extension Inbound {
  /// The message as a value of its topic's type.
  ///
  /// - Throws: `Refusal` that names the topic and the field.
  @inlinable public func decoded<M: TopicMessage>(
    _ type: M.Type = M.self
  ) throws(Refusal) -> M {
    do throws(DecodeError) {
      return try M(decoding: payload)
    } catch {
      throw Refusal(error, of: topic)
    }
  }
}

extension CallRequest {
  /// The request as a value of its call's type.
  ///
  /// - Throws: `Refusal` that names the call and the field.
  @inlinable public func decoded<M: RequestMessage>(
    _ type: M.Type = M.self
  ) throws(Refusal) -> M {
    do throws(DecodeError) {
      return try M(decoding: payload)
    } catch {
      throw Refusal(error, of: name)
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
