import Foundations

/// One node of a `Conductor`, and the conductor's data about it.
final class ConductorMember {
  let node: any ConductedNode
  let facts: NodeFacts
  private(set) var run: UInt64 = 1
  var wakes: [String: DueWakeUp] = [:]
  /// In order of creation.
  private(set) var vehicles: [String] = []
  private var known: Set<String> = []
  private var sequences: [String: UInt64] = [:]

  init(_ node: any ConductedNode) {
    self.node = node
    facts = node.facts
  }

  var name: String { node.name }
  var setsClock: Bool { facts.setsClock }
  func reads(_ topic: String) -> Bool { facts.inputs.contains(topic) }

  /// Adds a vehicle; false if it is already present.
  func admit(_ vehicle: String) -> Bool {
    guard known.insert(vehicle).inserted else { return false }
    vehicles.append(vehicle)
    return true
  }

  func has(_ vehicle: String) -> Bool { known.contains(vehicle) }

  /// Forgets a vehicle that has gone; linear in the vehicles.
  func drop(_ vehicle: String) {
    guard known.remove(vehicle) != nil else { return }
    vehicles.removeAll { $0 == vehicle }
    wakes[vehicle] = nil
  }

  /// The number of the node's next message of a name.
  func nextSequence(of name: String) -> UInt64 {
    let sequence = (sequences[name] ?? 0) + 1
    sequences[name] = sequence
    return sequence
  }

  /// Forgets the state that a killed process has lost.
  func restart() {
    run += 1
    sequences = [:]
    wakes = [:]
  }
}

struct DueWakeUp {
  var at: Instant
  /// Order of wake-ups at the same moment: the one requested first comes first.
  var order: Int
}
