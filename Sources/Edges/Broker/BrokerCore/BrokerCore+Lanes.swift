import BusProtocol

/// The replicas of one stage: the slots of each lane, and the node on each lane.
struct ReplicaGroup {
  var table = SlotTable()
  /// Names of the nodes, by lane, including absent ones.
  var members: [Int: String] = [:]
  /// Slots that are about to move; until then both lanes get their messages.
  var moving: (slots: SlotSet, to: Int)?
}

/// The place of a node among replicas.
struct ReplicaPlace: Hashable {
  var group: String
  var lane: Int
}

extension BrokerCore {
  /// Decodes the place that a replica reports; nil if it is not a replica.
  ///
  /// - Throws: the reason as a sentence for the node.
  func replicaPlace(_ head: ControlMessage.Register) throws(RefusedRegistration) -> ReplicaPlace? {
    guard let group = head.group else { return nil }
    guard TopicName.isValidVehicle(group), let lane = head.lane, lane > 0, lane <= EgressSet.last
    else {
      throw RefusedRegistration(
        code: "invalid", message: "a replica needs group (a-z 0-9 . _ -) and lane (1 to 62)")
    }
    let place = ReplicaPlace(group: group, lane: Int(lane))
    for (other, replicas) in groups {
      guard let member = replicas.members[place.lane], registry.node(named: member) != nil else {
        continue
      }
      guard other == group, member == head.name else {
        throw RefusedRegistration(
          code: "lane_taken", message: "lane \(lane) is already used by \(member) of \(other)")
      }
    }
    return place
  }

  /// Adds a replica to its group; it had `slots` at an earlier broker.
  mutating func join(_ place: ReplicaPlace, name: String, slots: SlotSet) {
    for other in groups.keys where other != place.group { groups[other]?.members[place.lane] = nil }
    groups[place.group, default: ReplicaGroup()].members[place.lane] = name
    var free = groups[place.group]?.table.slots(of: nil) ?? SlotSet()
    free.formIntersection(slots)
    if !free.isEmpty { groups[place.group]?.table.give(free, to: place.lane) }
    openLane(place.lane)
    updateLanes()
  }

  /// Whether a node is a replica that has no slots while others of its group have: after a change of
  /// scale it is not needed any more, and its absence is no fault.
  func isReleased(_ identity: Identity) -> Bool {
    guard let place = registry.node(at: identity)?.place, let group = groups[place.group],
      registry.node(at: identity)?.role == .holder
    else { return false }
    let counts = group.table.counts
    return !counts.isEmpty && counts[place.lane] == nil
  }

  /// Recomputes where the messages of each slot are sent.
  mutating func updateLanes() {
    slotLanes = [EgressSet](repeating: .shared, count: SlotSet.count)
    for group in groups.values {
      for slot in 0..<SlotSet.count {
        if let lane = group.table[slot] { slotLanes[slot].insert(.lane(lane)) }
        if let moving = group.moving, moving.slots.contains(slot) {
          slotLanes[slot].insert(.lane(moving.to))
        }
      }
    }
  }

  /// Sends the replicas of a group their slots.
  mutating func sendSlots(of group: String) {
    guard let replicas = groups[group] else { return }
    for (lane, name) in replicas.members.sorted(by: { $0.key < $1.key }) {
      guard let node = registry.node(named: name) else { continue }
      let slots = replicas.table.slots(of: lane).runs
      send(
        ControlMessage.Welcome(run: run, serves: node.serves, slots: slots), to: node.identity)
    }
  }

  /// The node of a group that gets a call about `vehicle`; nil if it is absent.
  func replica(of group: String, for vehicle: String?) -> Identity? {
    guard let replicas = groups[group],
      let lane = replicas.table[SlotSet.slot(of: (vehicle ?? "ego").utf8)],
      let name = replicas.members[lane]
    else { return nil }
    return registry.node(named: name)?.identity
  }

  /// Whether the peer should get a message of `topic`; a replica gets those of its own vehicles.
  func isFor(_ identity: Identity, _ topic: String) -> Bool {
    registry.node(at: identity)?.place.map { isOn($0.lane, topic) } ?? true
  }

  /// Whether messages of `topic` are sent to a lane.
  func isOn(_ lane: Int, _ topic: String) -> Bool {
    guard let vehicle = TopicName.split(topic).vehicle else { return true }
    return slotLanes[SlotSet.slot(of: vehicle.utf8)].contains(.lane(lane))
  }

  /// Whether a writer may follow another one on the topics of a slot; nil if they are not replicas
  /// of one group.
  func mayFollow(_ owner: String, by source: String, slot: Int) -> Bool? {
    guard owner != source, let new = registry.node(named: source)?.place,
      let group = groups[new.group], group.members.values.contains(owner)
    else { return nil }
    return group.table[slot] == new.lane
  }
}

/// The reason why a node is not registered.
struct RefusedRegistration: Error {
  var code: String
  var message: String
}
