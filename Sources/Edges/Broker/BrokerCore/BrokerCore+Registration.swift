import BusProtocol

extension BrokerCore {
  /// Registers a process, as the node of its name or as the standby of that node.
  mutating func register(
    _ head: ControlMessage.Register, at identity: Identity, now: MonotonicTime
  ) {
    let (name, run) = (head.name, head.run)
    guard TopicName.isValidVehicle(name) else {
      return reject(identity, code: "invalid", "a node needs a name (a-z 0-9 . _ -) and a run")
    }
    if registry.node(at: identity)?.role == .retired { return }
    var node = NodeRegistry.Node(
      identity: identity, name: name, run: run, kind: head.kind ?? "node",
      version: head.version ?? "", pid: head.pid ?? 0,
      host: String((head.host ?? "").prefix(64)), publishes: head.publishes,
      subscribes: head.subscribes, serves: head.serves, lastHeard: now,
      inputs: head.patterns.isEmpty ? head.subscribes : head.patterns,
      isReady: head.ready ?? false, predecessor: head.from,
      handsOverInParts: head.parts ?? false)
    do throws(RefusedRegistration) {
      node.place = try replicaPlace(head)
    } catch {
      return reject(identity, code: error.code, error.message)
    }
    let holder = registry.node(named: name)
    if head.standby == true, holder?.run != run { return wait(node, head) }
    if let holder, holder.identity != identity, !giveWay(holder, to: node) { return }
    registry.insert(node)
    if let place = node.place {
      join(place, name: name, slots: head.slots.flatMap { SlotSet(runs: $0) } ?? SlotSet())
    }
    declare(head.publishes)
    let taken = callTable.serve(head.serves, by: identity, named: name, group: node.place?.group)
    var welcome = ControlMessage.Welcome(
      token: head.token, run: self.run, serves: head.serves.filter { !taken.contains($0) })
    if let place = node.place {
      welcome.slots = groups[place.group]?.table.slots(of: place.lane).runs
    }
    if !taken.isEmpty {
      welcome.code = "second_server"
      welcome.message = "already answered by another node: \(taken.joined(separator: ", "))"
    }
    send(welcome, to: identity)
  }

  /// Registers a standby, which has neither the name nor the calls.
  private mutating func wait(_ node: NodeRegistry.Node, _ head: ControlMessage.Register) {
    if let other = registry.standby(of: node.name), other.run != node.run {
      return reject(
        node.identity, code: "standby_taken",
        "another standby of \(node.name) is already registered (pid \(other.pid), run \(other.run))"
      )
    }
    var standby = node
    standby.role = .standby
    if let other = registry.standby(of: node.name), other.identity != node.identity {
      handover?.moved(from: other.identity, to: node.identity)
    }
    registry.insert(standby: standby)
    declare(head.publishes)
    if let place = node.place { openLane(place.lane) }
    send(ControlMessage.Welcome(token: head.token, run: run), to: node.identity)
  }

  /// Whether the process that has the name gives way to another connection under it.
  private mutating func giveWay(
    _ holder: NodeRegistry.Node, to node: NodeRegistry.Node
  ) -> Bool {
    if holder.run == node.run {
      callTable.move(from: holder.identity, to: node.identity)
      handover?.moved(from: holder.identity, to: node.identity)
      return true
    }
    // An earlier broker handed the name over, and ended before both processes were informed.
    if node.predecessor == holder.run {
      send(ControlMessage.Retire(), to: holder.identity)
      return true
    }
    if holder.predecessor == node.run {
      send(ControlMessage.Retire(), to: node.identity)
      return false
    }
    let place = holder.host == node.host || holder.host.isEmpty ? "" : " on \(holder.host)"
    reject(
      node.identity, code: "name_taken",
      "a node named \(node.name) is already on the bus (pid \(holder.pid)\(place), run \(holder.run))"
    )
    return false
  }

  /// Records the traits of topics; the first declaration of a topic wins.
  private mutating func declare(_ traits: [TopicTraits]) {
    var isNew = false
    for one in traits
    where table.declared("v/\(one.leaf)") == nil && table.declared(one.leaf) == nil {
      table.insert(one)
      isNew = true
    }
    guard isNew else { return }
    for (index, record) in topics.enumerated() where !record.isDeclared {
      guard let declared = table.declared(record.name) else { continue }
      topics[index].traits = declared
      topics[index].isDeclared = true
    }
  }

  mutating func reject(_ identity: Identity, code: String, _ message: String) {
    send(ControlMessage.Rejected(run: run, code: code, message: message), to: identity)
  }
}
