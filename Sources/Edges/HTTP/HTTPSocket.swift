import CLinux
import Glibc

/// The system's report on the last call on a socket.
enum HTTPSocket {
  static var wouldBlock: Bool { errno == EAGAIN || errno == EWOULDBLOCK }
  static var isForbidden: Bool { errno == EACCES }
  static var isOutOfDescriptors: Bool { errno == EMFILE || errno == ENFILE }
  static var reason: String { String(cString: strerror(errno)) }
}
