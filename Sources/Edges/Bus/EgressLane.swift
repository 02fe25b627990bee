import Glibc

/// One egress of the broker: lane 0 is that of all nodes, the last one that of plain SUB sockets.
///
/// A reader whose queue is full loses messages, and nobody else does. Only in a flood does the
/// broker wait for room (`RoomPatience`), which holds the publishers back.
final class EgressLane {
  let number: Int
  /// Messages that did not find room at each of their readers.
  private(set) var crowded: UInt64 = 0
  private let socket: Socket
  private let form: MessageForm
  /// Kept of the plain lane alone.
  private var readers = PlainReaders()
  private var patience = RoomPatience()

  init(_ number: Int, of address: BusAddress, in context: Context) throws(BusError) {
    let socket = try Socket(.extendedPublish, in: context)
    try socket.reportEverySubscription()
    try socket.refuseWhereFull(true)
    if address.isRemote { try socket.keepAlive() }
    try socket.bind(address.egress(lane: number))
    self.number = number
    form = number == Lanes.plainNumber ? .apart : .joined
    self.socket = socket
  }

  func add(to readiness: inout Readiness) { readiness.add(socket) }

  /// A subscription that begins or ends; nil where there is none.
  func receive() throws(BusError) -> [[UInt8]]? {
    let parts = try socket.receive()
    if form == .apart, let change = parts?.first, let kind = change.first {
      readers.note(Array(change.dropFirst()), begins: kind == 1)
    }
    return parts
  }

  /// Whether somebody may hear a topic here.
  func mayHear(_ topic: UnsafeRawBufferPointer) -> Bool {
    form == .joined || readers.mayWant(topic)
  }

  /// Sends a message; unless it `keeps` its bytes for another lane, it is not to be read afterwards.
  func send(_ message: Message, keeps: Bool, isFlooded: Bool) throws(BusError) {
    if try sendWhereRoom(message, keeps: keeps) { return }
    if isFlooded, try sendInTime(message, keeps: keeps) { return }
    crowded += 1
    try socket.refuseWhereFull(false)
    _ = try sendWhereRoom(message, keeps: keeps)
    try socket.refuseWhereFull(true)
  }

  private func sendInTime(_ message: Message, keeps: Bool) throws(BusError) -> Bool {
    try patience.waits { () throws(BusError) in
      socket.heedPeers()
      return try sendWhereRoom(message, keeps: keeps)
    }
  }

  /// False where the queue of a reader is full.
  private func sendWhereRoom(_ message: Message, keeps: Bool) throws(BusError) -> Bool {
    do {
      try socket.send(message, as: form, keeps: keeps)
      return true
    } catch {
      guard error.wouldBlock else { throw error }
      return false
    }
  }
}
