import CLinux
import Glibc

/// The broker's three sockets, and the ear for peers that hang up.
struct BrokerSockets: ~Copyable {
  /// What has something to read.
  struct Ready {
    var isStopping = false
    var ingest = false
    var egress = false
    var control = false
    var hangUps = false
  }

  /// A busy ingest lets the other sockets have their turn after so many messages.
  private static let batch = 256

  private let ingest: Socket
  private let egress: Socket
  private let control: Socket
  private let hangUps: Socket

  init(_ address: BusAddress) throws(BusError) {
    let context = try Context()
    let ingest = try Socket(.pull, in: context)
    let egress = try Socket(.extendedPublish, in: context)
    try egress.reportEverySubscription()
    let control = try Socket(.router, in: context)
    try control.refuseUnknownPeers()
    // A snapshot is one burst: it must not be cut off at a high-water mark.
    try control.setHighWater(send: 0, receive: 10_000)
    let hangUps = try Socket(.pair, in: context)
    if address.isRemote {
      try ingest.keepAlive()
      try egress.keepAlive()
      try control.keepAlive()
    }
    try control.reportDisconnections(on: "inproc://hang-ups")
    try hangUps.connect("inproc://hang-ups")
    try ingest.bind(address.ingest)
    try egress.bind(address.egress)
    try control.bind(address.control)
    self.ingest = ingest
    self.egress = egress
    self.control = control
    self.hangUps = hangUps
  }

  borrowing func wait(_ stop: WakeUp, timeoutMS: Int) throws(BusError) -> Ready {
    var items = [
      stop.pollItem, PollItem(readable: ingest), PollItem(readable: egress),
      PollItem(readable: control), PollItem(readable: hangUps),
    ]
    try poll(&items, timeoutMS: timeoutMS)
    return Ready(
      isStopping: items[0].isReady, ingest: items[1].isReady, egress: items[2].isReady,
      control: items[3].isReady, hangUps: items[4].isReady)
  }

  /// Reads what is there, and sends on what follows; gives the number of messages of topics.
  borrowing func drain(
    _ ready: Ready, into board: inout Switchboard, now: MonotonicTime
  ) throws(BusError) -> UInt64 {
    var messages: UInt64 = 0
    if ready.egress {
      while let parts = try egress.receive() { board.subscription(parts) }
    }
    if ready.hangUps {
      while try hangUps.receive() != nil {}
      try sweep(&board, now: now)
    }
    if ready.control {
      for _ in 0..<Self.batch {
        guard let parts = try control.receive() else { break }
        board.control(parts, now: now)
      }
    }
    if ready.ingest {
      for _ in 0..<Self.batch {
        guard let parts = try ingest.receive() else { break }
        board.ingest(parts, now: now)
        messages += 1
      }
    }
    try flush(&board, now: now)
    return messages
  }

  /// Somebody hung up: whoever cannot be reached any more has gone.
  private borrowing func sweep(_ board: inout Switchboard, now: MonotonicTime) throws(BusError) {
    for identity in board.registry.nodes.keys {
      board.send(Control(.alive), to: identity)
    }
    try flush(&board, now: now)
  }

  /// Sends what the board wants sent; whoever cannot be reached is let go, which may say more.
  borrowing func flush(_ board: inout Switchboard, now: MonotonicTime) throws(BusError) {
    while !board.outgoing.isEmpty {
      var batch: [Switchboard.Outgoing] = []
      swap(&batch, &board.outgoing)
      for outgoing in batch {
        switch outgoing {
        case .egress(let parts): try egress.send(parts)
        case .control(let identity, let parts):
          do throws(BusError) {
            try control.send([identity] + parts)
          } catch {
            board.peerGone(identity, now: now)
          }
        }
      }
    }
  }
}

/// Takes the lock of a broker.
func lockFile(_ path: String) throws(BusError) -> Int32 {
  let descriptor = clinux_lock_file(path)
  guard descriptor >= 0 else {
    throw BusError(
      call: .bind, errno: errno == EWOULDBLOCK ? EADDRINUSE : errno,
      subject: "\(path) (is another broker running?)")
  }
  return descriptor
}
