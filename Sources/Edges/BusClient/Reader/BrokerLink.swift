import BusProtocol
import Glibc
import Synchronization

/// The connection of a reader to its broker: registers, pings, and detects that the broker has gone
/// or is another one.
struct BrokerLink {
  /// Interval of pings; at rest a node wakes for them only, so they are what an idle stack costs.
  static let pingMS: Int64 = 500
  /// Minimum delay of an immediate ping after the previous one.
  static let hurryMS: Int64 = 20
  static let silenceMS: Int64 = 1_500
  /// Number of tries, ten per second, before a name counts as taken.
  ///
  /// They take longer than the broker's timeout for a silent node.
  static let maximumRejections = 40

  private(set) var isRegistered = false
  private let client: BusClient
  private var serves: [String] = []
  private var brokerRun: UInt64?
  /// Whether the broker is new and needs last values and recent events.
  private var mustRepeat = false
  /// Whether the broker is another one; reported when messages can be sent to it.
  private var hasVoidHandover = false
  /// The position from which to request reports of silent topics; nil for future ones only.
  private var tailCursor: UInt64?
  private var rejections = 0
  /// The silence of the broker.
  private var silence = LivenessTimeout()
  /// Whether a connection exists over which the broker can receive messages.
  private var isThere = false
  private var nextRegister = MonotonicTime(nanoseconds: 0)
  private var lastPing = MonotonicTime(nanoseconds: 0)
  private var nextPing = MonotonicTime(nanoseconds: 0)

  init(_ client: BusClient) { self.client = client }

  /// Records a turn of the reader's loop.
  mutating func recordTurn(now: MonotonicTime) { _ = silence.turn(at: now) }

  /// Records a message of the broker.
  mutating func recordMessage(now: MonotonicTime) { silence.heard(at: now) }

  /// Records that the connection was lost or restored.
  ///
  /// After a restored connection the broker may be a new one, and is asked at once.
  mutating func recordChange(_ isThere: Bool) {
    if isThere, !self.isThere {
      nextPing = min(nextPing, lastPing.advanced(byMS: Self.hurryMS))
    }
    self.isThere = isThere
  }

  /// Milliseconds that the reader may wait; it wakes for messages by itself.
  ///
  /// libzmq wakes for a restored connection, but another query of the socket may have consumed that
  /// event.
  func patienceMS(isAtRest: Bool) -> Int {
    let mostMS = isThere ? (isAtRest ? Self.pingMS : 50) : Self.hurryMS
    return min(Int(mostMS), max(1, nextPing.millisecondsLeft()))
  }

  // MARK: Registration

  /// Serves these calls from now on.
  mutating func serve(
    _ names: [String], over control: borrowing ControlSocket, now: MonotonicTime
  ) {
    serves += names.filter { !serves.contains($0) }
    register(over: control, now: now)
  }

  mutating func register(over control: borrowing ControlSocket, now: MonotonicTime) {
    let configuration = client.configuration
    var head = ControlMessage.Register(
      name: configuration.name, run: client.run, kind: configuration.kind,
      version: configuration.version, pid: UInt64(getpid()),
      publishes: configuration.publishes.map { leaf in
        configuration.table.declared(leaf) ?? configuration.table["v/\(leaf)"]
      },
      subscribes: client.reception.withLock { $0.patterns }, serves: serves,
      patterns: configuration.inputs, host: HostName.own, group: configuration.group)
    if configuration.handsOverInParts { head.parts = true }
    if configuration.group != nil { head.lane = UInt64(configuration.lane) }
    client.link.withLock { link in
      if link.isStandby { head.standby = true }
      if link.isReady { head.ready = true }
      head.from = link.predecessor
      head.slots = link.slots?.runs
    }
    nextRegister = now.advanced(byMS: control.send(head) ? 500 : 20)
  }

  /// Handles the acceptance of a registration; returns whether the broker is a new one, to which
  /// all requests are repeated.
  mutating func handle(_ head: ControlMessage.Welcome) -> Bool {
    let isNewBroker = brokerRun != head.run
    let isAnother = isNewBroker && brokerRun != nil
    brokerRun = head.run
    isRegistered = true
    rejections = 0
    client.link.withLock {
      $0.brokerRun = head.run
      if let slots = head.slots.flatMap({ SlotSet(runs: $0) }) { $0.slots = slots }
    }
    if let message = head.message { client.inbox.append(.notServed(message: message)) }
    guard isNewBroker else { return false }
    // The reader requests what it missed of another broker's first seconds.
    tailCursor = isAnother ? 0 : nil
    // A node between two parts of a handover takes part in none at the moment, but has given some
    // slots away.
    if isAnother { hasVoidHandover = true }
    mustRepeat = true
    return true
  }

  mutating func handle(_ head: ControlMessage.Rejected, now: MonotonicTime) {
    isRegistered = false
    rejections += 1
    nextRegister = now.advanced(byMS: 100)
    // The broker may not have noticed yet that a process was just killed.
    guard rejections == Self.maximumRejections || head.code == "invalid" else { return }
    client.inbox.append(.rejected(code: head.code, message: head.message))
  }

  /// Handles the answer to a ping; returns whether the broker has registered this node.
  ///
  /// Otherwise the node registers again.
  mutating func handle(
    _ head: ControlMessage.Pong, over control: borrowing ControlSocket, now: MonotonicTime
  ) -> Bool {
    guard head.known, head.run == brokerRun else {
      register(over: control, now: now)
      return false
    }
    tailCursor = head.count
    return true
  }

  // MARK: Upkeep

  /// Registers and pings when it is due, and detects that the broker has gone.
  mutating func maintain(over control: borrowing ControlSocket, now: MonotonicTime) {
    if isRegistered, silence.milliseconds(at: now) > Self.silenceMS {
      isRegistered = false
      client.link.withLock { $0.isConnected = false }
    }
    if !isRegistered, now >= nextRegister { register(over: control, now: now) }
    if isRegistered, now >= nextPing {
      lastPing = now
      let isSent = control.send(ControlMessage.Ping(from: tailCursor))
      nextPing = now.advanced(byMS: isSent ? Self.pingMS : Self.hurryMS)
    }
    if isRegistered, mustRepeat || !client.isConnected || client.hasUnsent { openOutbox() }
  }

  /// Sends a new broker what it must know, as soon as messages can be sent.
  private mutating func openOutbox() {
    let mustRepeat = self.mustRepeat
    let isOpen = client.outbox.withLock { box -> Bool in
      guard var outbox = box.take() else { return false }
      let isWritable = outbox.isWritable()
      if isWritable {
        if mustRepeat { outbox.repeatAll() } else { outbox.repeatUnsent() }
      }
      box = consume outbox
      return isWritable
    }
    guard isOpen else { return }
    self.mustRepeat = false
    client.link.withLock { $0.isConnected = true }
    if hasVoidHandover {
      hasVoidHandover = false
      if !client.link.withLock({ $0.isStandby }) { client.receiveAllSlots() }
      client.inbox.append(.handover(.void))
    }
  }

  /// Signs off.
  func leave(over control: borrowing ControlSocket) {
    control.send(ControlMessage.Bye())
    client.link.withLock { $0.isConnected = false }
  }
}
