import CLinux
// Its sources may be used from any thread, which their protocol does not declare.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// The listening socket of a server, and its links to other processes that share the socket.
///
/// A process that asks gets a copy of the socket. The successor's link stays open: when the server
/// retires, it sends each idle connection to the successor, with the bytes that it has read of the
/// next request.
///
/// Dispatch watches these sockets, and SwiftNIO only the connections. SwiftNIO cannot receive
/// descriptors over a local socket, and asserts that a connection waits whenever the listening
/// socket is readable. That is wrong if another process has accepted it.
final class HTTPHandover: Sendable {
  /// Takes over a connection, of which another process has read some bytes.
  typealias Adoption = @Sendable (_ descriptor: Int32, _ unread: [UInt8]) -> Void

  private static let mostGuests = 256
  /// Maximum wait for a successor that does not read.
  private static let sendMS: Int32 = 500

  private struct State {
    var isListening = true
    var listener: WatchedSocket?
    var entrance: WatchedSocket?
    var predecessor: WatchedSocket?
    /// Processes that are connected to this one.
    var guests: [Int32: WatchedSocket] = [:]
    /// Those of them that end and send their connections.
    var givers: Set<Int32> = []
    /// The process that gets this one's connections: a guest, or one to which this process has
    /// connected.
    var successor: Int32 = -1
  }

  private let socket: SharedListener
  private let queue = DispatchQueue(label: "navstack.http.handover")
  private let state = Mutex(State())

  init(_ socket: SharedListener) { self.socket = socket }

  var hasSuccessor: Bool { state.withLock { $0.successor >= 0 } }
  /// Whether another process may still send connections.
  var isReceiving: Bool { state.withLock { !$0.givers.isEmpty } }

  /// Starts to watch the listening socket, to pass it on, and to receive the predecessor's
  /// connections.
  ///
  /// `accept` is called when connections wait, and again after it has called its argument.
  /// `whenGiven` is called when a process has sent all its connections.
  func start(
    accept: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void,
    adopt: @escaping Adoption, whenGiven: @escaping @Sendable () -> Void
  ) {
    state.withLock { state in
      state.listener = WatchedSocket(socket.listener, queue, pausing: accept)
      if socket.predecessor >= 0 {
        state.predecessor = watch(socket.predecessor) { [self] in
          receive(socket.predecessor, adopt)
        }
      }
      guard let sharing = socket.sharing else { return }
      for place in 0..<ListenerSharing.places {
        let name = sharing.name(host: socket.host, port: socket.port, place: place)
        let descriptor = clinux_local_listen(name)
        guard descriptor >= 0 else { continue }
        state.entrance = watch(descriptor) { [self] in acceptGuests(descriptor, adopt, whenGiven) }
        break
      }
    }
  }

  /// Stops listening here; other processes that have the socket continue.
  func retire() {
    state.withLock { state in
      closeListener(&state)
      if state.successor < 0 { state.successor = connectToSuccessor() }
    }
  }

  func end() {
    state.withLock { state in
      closeListener(&state)
      if state.successor >= 0, state.guests[state.successor] == nil {
        clinux_close(state.successor)
      }
      state.successor = -1
      for guest in state.guests.values { guest.close() }
      state.guests = [:]
      state.givers = []
      state.predecessor?.close()
      state.predecessor = nil
    }
  }

  /// Passes a connection to the successor; if it does not take it, the connection ends.
  func pass(_ descriptor: Int32, unread: [UInt8]) {
    let successor = state.withLock { $0.successor }
    guard successor >= 0 else { return }
    // The first byte keeps a message without unread bytes from looking like the end.
    let message = [UInt8(ascii: "c")] + unread
    clinux_local_send(successor, message, Int64(message.count), descriptor, Self.sendMS)
  }

  private func watch(
    _ descriptor: Int32, _ take: @escaping @Sendable () -> Void
  ) -> WatchedSocket { WatchedSocket(descriptor, queue, take) }

  private func closeListener(_ state: inout State) {
    state.isListening = false
    state.listener?.close()
    state.listener = nil
    // From now on no process can connect, not even this one.
    if let entrance = state.entrance { shutdown(entrance.descriptor, Int32(SHUT_RDWR)) }
    state.entrance?.close()
    state.entrance = nil
  }

  /// Connects to another process of the node, to give it the connections; -1 if there is none.
  private func connectToSuccessor() -> Int32 {
    guard let sharing = socket.sharing, sharing.isReplica else { return -1 }
    let hello = ListenerHello(process: sharing.process, .gives).bytes
    for place in 0..<ListenerSharing.places {
      let link = clinux_local_connect(
        sharing.name(host: socket.host, port: socket.port, place: place), Self.sendMS)
      guard link >= 0 else { continue }
      if clinux_local_send(link, hello, Int64(hello.count), -1, Self.sendMS) == hello.count {
        return link
      }
      clinux_close(link)
    }
    return -1
  }

