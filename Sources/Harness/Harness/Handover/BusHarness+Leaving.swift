import BusClient
import BusProtocol
import EventTime
import NodeKit
import Stage
import ZMQ

/// The handover of a node, or of some of its vehicles, to a successor.
struct OutgoingHandover {
  let token: UInt64
  /// nil for the whole node.
  var slots: SlotSet?
  var inputs: [InputMark] = []
  var isSettled = true
  /// Whether all input before the marker has arrived; input after it waits.
  var hasCut = false
  /// Whether no call of what is handed over arrives any more.
  var isFrozen = false
  /// Whether the state was delivered or refused.
  var hasAnswered = false
  /// Whether the successor has this node's name, and may fail after it has started.
  var keepsCopy = false
  /// The delivered state, if a copy is kept.
  var given: [NodeHandoverState.Vehicle] = []
  /// Vehicles whose wake-up became due meanwhile.
  var wakes: Set<String> = []

  /// Markers of the next handovers that arrived before the end of this one.
  ///
  /// A marker arrives in the stream of messages, the end of a handover over the control socket.
  /// Under load, the marker of the next part may therefore be read first.
  private var next: [(token: UInt64, slots: SlotSet?)] = []

  init(token: UInt64) { self.token = token }

  /// Whether the process as such is handed over, and not only vehicles.
  var isWhole: Bool { slots?.hasRest ?? true }

  func takes(_ vehicle: String) -> Bool { slots?.contains(vehicle: vehicle) ?? true }

  /// Whether an event waits for the end of this handover; `vehicle` is the one of calls without a vehicle.
  ///
  /// Input after the marker of the next handover waits with that marker: handled before it, it would become part
  /// of the state that is handed over, and the successor would handle it again.
  mutating func holds(_ event: BusEvent, vehicle: String) -> Bool {
    guard hasCut else { return false }
    switch event {
    // Vehicles that stay are served meanwhile.
    case .message(let delivery):
      guard let vehicle = delivery.vehicle else {
        return isWhole || next.contains { $0.slots?.hasRest ?? true }
      }
      return takes(vehicle) || next.contains { $0.slots?.contains(vehicle: vehicle) ?? true }
    case .call(let call): return isFrozen && takes(call.vehicle ?? vehicle)
    // The next handover is handled when this one has ended.
    case .handover(.cut(let token, let slots, _, _, _)):
      guard token != self.token else { return false }
      next.append((token, slots))
      return true
    case .handover(.freeze(let token)): return token != self.token
    // It arrived in the stream of messages; the end of this part was sent before, and arrives soon.
    case .handover(.takeBack): return true
    default: return false
    }
  }
}

/// Input that waits in order for the end of a handover.
struct KeptEvents {
  /// Maximum size of waiting input, in bytes.
  static let maximumBytes = 64 << 20
  private static let overhead = 256

  private var events: [BusEvent] = []
  private var next = 0
  private(set) var bytes = 0

  var isEmpty: Bool { next == events.count }
  var isOverfull: Bool { bytes > Self.maximumBytes }

  mutating func append(_ event: BusEvent) {
    events.append(event)
    bytes += Self.size(event)
  }

  mutating func takeFirst() -> BusEvent? {
    guard next < events.count else { return nil }
    let event = events[next]
    next += 1
    bytes -= Self.size(event)
    if next == events.count {
      events = []
      next = 0
    }
    return event
  }

  /// Moves other events before all that wait here, in order.
  mutating func putBefore(_ others: inout KeptEvents) {
    guard !others.isEmpty else { return }
    events = Array(others.events[others.next...] + events[next...])
    next = 0
    bytes += others.bytes
    others = KeptEvents()
  }

  /// Drops the messages of vehicles that belong to another process.
  mutating func drop(_ isDropped: (String) -> Bool) {
    let rest = events[next...].filter { event in
      guard case .message(let delivery) = event, let vehicle = delivery.vehicle else { return true }
      return !isDropped(vehicle)
    }
    events = Array(rest)
    next = 0
    bytes = events.reduce(0) { $0 + Self.size($1) }
  }

