import BusProtocol

/// Interprets orders to hand over or to rescale, or returns the reason why they are not started.
extension BrokerCore {
  /// The participants of a handover.
  func parties(
    of name: String
  ) throws(HandoverRefusal) -> (from: HandoverMachine.Party, to: HandoverMachine.Party) {
    guard let node = registry.node(named: name) else {
      throw HandoverRefusal("no_such_node", "no node named \(name) is on the bus")
    }
    guard let standby = registry.standby(of: name) else {
      throw HandoverRefusal("no_standby", "there is no standby for \(name)")
    }
    guard standby.isReady else {
      throw HandoverRefusal("not_ready", "the standby of \(name) is not ready")
    }
    guard standby.run != node.run else {
      throw HandoverRefusal("same_run", "the standby of \(name) has its run number \(node.run)")
    }
    if let missing = node.inputs.first(where: { pattern in
      !standby.inputs.contains { $0 == pattern || TopicName.matches($0, pattern) }
    }) {
      throw HandoverRefusal(
        "missing_input", "the standby does not read \"\(missing)\", which \(name) does")
    }
    return (HandoverMachine.Party(node), HandoverMachine.Party(standby))
  }

  /// The moves that an order to rescale needs; slots without a lane are assigned immediately.
  mutating func moves(
    _ head: ControlMessage.Rescale
  ) throws(HandoverRefusal) -> (group: String, moves: [SlotTable.Move]) {
    let lanes = head.lanes.map { Int(clamping: $0) }
    let name = head.group
    guard TopicName.isValidVehicle(name), !lanes.isEmpty,
      lanes.allSatisfy({ (1...EgressSet.last).contains($0) }), Set(lanes).count == lanes.count
    else {
      throw HandoverRefusal("invalid", "rescale needs group and lanes, each 1 to \(EgressSet.last)")
    }
    var group = groups[name] ?? ReplicaGroup()
    var moves: [SlotTable.Move] = []
    for move in group.table.moves(to: lanes) {
      let isHeld = move.from.map { group.isAlive($0, registry) } ?? false
      if isHeld {
        moves.append(move)
        guard group.isAlive(move.to, registry, isReady: true) else {
          throw HandoverRefusal("no_such_lane", "no replica of \(name) is ready on lane \(move.to)")
        }
      } else {
        group.table.give(move.slots, to: move.to)
      }
    }
    groups[name] = group
    for lane in lanes { openLane(lane) }
    updateLanes()
    sendSlots(of: name)
    return (name, moves)
  }
}

/// The reason why an order is not started.
struct HandoverRefusal: Error {
  var code: String
  var message: String

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ReplicaGroup {
  /// Whether a live node listens on a lane.
  fileprivate func isAlive(
    _ lane: Int, _ registry: NodeRegistry, isReady: Bool = false
  ) -> Bool {
    guard let node = members[lane].flatMap({ registry.node(named: $0) }) else { return false }
    return node.isReady || !isReady
  }
}
