import CLinux
import CZeroMQ
import Glibc

/// The broker's sockets, and the ear for peers that hang up.
struct BrokerSockets: ~Copyable {
  /// What has something to read.
  struct Ready {
    var isStopping = false
    var orders = false
    var ingest = false
    var control = false
    var hangUps = false
    /// Whose subscriptions changed.
    var lanes: Lanes = []
  }

  /// A busy ingest lets the other sockets have their turn after so many messages.
  private static let batch = 256

  private let address: BusAddress
  private let context: Context
  private let stop: WakeUp
  private let orders: WakeUp
  private let ingest: Socket
  private let control: Socket
  private let hangUps: Socket
  /// By number; the first one is that of all nodes, the last one that of plain sockets.
  private var lanes: [EgressLane?]
  /// What a turn receives into, again and again: all of it is sent before the next one.
  private let incoming = (0..<batch).map { _ in Message() }
  private(set) var rate = MessageRate()
  /// A hang-up is told before its peer has ceased to be reachable: who is there is asked for a while.
  private var sweepsLeft = 0
  private var nextSweep = MonotonicTime(nanoseconds: 0)
  private static let sweeps = 10
  /// What to wait for: five that are always there, then the lanes.
  private var items: [zmq_pollitem_t] = []
  private static let firstLaneItem = 5

  init(_ address: BusAddress, stop: WakeUp, orders: BrokerOrders) throws(BusError) {
    let context = try Context()
    let ingest = try Socket(.pull, in: context)
    let control = try Socket(.router, in: context)
    try control.refuseUnknownPeers()
    // A snapshot is one burst: it must not be cut off at a high-water mark.
    try control.setHighWater(send: 0, receive: 10_000)
    let hangUps = try Socket(.pair, in: context)
    if address.isRemote {
      try ingest.keepAlive()
      try control.keepAlive()
    }
    try control.reportDisconnections(on: "inproc://hang-ups")
    try hangUps.connect("inproc://hang-ups")
    try ingest.bind(address.ingest)
    let shared = try EgressLane(0, of: address, in: context)
    let plain = try EgressLane(Lanes.plainNumber, of: address, in: context)
    try control.bind(address.control)
    let bell = try WakeUp()
    self.address = address
    self.context = context
    self.stop = stop
    self.orders = bell
    self.ingest = ingest
    self.control = control
    self.hangUps = hangUps
    lanes = [shared] + [EgressLane?](repeating: nil, count: Lanes.last) + [plain]
    orders.open(self.orders)
    listItems()
  }

  private mutating func listItems() {
    items = [
      stop.pollItem.item, orders.pollItem.item, PollItem(readable: ingest).item,
      PollItem(readable: control).item, PollItem(readable: hangUps).item,
    ]
    for case let lane? in lanes { items.append(lane.pollItem.item) }
  }

  mutating func wait(timeoutMS: Int) throws(BusError) -> Ready {
    guard zmq_poll(&items, Int32(items.count), timeoutMS) >= 0 else {
      if zmq_errno() == EINTR { return Ready() }
      throw .last(.poll)
    }
    var ready = Ready(
      isStopping: items[0].revents != 0, orders: items[1].revents != 0,
      ingest: items[2].revents != 0, control: items[3].revents != 0,
      hangUps: items[4].revents != 0)
    var item = Self.firstLaneItem
    for case let lane? in lanes {
      if items[item].revents != 0 { ready.lanes.insert(.lane(lane.number)) }
      item += 1
    }
    return ready
  }

  /// Reads what is there, and sends on what follows; gives the number of messages of topics.
  mutating func drain(
    _ ready: Ready, into board: inout Switchboard, now: MonotonicTime
  ) throws(BusError) -> UInt64 {
    for number in lanes.indices where ready.lanes.contains(.lane(number)) {
      for _ in 0..<Self.batch {
        guard let parts = try lanes[number]?.receive() else { break }
        board.subscription(parts, lane: number)
      }
    }
    if ready.hangUps {
      while try hangUps.receive() != nil {}
      sweepsLeft = Self.sweeps
      nextSweep = now
    }
    if sweepsLeft > 0, now >= nextSweep {
      sweepsLeft -= 1
      nextSweep = now.advanced(byMS: 50)
      try sweep(&board, now: now)
    }
    if ready.control {
      for _ in 0..<Self.batch {
        guard let parts = try control.receive() else { break }
        board.control(parts, now: now)
      }
    }
    let messages = ready.ingest ? try drainIngest(into: &board, now: now) : 0
    rate.count(messages, at: now)
    try flush(&board, now: now)
    // What was dropped is not kept until its place is needed.
    for message in incoming[..<messages] { message.clear() }
    return UInt64(messages)
  }

  private borrowing func drainIngest(
    into board: inout Switchboard, now: MonotonicTime
  ) throws(BusError) -> Int {
    for number in incoming.indices {
      guard try ingest.receive(into: incoming[number]) else { return number }
      if !board.taps.isEmpty { board.wallNS = wallClockNS() }
      board.ingest(incoming[number], now: now)
    }
    return incoming.count
  }

  /// Somebody hung up: whoever cannot be reached any more has gone.
  private mutating func sweep(_ board: inout Switchboard, now: MonotonicTime) throws(BusError) {
    for identity in board.registry.nodes.keys {
      board.send(Control(.alive), to: identity)
    }
    try flush(&board, now: now)
  }

  /// Messages that did not find room at each of their readers.
  var crowded: UInt64 { lanes.reduce(0) { $0 + ($1?.crowded ?? 0) } }

  /// Sends what the board wants sent; whoever cannot be reached is let go, which may say more.
  mutating func flush(_ board: inout Switchboard, now: MonotonicTime) throws(BusError) {
    while !board.outgoing.isEmpty {
      for outgoing in take(&board.outgoing) {
        switch outgoing {
        case .egress(let message, let lanes): try send(message, on: lanes)
        case .control(let identity, let parts):
          do throws(BusError) {
            try control.send([identity] + parts)
          } catch {
            board.peerGone(identity, now: now)
          }
        case .openLane(let number):
          do throws(BusError) {
            lanes[number] = try EgressLane(number, of: address, in: context)
          } catch {
            board.laneFailed(number, error)
          }
          listItems()
        case .closeLane(let number):
          lanes[number] = nil
          listItems()
        }
      }
    }
  }

  /// The last lane gets the message itself, the others a reference to the same bytes.
  private borrowing func send(_ message: Message, on wanted: Lanes) throws(BusError) {
    var rest = wanted.rawValue
    if wanted.contains(.plain), lanes[Lanes.plainNumber]?.mayHear(message.topic) != true {
      rest &= ~Lanes.plain.rawValue
    }
    while rest != 0 {
      let number = rest.trailingZeroBitCount
      rest &= rest - 1
      try lanes[number]?.send(message, keeps: rest != 0, isFlooded: rate.isFlood)
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
