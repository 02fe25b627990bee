import Bus
import EventTime
import NodeKit
import Stage

/// A node that is being handed over, or some of its vehicles.
struct Leaving {
  let token: UInt64
  /// nil for the whole node.
  var slots: SlotSet?
  var inputs: [InputMark] = []
  var isSettled = true
  /// All that came before the marker is in; what comes after it waits.
  var hasCut = false
  /// No call of what is handed over comes any more.
  var isFrozen = false
  /// The marker itself had waited, and so may have what belongs to it.
  var mustSift = false
  /// The state was given, or it was said that it cannot be.
  var hasAnswered = false

  func takes(_ vehicle: String) -> Bool { slots?.contains(vehicle: vehicle) ?? true }
}

/// Input that waits in a node for the end of a handover, in its order.
struct KeptEvents {
  /// More than this is not waited for, in bytes.
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

  /// Takes the oldest that is wanted; cost: all that wait.
  mutating func takeFirst(where isWanted: (BusEvent) -> Bool) -> BusEvent? {
    guard let index = events[next...].firstIndex(where: isWanted) else { return nil }
    let event = events.remove(at: index)
    bytes -= Self.size(event)
    return event
  }

  /// Drops the messages of vehicles that are another's.
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
    if let leaving, leaving.hasCut {
      if leaving.mustSift {
        if let event = kept.takeFirst(where: { !waits($0, leaving) }) { return event }
        self.leaving?.mustSift = false
      }
      while let event = client.next() {
        guard waits(event, leaving) else { return event }
        kept.append(event)
      }
      return nil
    }
    guard !kept.isEmpty else { return client.next() }
    // What waited comes before what waits in the inbox, which is emptied so that nothing is
    // dropped there.
    while let event = client.next() { kept.append(event) }
    return kept.takeFirst()
  }

  private func waits(_ event: BusEvent, _ leaving: Leaving) -> Bool {
    switch event {
    case .message: true
    case .call: leaving.isFrozen
    // The next handover's turn comes when this one has ended.
    case .handover(.cut(let token, _, _, _)), .handover(.freeze(let token)): token != leaving.token
    default: false
    }
  }

  /// Whether wake-ups, states and status are the successor's matter.
  var isStill: Bool { isStandby || leaving?.hasCut == true }

  func takeLeaving(_ event: HandoverEvent) {
    switch event {
    case .cut(let token, let slots, let inputs, let isSettled):
      if leaving?.token != token { leaving = Leaving(token: token) }
      leaving?.slots = slots
      leaving?.inputs = inputs
      leaving?.isSettled = isSettled
      leaving?.hasCut = true
      leaving?.mustSift = !kept.isEmpty
    case .freeze(let token):
      if leaving?.token != token { leaving = Leaving(token: token) }
      leaving?.isFrozen = true
    case .resume(let token, let reason):
      if leaving?.token == token { resume(reason) }
    case .retire(let token):
      if let leaving, leaving.token == token, let slots = leaving.slots {
        giveUp(slots)
      } else if leaving?.token == token || token == 0 {
        // The log's topic, too, is the other's.
        log.detach()
        log.write(.info, "retired: another process goes on as \(setUp.environment.name)")
        isRetired = true
      }
    case .void: if leaving != nil { resume("the broker was restarted") }
    default: break
    }
  }

  private func resume(_ reason: String) {
    // Without a reason only a copy of the state was wanted.
    if !reason.isEmpty {
      log.write(.warning, "not handed over, going on: \(reason)", stampNS: stampNS(.now))
    }
    goOn()
  }

  /// Answers the broker as soon as all that came before the marker is done.
  func answerFreeze() {
    guard let leaving, leaving.hasCut, leaving.isFrozen, !leaving.hasAnswered else { return }
    if kept.isOverfull {
      return cannot("more than \(KeptEvents.maximumBytes >> 20) MiB of input came meanwhile")
    }
    guard leaving.isSettled else { return cannot("some of its input is still being asked for") }
    guard waitingCalls.isEmpty, !calls.keys.contains(where: { leaving.takes($0.vehicle) }),
      !served.values.contains(where: { leaving.takes($0.vehicle) }),
      !works.keys.contains(where: leaving.takes)
    else { return }
    let handed = handedNode(leaving).encoded()
    // Behind all that was published: when the broker has it, it has everything.
    guard let sequence = client.publishFence() else { return cannot("the bus has no room") }
    self.leaving?.hasAnswered = true
    client.frozen(token: leaving.token, sequence: sequence, state: handed)
  }

  private func cannot(_ reason: String) {
    guard let token = leaving?.token else { return }
    leaving?.hasAnswered = true
    client.cannotFreeze(token: token, reason: reason)
  }

  private func handedNode(_ leaving: Leaving) -> HandedNode {
    var handed = HandedNode()
    handed.program = host.manifest.name
    handed.run = client.configuration.run
    handed.inputs = leaving.inputs
    (handed.states, handed.events) = client.keptMessages(of: leaving.slots)
    // What concerns this process alone is not its successor's.
    handed.states.removeAll { $0.topic.hasPrefix("_node/") || $0.topic.hasPrefix("_state/") }
    handed.clock = time.reading(at: .now)
    handed.wallNS = wallClockNS()
    let promised = promises.all
    handed.vehicles = host.vehicles.filter(leaving.takes).map { vehicle in
      let full = host.handOverState(of: vehicle)
      return HandedNode.Vehicle(
        name: vehicle, state: full ?? host.savedState(of: vehicle), isFull: full != nil,
        wakeNS: wakes[vehicle]?.nanoseconds, degraded: degradations["stage \(vehicle)"],
        promises: promised[vehicle] ?? [:])
    }
    return handed
  }

  /// Forgets vehicles that another replica has from now on.
  private func giveUp(_ slots: SlotSet) {
    let gone = host.vehicles.filter { slots.contains(vehicle: $0) }
    for vehicle in gone { drop(vehicle) }
    kept.drop { slots.contains(vehicle: $0) }
    client.forget(slots)
    client.changeSlots(adding: SlotSet(), removing: slots)
    goOn()
    log.write(
      .info, "handed over \(slots.elements.count) slots with \(gone.count) vehicles",
      stampNS: stampNS(.now))
  }

  private func goOn() {
    leaving = nil
    let jobs = deferred
    deferred = []
    for job in jobs { job(self) }
  }

  /// Does what an attachment wants, or keeps it until the handover under way has ended.
  func whenNotLeaving(_ job: @escaping @Sendable (BusHarness) -> Void) {
    if leaving?.hasCut == true {
      deferred.append(job)
    } else {
      job(self)
    }
  }
}
