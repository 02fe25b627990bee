import CLinux

/// The links of a server to other processes that share its listening socket.
///
/// A process that asks gets a copy of the socket. The successor's link stays open: when the server retires, it sends
/// each idle connection to the successor, with the bytes that it has read of the next request.
struct HTTPHandover: ~Copyable {
  /// Tokens of the local sockets; connections have smaller ones.
  private static let first = UInt64(UInt32.max) << 32
  private static let entranceToken = UInt64.max - 2
  private static let predecessorToken = UInt64.max - 3
  private static let mostGuests = 256
  /// Maximum wait for a successor that does not read.
  private static let sendMS: Int32 = 500

  private let socket: SharedListener
  private let epoll: Int32
  private var isListening = true
  private var entrance: Int32 = -1
  private var predecessor: Int32
  /// Connected processes by their slot.
  private var guests: [Int32?] = []
  /// Slots of processes that end and send their connections.
  private var givers: Set<Int> = []
  private var successor: Int32 = -1
  private(set) var isRetiring = false

  init(_ socket: SharedListener, epoll: Int32) {
    self.socket = socket
    self.epoll = epoll
    predecessor = socket.predecessor
  }

  var hasSuccessor: Bool { successor >= 0 }
  /// Whether another process may still send connections.
  var isReceiving: Bool { !givers.isEmpty }

  static func owns(_ token: UInt64) -> Bool { token >= first && token < HTTPLoop.wakeToken }

  /// Starts to pass the socket on, and to receive the predecessor's connections.
  mutating func begin() {
    let readable = Int32(CLINUX_READABLE)
    if predecessor >= 0 {
      clinux_epoll_watch(epoll, predecessor, Self.predecessorToken, readable, 1)
    }
    guard let sharing = socket.sharing else { return }
    for place in 0..<ListenerSharing.places where entrance < 0 {
      entrance = clinux_local_listen(
        sharing.name(host: socket.host, port: socket.port, place: place))
    }
    if entrance >= 0 { clinux_epoll_watch(epoll, entrance, Self.entranceToken, readable, 1) }
  }

