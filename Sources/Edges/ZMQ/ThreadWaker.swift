import CLinux
import Glibc

/// An eventfd: any thread can wake the thread that polls it.
public final class ThreadWaker: Sendable {
  public let descriptor: Int32

  public init() throws(BusError) {
    descriptor = clinux_eventfd()
    guard descriptor >= 0 else {
      throw BusError(call: .poll, errno: errno, subject: "eventfd")
    }
  }

  deinit { close(descriptor) }

  public func signal() { _ = clinux_eventfd_signal(descriptor) }
  public func drain() { _ = clinux_eventfd_drain(descriptor) }
  public var pollItem: PollItem { PollItem(descriptor: descriptor) }
}
