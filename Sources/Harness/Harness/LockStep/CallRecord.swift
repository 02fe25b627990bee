public import Foundations
import Messages
public import Stage

/// A call as seen from outside: started, or ended.
public struct CallRecord: Hashable, Sendable {
  public enum Phase: Hashable, Sendable {
    case asked(payload: [UInt8])
    case ended(EncodedOutcome)
  }

  /// Identity of the call; derived from a counter, so that runs are equal.
  public var id: String
  public var name: String
  public var vehicle: String
  /// The caller.
  public var caller: String
  /// The server; empty if there is none.
  public var server: String
  public var stamp: Instant
  public var phase: Phase
}

extension CallRecord {
  /// The call as the broker publishes it on `_svc/<call>`.
  var mirror: CallMirror {
    var mirror = CallMirror(
      phase: .request, id: id, call: name, vehicle: vehicle, source: caller,
      server: server.isEmpty ? nil : server)
    switch phase {
    case .asked(let payload):
      (mirror.payload, mirror.payloadBytes) = (payload, UInt64(payload.count))
    case .ended(.ok(let payload)):
      (mirror.phase, mirror.ok) = (.reply, true)
      (mirror.payload, mirror.payloadBytes) = (payload, UInt64(payload.count))
    case .ended(.failed(let error)):
      (mirror.phase, mirror.ok) = (.reply, false)
      (mirror.code, mirror.message, mirror.field) = (error.code, error.message, error.field)
    }
    return mirror
  }
}