  private static func size(_ event: BusEvent) -> Int {
    if case .message(let delivery) = event { return delivery.payload.count + overhead }
    return overhead
  }
}

extension BusHarness {
  /// The oldest event that may be handled now.
  func nextEvent() -> BusEvent? {
    let vehicle = setUp.environment.vehicles.first ?? "ego"
    while let event = nextInOrder() {
      guard leaving?.holds(event, vehicle: vehicle) == true else { return event }
      held.append(event)
    }
    return nil
  }

  private func nextInOrder() -> BusEvent? {
    guard !kept.isEmpty else { return client.next() }
    // Waiting events precede those in the inbox, which is emptied so that nothing is dropped there.
    while let event = client.next() { kept.append(event) }
    return kept.takeFirst()
  }

  /// Whether states and status are published by the successor or the predecessor instead.
  var isStill: Bool { isStandby || (leaving.map { $0.hasCut && $0.isWhole } ?? false) }

  /// Whether stages are woken: a standby's stages as a shadow, and those of vehicles that it
  /// already has.
  var wakesStages: Bool {
    if isStandby { return shadow != nil || (!taken.isEmpty && arriving?.isWhole != true) }
    return !isStill
  }

  func handleLeavingEvent(_ event: HandoverEvent) {
    switch event {
    case .cut(let token, let slots, let inputs, let isSettled, let keepsCopy):
      if leaving?.token != token { leaving = OutgoingHandover(token: token) }
      leaving?.slots = slots
      leaving?.inputs = inputs
      leaving?.isSettled = isSettled
      leaving?.hasCut = true
      leaving?.keepsCopy = keepsCopy
    case .freeze(let token):
      if leaving?.token != token { leaving = OutgoingHandover(token: token) }
      leaving?.isFrozen = true
    case .resume(let token, let reason):
      if leaving?.token == token { resume(reason) }
    case .retire(let token):
      if let leaving, leaving.token == token, let slots = leaving.slots, !slots.hasRest {
        giveUp(slots, leaving)
      } else if leaving?.token == token || token == 0 {
        // The log's topic also belongs to the other process.
        log.detach()
        log.write(.info, "retired: another process continues as \(setUp.environment.name)")
        isRetired = true
      }
    case .weigh(let token): weigh(token)
    case .takeBack(let reason): takeBack(reason)
    case .void:
      if leaving != nil { resume("the broker was restarted") }
      if !lent.isEmpty {
        // The broker does not know of it; with a greater run, later messages count as newer.
        client.change(run: RunNumber.next(), telling: true)
        takeBack("the broker was restarted")
      }
    default: break
    }
  }

  private func resume(_ reason: String) {
    // Without a reason, only a copy of the state was requested.
    if !reason.isEmpty {
      log.write(
        .warning, "handover failed, this process continues: \(reason)", stampNS: stampNS(.now))
    }
    goOn()
  }

  /// Answers the broker as soon as all input before the marker is handled.
  func answerFreeze() {
    guard let leaving, leaving.hasCut, leaving.isFrozen, !leaving.hasAnswered else { return }
    if held.isOverfull {
      return cannot(
        "more than \(KeptEvents.maximumBytes >> 20) MiB of input arrived during the handover")
    }
    guard leaving.isSettled else {
      return cannot("some of its missed input is still being requested")
    }
    guard waitingCalls.isEmpty, !calls.keys.contains(where: { leaving.takes($0.vehicle) }),
      !served.values.contains(where: { leaving.takes($0.vehicle) }),
      !works.keys.contains(where: leaving.takes)
    else { return }
    let node = nodeHandoverState(leaving)
    if leaving.keepsCopy, !leaving.isWhole { self.leaving?.given = node.vehicles }
    let handed = node.encoded()
    // Follows all published messages: when the broker has it, it has everything.
    guard let sequence = client.publishFence() else {
      return cannot("the send queue of the bus is full")
    }
    self.leaving?.hasAnswered = true
    client.frozen(token: leaving.token, sequence: sequence, state: handed)
  }

