import Foundations
import Stage

/// An event that a node handles in the next wave.
struct PendingEvent {
  var member: ConductorMember
  var vehicle: String
  var event: EncodedEvent
  /// The cause of outputs that do not name one.
  var cause: Cause?
}

/// The next work of the nodes of a conductor: the events of the next wave, and wake-ups in stack
/// time.
final class EventSchedule {
  private(set) var members: [ConductorMember] = []
  private(set) var clock: ConductedClock
  private var pending: [PendingEvent] = []
  private var wakeCount = 0

  init(start: Instant) { clock = ConductedClock(start: start) }

  var now: Instant { clock.now }

  // MARK: Nodes

  /// Adds a node after the existing ones; their order affects the result.
  func add(_ node: any ConductedNode) { members.append(ConductorMember(node)) }

  /// Whether a node is the source of time.
  var hasClockSource: Bool { members.contains(where: \.setsClock) }

  /// The first node that serves a call; nil if none does.
  func server(of call: String) -> ConductorMember? {
    members.first { $0.facts.serves.contains(call) }
  }

  /// Adds the vehicles of all nodes; wakes the source of time, or all nodes if there is none.
  func start(vehicles: [String], hasOutsideClock: Bool) {
    let hasClock = hasOutsideClock || hasClockSource
    for member in members {
      for vehicle in vehicles + member.facts.ownVehicles { _ = member.admit(vehicle) }
      if !hasClock || member.setsClock { wakeFirst(member) }
    }
    if !hasClock { clock.start() }
  }

  /// Forgets what waits for a node that was killed.
  func restart(_ member: ConductorMember) {
    pending.removeAll { $0.member === member }
    member.restart()
  }

  // MARK: Events

  /// Whether no event waits for the next wave.
  var isSettled: Bool { pending.isEmpty }

  /// Adds an event for a vehicle of a node, or for all its vehicles.
  func deliver(_ event: EncodedEvent, to member: ConductorMember, vehicle: String?, cause: Cause?) {
    for one in vehicle.map({ [$0] }) ?? member.vehicles {
      if member.admit(one), clock.isKnown, !member.setsClock { wakeNow(member, one) }
      pending.append(PendingEvent(member: member, vehicle: one, event: event, cause: cause))
    }
  }

  /// Adds a message for every node that reads its topic.
  func deliver(_ message: PublishedMessage, isLatched: Bool = false) {
    var inbound = message.inbound
    inbound.isLatched = isLatched
    for member in members where member.reads(message.topic) {
      deliver(.message(inbound), to: member, vehicle: message.vehicle, cause: inbound.cause)
    }
  }

  /// Adds a vehicle that a node has named itself.
  func admit(_ vehicle: String, to member: ConductorMember) {
    if member.admit(vehicle) { wakeNow(member, vehicle) }
  }

  /// Removes and returns the events of the next wave, by node in the order of the nodes.
  func popWave() -> [(member: ConductorMember, events: [PendingEvent])] {
    var parts: [ObjectIdentifier: [PendingEvent]] = [:]
    for one in pending { parts[ObjectIdentifier(one.member), default: []].append(one) }
    pending = []
    return members.compactMap { member in
      parts[ObjectIdentifier(member)].map { (member: member, events: $0) }
    }
  }

  // MARK: Wake-ups

  private func wakeNow(_ member: ConductorMember, _ vehicle: String) {
    pending.append(
      PendingEvent(
        member: member, vehicle: vehicle, event: .wake(now: now), cause: .tick(at: member.name)))
  }

  /// Wakes all vehicles of a node at the current time.
  func wakeFirst(_ member: ConductorMember) {
    for vehicle in member.vehicles { requestWake(of: vehicle, at: now, by: member) }
  }

  /// Records the time at which a stage wants to be woken.
  func requestWake(of vehicle: String, at moment: Instant, by member: ConductorMember) {
    wakeCount += 1
    member.wakes[vehicle] = DueWakeUp(at: moment, order: wakeCount)
  }

  /// Time of the next wake-up; while the clock is paused, only its source has any.
  var nextWake: Instant? { awake.flatMap { $0.wakes.values.map(\.at) }.min() }

  private var awake: [ConductorMember] {
    clock.isPaused ? members.filter(\.setsClock) : members
  }

  func deliverDueWakes() { deliverDueWakes(of: awake) }

  func deliverDueWakes(of members: [ConductorMember]) {
    for member in members {
      let due = member.wakes.filter { $0.value.at <= now }.sorted {
        ($0.value.at, $0.value.order) < ($1.value.at, $1.value.order)
      }
      for (vehicle, _) in due {
        member.wakes[vehicle] = nil
        wakeNow(member, vehicle)
      }
    }
  }

  // MARK: Time

  /// Advances to a moment; does nothing if it has passed.
  func advance(to moment: Instant) { clock.advance(to: moment) }

  /// Sets stack time; the nodes are informed by `follow`.
  func setClock(now: Instant, isPaused: Bool, run: UInt64) -> ConductedClock.Change {
    clock.set(now: now, isPaused: isPaused, run: run)
  }

  /// Informs the nodes of a change of time; `setter` has caused it itself.
  func follow(_ change: ConductedClock.Change, now new: Instant, besides setter: ConductorMember?) {
    for member in members where member !== setter {
      if change.isFirst { wakeFirst(member) }
      guard change.isReset else { continue }
      member.wakes = [:]
      deliver(.clockReset(now: new), to: member, vehicle: nil, cause: .tick(at: member.name))
    }
  }
}
