import CZeroMQ
import Glibc

/// The items that a loop waits for: descriptors, and sockets by the descriptor that libzmq gives
/// each.
///
/// `zmq_poll` queries every socket before and after it waits, with three system calls each. That is
/// most of the cost of a message that arrives alone. Here a socket is queried only if its
/// descriptor may be silent although there is something to read. That is the case if it had
/// something the last time, or was used meanwhile. A caller for which a socket is ready must
/// receive from it, and may find nothing.
///
/// This is sufficient for the following reason. libzmq makes a socket's descriptor readable when
/// its threads hand something over. A query (or any use of the socket) takes everything that was
/// handed over at once. So after a query that found nothing, the next message makes the descriptor
/// readable. After a query that found something, or after a use, the remaining messages cause no
/// further signal. The socket is then queried again before each wait until a query finds nothing. A
/// wait costs one system call, and one more for each socket in doubt.
package struct SocketPoller {
  private var items: [pollfd] = []
  /// The sockets among them; nil for a plain descriptor.
  private var handles: [UnsafeMutableRawPointer?] = []
  /// Sockets that are queried before the next wait.
  private var isDoubtful: [Bool] = []
  /// Sockets whose last query found that a message could be sent.
  private var couldSend: [Bool] = []

  package init() {}

  /// Adds a descriptor; returns its index.
  @discardableResult
  package mutating func add(_ descriptor: Int32) -> Int {
    items.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    handles.append(nil)
    isDoubtful.append(false)
    couldSend.append(false)
    return items.count - 1
  }

  /// Adds a socket and returns its index; it must live, on this thread, while it is waited for.
  @discardableResult
  package mutating func add(_ socket: borrowing Socket) -> Int {
    let place = add(socket.descriptor)
    handles[place] = socket.handle
    isDoubtful[place] = true
    return place
  }

  /// Marks a socket to be queried before the next wait: libzmq may have seen new input while it was
  /// used.
  package mutating func doubt(_ place: Int) { isDoubtful[place] = true }

  /// Waits until an item is ready or `timeoutMS` have passed (-1: without limit).
  ///
  /// `except` is not waited for, and stays marked.
  ///
  /// A signal ends the wait early with nothing ready.
  ///
  /// - Throws: `BusError` if a socket does not answer or a descriptor is closed. Marked sockets
  ///   stay marked. A caller that continues must pause, since the error would be thrown again
  ///   immediately.
  package mutating func wait(timeoutMS: Int, except: Int? = nil) throws(BusError) {
    do throws(BusError) {
      try look(timeoutMS: timeoutMS, except: except)
    } catch {
      for place in items.indices { items[place].revents = 0 }
      throw error
    }
  }

  private mutating func look(timeoutMS: Int, except: Int?) throws(BusError) {
    var timeoutMS = timeoutMS
    for place in items.indices where isDoubtful[place] && place != except {
      guard let handle = handles[place] else { continue }
      let state = try Socket.state(handle)
      isDoubtful[place] = state.hasInput
      if state.hasInput || state.canSend != couldSend[place] { timeoutMS = 0 }
      couldSend[place] = state.canSend
    }
    let descriptor = except.map { items[$0].fd } ?? -1
    if let except { items[except].fd = -1 }
    let count = Glibc.poll(&items, nfds_t(items.count), Int32(clamping: timeoutMS))
    let failure = errno
    if let except { items[except].fd = descriptor }
    guard count >= 0 || failure == EINTR else {
      throw BusError(call: .poll, errno: failure, subject: "")
    }
    for place in items.indices {
      if count < 0 { items[place].revents = 0 }
      if items[place].revents & Int16(POLLNVAL) != 0 {
        throw BusError(call: .poll, errno: EBADF, subject: "descriptor \(items[place].fd)")
      }
      if items[place].revents != 0, handles[place] != nil { isDoubtful[place] = true }
    }
  }

  /// Whether a message could be sent over a socket when it was last queried.
  ///
  /// For a socket that refuses messages without a peer, this means whether a peer is connected.
  ///
  /// A wait ends immediately if that has changed.
  package func canSend(_ place: Int) -> Bool { couldSend[place] }

  /// Whether something may be available, after a wait.
  package subscript(place: Int) -> Bool { items[place].revents != 0 || isDoubtful[place] }
}