  private func cannot(_ reason: String) {
    guard let token = leaving?.token else { return }
    leaving?.hasAnswered = true
    client.cannotFreeze(token: token, reason: reason)
  }

  private func nodeHandoverState(_ leaving: OutgoingHandover) -> NodeHandoverState {
    var handed = NodeHandoverState()
    handed.program = host.manifest.name
    handed.run = client.run
    handed.inputs = leaving.inputs
    // State that concerns only this process is not passed to its successor.
    (handed.states, handed.events) = client.keptMessages(
      of: leaving.slots, excluding: ["_node/", "_state/"])
    handed.clock = time.reading(at: .now)
    handed.wallNS = wallClockNS()
    let vehicles = leaving.slots.map { host.vehicles(in: $0) } ?? host.vehicles
    handed.vehicles = vehicles.map { vehicle in
      let isDue = leaving.wakes.contains(vehicle)
      let full = host.handOverState(of: vehicle)
      return NodeHandoverState.Vehicle(
        name: vehicle, state: full ?? host.savedState(of: vehicle), isFull: full != nil,
        wakeNS: (wakes[vehicle] ?? (isDue ? waking.until : nil))?.nanoseconds,
        degraded: degradations["stage \(vehicle)"], promises: promises.all(of: vehicle))
    }
    return handed
  }

  /// Forgets vehicles that another process has from now on.
  ///
  /// For a successor of the same name, keeps the state that it was given.
  private func giveUp(_ slots: SlotSet, _ leaving: OutgoingHandover) {
    let gone = host.vehicles(in: slots)
    held.drop { slots.contains(vehicle: $0) }
    if leaving.keepsCopy {
      for vehicle in gone { lend(vehicle) }
      if isStandby {
        taken.subtract(slots)
      } else {
        lent.add(leaving.given, slots)
        client.stopReceiving(slots)
      }
    } else {
      for vehicle in gone { drop(vehicle) }
      client.forget(slots)
      client.changeSlots(adding: SlotSet(), removing: slots)
    }
    self.leaving?.wakes = []
    goOn()
    // A swap of a fleet has hundreds of parts.
    if leaving.keepsCopy { return }
    log.write(
      .info, "handed over \(slots.elements.count) slots with \(gone.count) vehicles",
      stampNS: stampNS(.now))
  }

  private func goOn() {
    for vehicle in leaving?.wakes ?? [] { wakes[vehicle] = waking.until }
    leaving = nil
    kept.putBefore(&held)
    let jobs = deferred
    deferred = []
    for job in jobs { job(self) }
  }

  /// Lets attachments finish their work, while the supervisor sees that the process is alive.
  func retireAttachments() {
    // The name on the bus belongs to the successor.
    if isRetired { client.close() }
    for attachment in setUp.attachments { attachment.retire() }
    let limitMS = isRetired ? Self.longestRetirementMS : Self.longestFarewellMS
    let deadline = MonotonicTime.now.advanced(byMS: limitMS)
    while !setUp.attachments.allSatisfy(\.hasRetired), deadline > .now,
      !setUp.supervision.isOrphaned
    {
      setUp.notifier.watchdog()
      var items = isRetired ? [setUp.supervision.stop.pollItem] : []
      if pollOrPause(&items, timeoutMS: 20), isRetired { return }
    }
  }

  /// Maximum time for requests that attachments answer after another process has become the node.
  private static let longestRetirementMS: Int64 = 60_000
  /// Maximum time for such requests if the node was ordered to stop.
  private static let longestFarewellMS: Int64 = 700

  /// Performs a job of an attachment, or keeps it until the current handover has ended.
  func whenNotLeaving(_ job: @escaping @Sendable (BusHarness) -> Void) {
    if let leaving, leaving.hasCut, leaving.isWhole {
      deferred.append(job)
    } else {
      job(self)
    }
  }
}
