import BusProtocol
import Glibc
import ZMQ

/// One egress of the broker: lane 0 serves all nodes, the last one serves plain SUB sockets.
///
/// Only a reader whose own queue is full loses messages. The broker waits for room only in a flood
/// (`BackPressureTimeout`), which slows the publishers down.
final class EgressSocket {
  let number: Int
  /// Number of messages that did not find room at all of their readers.
  private(set) var crowded: UInt64 = 0
  private let socket: Socket
  private let form: MessageForm
  /// Used for the plain lane only.
  private var readers = PlainSubscriptions()
  private var patience = BackPressureTimeout()

  init(_ number: Int, of address: BusAddress, in context: Context) throws(BusError) {
    let socket = try Socket(.extendedPublish, in: context)
    try socket.reportEverySubscription()
    try socket.refuseWhenFull(true)
    if address.isRemote { try socket.keepAlive() }
    try socket.bind(address.egress(lane: number))
    self.number = number
    form = number == EgressSet.plainNumber ? .apart : .joined
    self.socket = socket
  }

  func add(to readiness: inout SocketPoller) { readiness.add(socket) }

  /// Receives a subscription that starts or ends; nil if there is none.
  func receive() throws(BusError) -> [[UInt8]]? {
    let parts = try socket.receive()
    if form == .apart, let change = parts?.first, let kind = change.first {
      readers.record(Array(change.dropFirst()), begins: kind == 1)
    }
    return parts
  }

  /// Whether a subscriber on this lane may want a topic.
  func mayReceive(_ topic: UnsafeRawBufferPointer) -> Bool {
    form == .joined || readers.mayWant(topic)
  }

  /// Sends a message; unless it `keeps` its bytes for another lane, it must not be read afterwards.
  func send(_ message: Message, keeps: Bool, isFlooded: Bool) throws(BusError) {
    if try sendIfRoom(message, keeps: keeps) { return }
    if isFlooded, try sendInTime(message, keeps: keeps) { return }
    crowded += 1
    try socket.refuseWhenFull(false)
    _ = try sendIfRoom(message, keeps: keeps)
    try socket.refuseWhenFull(true)
  }

  private func sendInTime(_ message: Message, keeps: Bool) throws(BusError) -> Bool {
    try patience.waits { () throws(BusError) in
      socket.processPeerEvents()
      return try sendIfRoom(message, keeps: keeps)
    }
  }

  /// Sends a message; false if the queue of a reader is full.
  private func sendIfRoom(_ message: Message, keeps: Bool) throws(BusError) -> Bool {
    do {
      try socket.send(message, as: form, keeps: keeps)
      return true
    } catch {
      guard error.wouldBlock else { throw error }
      return false
    }
  }
}
