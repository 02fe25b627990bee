/// The cause of an output: a message, identified by topic leaf, source, run of the source and
/// number in that run.
///
/// With number 0 it is a call, a tick of the stack clock or a map that was replaced.
public struct Cause: Hashable, Sendable {
  public var topic: String
  public var source: String
  public var run: UInt64
  public var sequence: UInt64

  public init(topic: String, source: String, run: UInt64, sequence: UInt64) {
    self.topic = topic
    self.source = source
    self.run = run
    self.sequence = sequence
  }

  /// Returns the cause for a call by `source`: for the outputs of its server, and for those of
  /// `source` after the reply.
  public static func call(_ name: String, of source: String) -> Cause {
    Cause(topic: "_svc/\(name)", source: source, run: 0, sequence: 0)
  }

  /// Returns the cause for a moment of the stack clock for which the node `source` waited, or to
  /// which the clock was set.
  public static func tick(at source: String) -> Cause {
    Cause(topic: "_clock", source: source, run: 0, sequence: 0)
  }

  /// Returns the cause for a map that was replaced under the node `source`.
  public static func map(at source: String) -> Cause {
    Cause(topic: "_map", source: source, run: 0, sequence: 0)
  }
}

extension EncodedEvent {
  /// Returns the cause of outputs that name none; only the harness knows it for a cancelled call
  /// and for a reply.
  public func cause(at node: String) -> Cause? {
    switch self {
    case .message(let message): message.cause
    case .call(let call): .call(call.name, of: node)
    case .wake, .clockReset: .tick(at: node)
    case .cancelled, .reply: nil
    }
  }
}
