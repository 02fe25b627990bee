import BusProtocol
import CLinux
import Glibc
import ZMQ

/// The broker's sockets, including the one that reports peers that hang up.
struct BrokerSockets: ~Copyable {
  /// What has something to read.
  struct Ready {
    var isStopping = false
    var orders = false
    var ingest = false
    var control = false
    var hangUps = false
    /// The lanes whose subscriptions changed.
    var lanes: EgressSet = []
  }

  /// Maximum number of messages before a busy ingest gives the other sockets their turn.
  private static let batch = 256

  private let address: BusAddress
  private let context: Context
  private let stop: ThreadWaker
  private let orders: ThreadWaker
  private let ingest: Socket
  private let control: Socket
  private let hangUps: Socket
  /// By number; the first one serves all nodes, the last one serves plain sockets.
  private var lanes: [EgressSocket?]
  private let shared: EgressSocket
  private let plain: EgressSocket
  /// Messages that are being sent; kept to reuse its memory.
  private var sending: [BrokerCore.Outgoing] = []
  /// Messages that each turn receives into, reused because all of them are sent before the next
  /// turn.
  private let incoming = (0..<batch).map { _ in Message() }
  var rate: MessageRate
  /// A hang-up is reported before its peer has become unreachable, so reachability is checked for a
  /// while.
  private var sweepsLeft = 0
  private var nextSweep = MonotonicTime(nanoseconds: 0)
  private static let sweeps = 10
  /// What to wait for: five that are always there, then the lanes.
  private var readiness = SocketPoller()
  private static let controlItem = 3
  private static let firstLaneItem = 5
  /// The lanes that are bound, in the order in which they are waited for.
  private var laneNumbers: [Int] = []
  /// Lanes on which something was sent since the last wait.
  private var usedLanes: EgressSet = []

  init(
    _ address: BusAddress, rate: MessageRate, stop: ThreadWaker, orders: BrokerTapRequests
  ) throws(BusError) {
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
    let shared = try EgressSocket(0, of: address, in: context)
    let plain = try EgressSocket(EgressSet.plainNumber, of: address, in: context)
    try control.bind(address.control)
    let bell = try ThreadWaker()
    self.address = address
    self.context = context
    self.stop = stop
    self.rate = rate
    self.orders = bell
    self.ingest = ingest
    self.control = control
    self.hangUps = hangUps
    self.shared = shared
    self.plain = plain
    lanes = [shared] + [EgressSocket?](repeating: nil, count: EgressSet.last) + [plain]
    orders.open(self.orders)
    listItems()
  }

  private mutating func listItems() {
    readiness = SocketPoller()
    readiness.add(stop.descriptor)
    readiness.add(orders.descriptor)
    readiness.add(ingest)
    readiness.add(control)
    readiness.add(hangUps)
    laneNumbers = lanes.indices.filter { lanes[$0] != nil }
    for number in laneNumbers { lanes[number]?.add(to: &readiness) }
  }

  mutating func wait(timeoutMS: Int) throws(BusError) -> Ready {
    for (place, number) in laneNumbers.enumerated() where usedLanes.contains(.lane(number)) {
      readiness.doubt(Self.firstLaneItem + place)
    }
    usedLanes = []
    try readiness.wait(timeoutMS: timeoutMS)
    var ready = Ready(
      isStopping: readiness[0], orders: readiness[1], ingest: readiness[2],
      control: readiness[Self.controlItem], hangUps: readiness[4])
    for (place, number) in laneNumbers.enumerated() where readiness[Self.firstLaneItem + place] {
      ready.lanes.insert(.lane(number))
    }
    return ready
  }

  /// Reads the available messages and sends what follows from them; returns the number of topic
  /// messages.
  mutating func drain(
    _ ready: Ready, into core: inout BrokerCore, now: MonotonicTime
  ) throws(BusError) -> UInt64 {
    for number in laneNumbers where ready.lanes.contains(.lane(number)) {
      for _ in 0..<Self.batch {
        guard let parts = try lanes[number]?.receive() else { break }
        core.subscription(parts, lane: number)
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
      try sweep(&core, now: now)
    }
    if ready.control {
      for _ in 0..<Self.batch {
        guard let parts = try control.receive() else { break }
        core.control(parts, now: now)
      }
    }
    let messages = ready.ingest ? try drainIngest(into: &core, now: now) : 0
    rate.count(messages, at: now)
    try flush(&core, now: now)
    // Dropped messages are not kept until their place is needed.
    for message in incoming[..<messages] { message.clear() }
    return UInt64(messages)
  }

  private borrowing func drainIngest(
    into core: inout BrokerCore, now: MonotonicTime
  ) throws(BusError) -> Int {
    for number in incoming.indices {
      guard try ingest.receive(into: incoming[number]) else { return number }
      if !core.taps.isEmpty { core.wallNS = wallClockNS() }
      core.ingest(incoming[number], now: now)
    }
    return incoming.count
  }

  /// Handles a hang-up: every peer that can no longer be reached has left.
  private mutating func sweep(_ core: inout BrokerCore, now: MonotonicTime) throws(BusError) {
    for identity in core.registry.nodes.keys {
      core.send(ControlMessage.Alive(), to: identity)
    }
    try flush(&core, now: now)
  }

  /// Number of messages that did not find room at all of their readers.
  var crowded: UInt64 { lanes.reduce(0) { $0 + ($1?.crowded ?? 0) } }

  /// Sends the outgoing messages of `board`, and drops unreachable peers, which may add more of
  /// them.
  mutating func flush(_ core: inout BrokerCore, now: MonotonicTime) throws(BusError) {
    while !core.outgoing.isEmpty {
      swap(&sending, &core.outgoing)
      for index in sending.indices {
        switch sending[index] {
        case .egress(let message, let lanes): try send(message, on: lanes)
        case .control(let identity, let parts):
          readiness.doubt(Self.controlItem)
          do throws(BusError) {
            try control.send([identity] + parts)
          } catch {
            core.peerGone(identity, now: now)
          }
        case .openLane(let number):
          do throws(BusError) {
            lanes[number] = try EgressSocket(number, of: address, in: context)
          } catch {
            core.laneFailed(number, error)
          }
          listItems()
        case .closeLane(let number):
          lanes[number] = nil
          listItems()
        }
      }
      sending.removeAll(keepingCapacity: true)
    }
  }

  /// Sends a message; the last lane gets the message itself, the others a reference to the same
  /// bytes.
  private mutating func send(_ message: Message, on wanted: EgressSet) throws(BusError) {
    var rest = wanted.rawValue
    usedLanes.formUnion(wanted)
    if wanted.contains(.plain), !plain.mayReceive(message.topic) {
      rest &= ~EgressSet.plain.rawValue
    }
    if rest == EgressSet.lane(0).rawValue {
      return try shared.send(message, keeps: false, isFlooded: rate.isFlood)
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
