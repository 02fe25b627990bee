/// What led to an output: a message, by topic leaf, source, run of the source and number in that run; or,
/// with number 0, a call, a tick of the stack clock or a map that was replaced.
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

  /// The call that `source` made: what its server says about it, and what `source` says to its reply.
  public static func call(_ name: String, of source: String) -> Cause {
    Cause(topic: "_svc/\(name)", source: source, run: 0, sequence: 0)
  }

  /// A moment of the stack clock that the node `source` had waited for, or to which the clock was set.
  public static func tick(at source: String) -> Cause {
    Cause(topic: "_clock", source: source, run: 0, sequence: 0)
  }

  /// A map that was replaced under the node `source`.
  public static func map(at source: String) -> Cause {
    Cause(topic: "_map", source: source, run: 0, sequence: 0)
  }
}

extension StageEvent {
  /// What outputs are put down to that name no cause; for a call that is given up and for a reply only the
  /// harness knows it.
  public func cause(at node: String) -> Cause? {
    switch self {
    case .message(let inbound): inbound.cause
    case .call(let request): .call(request.name, of: node)
    case .wake, .clockReset: .tick(at: node)
    case .cancelled, .reply: nil
    }
  }
}
