import CZeroMQ
import Glibc

/// Something to wait for: a socket that can be read or written, or a readable file descriptor.
public struct PollItem {
  var item: zmq_pollitem_t

  /// Creates an item for a descriptor, such as that of a `ThreadWaker`.
  public init(descriptor: Int32) {
    item = zmq_pollitem_t(socket: nil, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0)
  }

  /// Creates an item for a socket, which must live, on this thread, during the wait.
  public init(readable socket: borrowing Socket) {
    item = zmq_pollitem_t(socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
  }

  public init(writable socket: borrowing Socket) {
    item = zmq_pollitem_t(socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLOUT), revents: 0)
  }

  public var isReady: Bool { item.revents != 0 }
}

/// Waits until an item is ready or `timeoutMS` have passed (-1: without limit); true if one is
/// ready.
///
/// A signal ends the wait early with nothing ready.
///
/// - Throws: `BusError` if waiting fails or a descriptor is closed; a loop that continues anyway
///   uses `pollOrPause`.
@discardableResult
public func poll(_ items: inout [PollItem], timeoutMS: Int) throws(BusError) -> Bool {
  if items.allSatisfy({ $0.item.socket == nil }) { return try pollDescriptors(&items, timeoutMS) }
  var raw = items.map(\.item)
  let ready = zmq_poll(&raw, Int32(raw.count), timeoutMS)
  guard ready >= 0 else {
    for index in items.indices { items[index].item.revents = 0 }
    if zmq_errno() == EINTR { return false }
    throw .last(.poll)
  }
  for index in items.indices { items[index].item.revents = raw[index].revents }
  return ready > 0
}

/// Does the same without sockets, at a third of the cost.
private func pollDescriptors(
  _ items: inout [PollItem], _ timeoutMS: Int
) throws(BusError) -> Bool {
  var raw = items.map { pollfd(fd: $0.item.fd, events: Int16(POLLIN), revents: 0) }
  let ready = Glibc.poll(&raw, nfds_t(raw.count), Int32(clamping: timeoutMS))
  let failure = errno
  for index in items.indices { items[index].item.revents = ready > 0 ? raw[index].revents : 0 }
  guard ready >= 0 || failure == EINTR else {
    throw BusError(call: .poll, errno: failure, subject: "")
  }
  // A closed descriptor counts as ready, immediately and forever.
  if ready > 0, let closed = raw.first(where: { $0.revents & Int16(POLLNVAL) != 0 }) {
    throw BusError(call: .poll, errno: EBADF, subject: "descriptor \(closed.fd)")
  }
  return ready > 0
}

/// Waits like `poll`, for a loop that must continue if waiting fails.
///
/// A failure pauses for `FailedWaits.pauseMS`, is counted in `FailedWaits`, and counts as nothing
/// ready.
@discardableResult
public func pollOrPause(_ items: inout [PollItem], timeoutMS: Int) -> Bool {
  do throws(BusError) {
    return try poll(&items, timeoutMS: timeoutMS)
  } catch {
    FailedWaits.pause(after: error)
    return false
  }
}
