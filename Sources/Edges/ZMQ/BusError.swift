import CZeroMQ
import Glibc

/// A failed call of libzmq: the call, its subject, and the errno it left.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Call: String, Hashable, Sendable {
    case context
    case socket
    case bind
    case connect
    case set
    case get
    case send
    case receive
    case poll
  }

  public let call: Call
  public let errno: Int32
  /// The endpoint or option concerned; empty if the call identifies it.
  public let subject: String

  /// Whether another process has the address.
  public var isAddressInUse: Bool { call == .bind && errno == EADDRINUSE }

  package init(call: Call, errno: Int32, subject: String) {
    self.call = call
    self.errno = errno
    self.subject = subject
  }

  public var wouldBlock: Bool { errno == EAGAIN }

  public var description: String {
    let reason = zmq_strerror(errno).map { String(cString: $0) } ?? "errno \(errno)"
    return subject.isEmpty
      ? "\(call.rawValue): \(reason)" : "\(call.rawValue) \(subject): \(reason)"
  }

  static func last(_ call: Call, _ subject: String = "") -> Self {
    Self(call: call, errno: zmq_errno(), subject: subject)
  }
}