  // MARK: Events of the local sockets, on the queue

  private func acceptGuests(
    _ entrance: Int32, _ adopt: @escaping Adoption, _ whenGiven: @escaping @Sendable () -> Void
  ) {
    state.withLock { state in
      while state.entrance != nil {
        let guest = clinux_local_accept(entrance)
        guard guest >= 0 else {
          if HTTPSocket.isForbidden { continue }
          return
        }
        guard state.guests.count < Self.mostGuests else {
          clinux_close(guest)
          continue
        }
        state.guests[guest] = watch(guest) { [self] in
          // Dispatch reports a socket whose other end is closed only once, so everything is read
          // now.
          while acceptGreeting(guest) {}
          guard isGiver(guest) else { return }
          receive(guest, adopt)
          if !isGiver(guest) { whenGiven() }
        }
      }
    }
  }

  /// Whether a guest has announced that it gives its connections.
  private func isGiver(_ guest: Int32) -> Bool { state.withLock { $0.givers.contains(guest) } }

  /// Receives the connections that have arrived over a link.
  private func receive(_ link: Int32, _ adopt: Adoption) {
    var buffer = [UInt8](repeating: 0, count: HTTPHead.sizeLimit + 512 * 1024)
    while true {
      var passed: Int32 = -1
      let got = clinux_local_receive(link, &buffer, Int64(buffer.count), &passed, 0)
      guard got > 0, passed >= 0 else {
        let isEmpty = got < 0 && HTTPSocket.wouldBlock
        if passed >= 0 { clinux_close(passed) }
        if !isEmpty { dismiss(link) }
        return
      }
      adopt(passed, Array(buffer[1..<Int(got)]))
    }
  }

  private func dismiss(_ link: Int32) { state.withLock { Self.dismiss(link, &$0) } }

  private static func dismiss(_ link: Int32, _ state: inout State) {
    if state.predecessor?.descriptor == link {
      state.predecessor?.close()
      state.predecessor = nil
    }
    if state.successor == link { state.successor = -1 }
    state.guests.removeValue(forKey: link)?.close()
    state.givers.remove(link)
  }

  /// Answers a greeting with the socket, and closes the link of a process that has gone.
  ///
  /// The result is whether another greeting may follow.
  private func acceptGreeting(_ guest: Int32) -> Bool {
    state.withLock { state in
      guard state.guests[guest] != nil, !state.givers.contains(guest) else { return false }
      var buffer = [UInt8](repeating: 0, count: ListenerHello.capacity)
      var passed: Int32 = -1
      let got = clinux_local_receive(guest, &buffer, Int64(buffer.count), &passed, 0)
      let isEmpty = got < 0 && HTTPSocket.wouldBlock
      if passed >= 0 { clinux_close(passed) }
      if isEmpty { return false }
      let hello = got > 0 ? ListenerHello(buffer.prefix(Int(got))) : nil
      if hello?.kind == .gives {
        state.givers.insert(guest)
        return false
      }
      guard state.isListening, let hello, let sharing = socket.sharing else {
        Self.dismiss(guest, &state)
        return false
      }
      let answer = ListenerHello(process: sharing.process, .shares).bytes
      clinux_local_send(guest, answer, Int64(answer.count), socket.listener, Self.sendMS)
      if hello.kind == .succeeds, hello.process == sharing.process { state.successor = guest }
      return true
    }
  }
}

/// A local socket that is watched for input until it is closed.
final class WatchedSocket: Sendable {
  let descriptor: Int32
  private let source: any DispatchSourceRead

  /// Calls `take` on the queue while there is input.
  init(_ descriptor: Int32, _ queue: DispatchQueue, _ take: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler(handler: DispatchWorkItem(block: take))
    start()
  }

  /// Calls `take` on the queue when there is input, and again after it has called its argument.
  init(
    _ descriptor: Int32, _ queue: DispatchQueue,
    pausing take: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
  ) {
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    let source = source
    source.setEventHandler(
      handler: DispatchWorkItem {
        source.suspend()
        take { source.resume() }
      })
    start()
  }

  private func start() {
    // Only then is the descriptor not used any more.
    source.setCancelHandler(handler: DispatchWorkItem { [descriptor] in clinux_close(descriptor) })
    source.activate()
  }

  func close() { source.cancel() }
}