  /// Stops listening here; other processes that have the socket continue.
  mutating func retire() {
    isRetiring = true
    closeListener()
    if successor < 0 { successor = connectToSuccessor() }
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

  mutating func end() {
    closeListener()
    if successor >= 0, !guests.contains(successor) { clinux_close(successor) }
    for case let guest? in guests { clinux_close(guest) }
    guests = []
    successor = -1
    if predecessor >= 0 { clinux_close(predecessor) }
    predecessor = -1
  }

  private mutating func closeListener() {
    if isListening {
      // The socket stays open in other processes, so closing it would not end the watch.
      clinux_epoll_forget(epoll, socket.listener)
      clinux_close(socket.listener)
      isListening = false
    }
    if entrance >= 0 { clinux_close(entrance) }
    entrance = -1
  }

  /// Handles an event of a local socket; returns the connection that the predecessor sent, if any.
  mutating func take(_ token: UInt64) -> (descriptor: Int32, unread: [UInt8])? {
    switch token {
    case Self.entranceToken: acceptLinks()
    case Self.predecessorToken:
      let (received, hasEnded) = Self.receive(predecessor)
      if hasEnded {
        clinux_close(predecessor)
        predecessor = -1
      }
      return received
    default:
      let place = Int(token - Self.first)
      guard givers.contains(place), let giver = guests[place] else { return answerGreeting(place) }
      let (received, hasEnded) = Self.receive(giver)
      if hasEnded { dismiss(place) }
      return received
    }
    return nil
  }

  private mutating func dismiss(_ place: Int) {
    guard let guest = guests[place] else { return }
    if successor == guest { successor = -1 }
    clinux_close(guest)
    guests[place] = nil
    givers.remove(place)
  }

  private mutating func acceptLinks() {
    while entrance >= 0 {
      let guest = clinux_local_accept(entrance)
      guard guest >= 0 else {
        if HTTPSocket.isForbidden { continue }
        return
      }
      let place = guests.firstIndex { $0 == nil } ?? guests.count
      guard place < Self.mostGuests else {
        clinux_close(guest)
        continue
      }
      if place == guests.count { guests.append(guest) } else { guests[place] = guest }
      clinux_epoll_watch(epoll, guest, Self.first + UInt64(place), Int32(CLINUX_READABLE), 1)
    }
  }

  /// Answers a greeting with the socket, and closes the link of a process that has gone.
  private mutating func answerGreeting(_ place: Int) -> (descriptor: Int32, unread: [UInt8])? {
    guard guests.indices.contains(place), let guest = guests[place] else { return nil }
    var buffer = [UInt8](repeating: 0, count: ListenerHello.capacity)
    var passed: Int32 = -1
    let got = clinux_local_receive(guest, &buffer, Int64(buffer.count), &passed, 0)
    if passed >= 0 { clinux_close(passed) }
    if got < 0, HTTPSocket.wouldBlock { return nil }
    let hello = got > 0 ? ListenerHello(buffer.prefix(Int(got))) : nil
    if hello?.kind == .gives {
      givers.insert(place)
      return nil
    }
    guard isListening, let hello, let sharing = socket.sharing else {
      dismiss(place)
      return nil
    }
    let answer = ListenerHello(process: sharing.process, .shares).bytes
    clinux_local_send(guest, answer, Int64(answer.count), socket.listener, Self.sendMS)
    if hello.kind == .succeeds, hello.process == sharing.process { successor = guest }
    return nil
  }

  /// Passes a connection to the successor; false if there is none or it does not take it.
  func pass(_ descriptor: Int32, unread: [UInt8]) -> Bool {
    guard successor >= 0 else { return false }
    // The first byte keeps a message without unread bytes from looking like the end.
    let message = [UInt8(ascii: "c")] + unread
    return clinux_local_send(
      successor, message, Int64(message.count), descriptor, Self.sendMS) == message.count
  }

  /// Receives a connection over a link; `hasEnded` if no more follow.
  private static func receive(
    _ link: Int32
  ) -> (connection: (descriptor: Int32, unread: [UInt8])?, hasEnded: Bool) {
    var buffer = [UInt8](repeating: 0, count: HTTPReader.headLimit + 32 * 1024)
    var passed: Int32 = -1
    let got = clinux_local_receive(link, &buffer, Int64(buffer.count), &passed, 0)
    if got > 0, passed >= 0 { return ((passed, Array(buffer[1..<Int(got)])), false) }
    if passed >= 0 { clinux_close(passed) }
    return (nil, !(got < 0 && HTTPSocket.wouldBlock))
  }
}

// A server that gives way to its successor, and a server that takes over.
extension HTTPLoop {
  /// Whether all requests of a server that was retired have been answered.
  var hasDrained: Bool { handover.isRetiring && connections.isEmpty && !handover.isReceiving }

  func takeHandover(_ token: UInt64) {
    guard let (descriptor, unread) = handover.take(token) else { return }
    guard let slot = admit(descriptor) else { return }
    connections.with(slot) { connection in
      unread.withUnsafeBufferPointer { connection.reader.feed($0) }
    }
    advance(slot)
  }

  func beginDraining() {
    // Without a successor, connections that wait in the socket's queue would be cut off.
    if !handover.hasSuccessor { accept() }
    handover.retire()
    for slot in connections.taken {
      switch connections.with(slot, { $0.stage }) {
      case .reading: _ = moveOn(slot)
      case .live: dismissLive(slot)
      case .answering, .writing: break
      }
    }
  }

  /// Gives a connection without a request in progress to the successor; false if it stays here.
  ///
  /// Without a successor it stays for a moment: a request in transit is answered, as the last one.
  func moveOn(_ slot: Int) -> Bool {
    let isInBody = connections.with(slot) { $0.reader.isInBody }
    guard handover.hasSuccessor, !isInBody else {
      let end = clinux_monotonic_ns() &+ Self.lastRequestNS
      connections.with(slot) { $0.deadline = min($0.deadline, end) }
      return false
    }
    let (descriptor, unread) = connections.with(slot) { ($0.descriptor, $0.reader.takeRest()) }
    if handover.pass(descriptor, unread: unread) {
      connections.giveAway(slot)
    } else {
      connections.close(slot)
    }
    return true
  }

  /// Time for which an idle connection is kept open when the server retires without a successor.
  private static let lastRequestNS: Int64 = 500_000_000

  private func dismissLive(_ slot: Int) {
    connections.with(slot) { connection in
      guard connection.answer.isEmpty else { return }
      connection.answer = WebSocketFrame.close(1001)
      _ = connection.write()
    }
    connections.close(slot)
  }
}
