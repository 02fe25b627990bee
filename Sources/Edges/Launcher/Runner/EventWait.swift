import BusClient
import BusProtocol
import Foundation
import Supervision
import ZMQ

/// Waits for events of the launcher's loop.
struct EventWait {
  private var stalls = LoopStallDetector()
  /// Whether a failure has been reported, which happens once.
  private var hasFailed = false

  /// Waits until a descriptor is readable or the time is over.
  ///
  /// Returns the reason of the first failure; nil otherwise.
  mutating func poll(_ descriptors: [Int32], timeoutMS: Int32) -> String? {
    var items = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard Glibc.poll(&items, nfds_t(items.count), timeoutMS) < 0, errno != EINTR else { return nil }
    let reason = String(cString: strerror(errno))
    // The loop must still check its children, and must not spin.
    usleep(20_000)
    defer { hasFailed = true }
    return hasFailed ? nil : reason
  }

  /// The seconds for which the loop was stopped before this turn; nil if it ran.
  mutating func pauseS(atS now: Double) -> Double? { stalls.pauseS(atS: now) }
}

/// The requests to stop the stack: the first stops it, the second kills its processes.
struct StopRequests {
  private let waker: ThreadWaker
  private var count: UInt64 = 0

  init(_ waker: ThreadWaker) { self.waker = waker }

  /// Readable when a request has arrived.
  var descriptor: Int32 { waker.descriptor }

  /// Whether the first request has arrived since the last call, and whether there are more by now.
  mutating func drain() -> (isFirst: Bool, isRepeated: Bool) {
    var new: UInt64 = 0
    guard read(waker.descriptor, &new, 8) == 8 else { return (false, false) }
    defer { count += new }
    return (count == 0, count + new > 1)
  }
}
