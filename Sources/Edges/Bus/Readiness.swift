import CZeroMQ
import Glibc

/// What a loop waits for: descriptors, and sockets by the descriptor that libzmq gives each.
///
/// `zmq_poll` asks every socket before and after it waits, three system calls at a time, which is most of what
/// a message costs that comes alone. Here a socket is asked only where its descriptor may be silent though there is
/// something to read: when it had something the last time, or was used meanwhile. Whoever is told that a
/// socket is ready must receive from it, and may find nothing.
///
/// Why that is enough: libzmq makes a socket's descriptor readable when its threads hand something over, and a
/// question (or any use of the socket) takes all that was handed over at once. So after a question that
/// found nothing the next message makes the descriptor readable; after one that found something, or
/// after a use, what lies there makes no further sign, and the socket is asked again before each wait
/// until a question finds nothing. A wait costs one system call, and one more for each socket in doubt.
struct Readiness {
  private var items: [pollfd] = []
  /// The sockets among them; nil for a plain descriptor.
  private var handles: [UnsafeMutableRawPointer?] = []
  /// Sockets that are asked before the next wait.
  private var isDoubtful: [Bool] = []
  /// Sockets of which the last question found that a message could go.
  private var couldSend: [Bool] = []

  /// Adds a descriptor; gives its place.
  @discardableResult
  mutating func add(_ descriptor: Int32) -> Int {
    items.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    handles.append(nil)
    isDoubtful.append(false)
    couldSend.append(false)
    return items.count - 1
  }

  /// Adds a socket, which must live, on this thread, as long as it is waited for; gives its place.
  @discardableResult
  mutating func add(_ socket: borrowing Socket) -> Int {
    let place = add(socket.descriptor)
    handles[place] = socket.handle
    isDoubtful[place] = true
    return place
  }

  /// Has a socket asked before the next wait: libzmq may have seen what came in while it was used.
  mutating func doubt(_ place: Int) { isDoubtful[place] = true }

  /// Waits until something is ready or `timeoutMS` have passed (-1: without limit); `except` is not
  /// waited for, and keeps its doubt.
  ///
  /// A signal ends the wait early with nothing ready.
  ///
  /// - Throws: `BusError` where a socket does not answer or a descriptor is closed. Nothing that was in doubt
  ///   is forgotten by it; a caller that goes on must pause, since it would be thrown again at once.
  mutating func wait(timeoutMS: Int, except: Int? = nil) throws(BusError) {
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

  /// Whether a message could go over a socket when it was asked last; where it refuses while nobody is connected,
  /// whether somebody is.
  ///
  /// A wait ends at once where that has become otherwise.
  func canSend(_ place: Int) -> Bool { couldSend[place] }

  /// Whether something may be there, after a wait.
  subscript(place: Int) -> Bool { items[place].revents != 0 || isDoubtful[place] }
}
