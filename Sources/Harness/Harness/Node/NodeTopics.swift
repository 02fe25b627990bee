/// The topics that a node reads and writes, and their names on the bus.
struct NodeTopics {
  /// Without the vehicle.
  let inputs: Set<String>
  /// In order, without the vehicle.
  let outputs: [String]
  /// The vehicles that the node was started for; empty if it serves any.
  let vehicles: [String]

  init(inputs: [String], outputs: [String], vehicles: [String]) {
    self.inputs = Set(inputs)
    self.outputs = outputs.sorted()
    self.vehicles = vehicles
  }

  /// The names of all inputs, in order.
  var inputNames: [String] { names(of: inputs.sorted()) }

  /// The names on the bus of topics without the vehicle.
  func names(of topics: some Sequence<String>) -> [String] {
    Self.names(of: topics, vehicles: vehicles)
  }

  static func names(of topics: some Sequence<String>, vehicles: [String]) -> [String] {
    var names: [String] = []
    for topic in topics {
      if topic.hasPrefix("_") {
        names.append(topic)
      } else if vehicles.isEmpty {
        names.append("*/\(topic)")
      } else {
        names += vehicles.map { "\($0)/\(topic)" }
      }
    }
    return names
  }
}
