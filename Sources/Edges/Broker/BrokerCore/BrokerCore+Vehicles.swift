import BusProtocol

/// Reports which vehicles are on the bus, and which of them have subscribed readers.
extension BrokerCore {
  /// The vehicles with a message in the last `sinceMS` milliseconds (nil: ever), in the order of their names.
  ///
  /// Cost: linear in the topics.
  func vehicles(heardSince sinceMS: UInt64?, now: MonotonicTime) -> [String] {
    let limitMS = sinceMS.map { Int64(clamping: $0) } ?? .max
    var names: Set<String> = []
    for topic in topics where topic.messages > 0 {
      guard now.milliseconds(since: topic.lastSeen) <= limitMS,
        let vehicle = TopicName.split(topic.name).vehicle
      else { continue }
      names.insert(vehicle)
    }
    return names.sorted()
  }

  /// The vehicles for which a node other than `asker` subscribes to one of `leaves`; `*` alone for
  /// every vehicle.
  ///
  /// Cost: linear in the subscriptions, independent of the number of vehicles.
  func vehiclesRead(_ leaves: [String], byOthersThan requester: Identity) -> [String] {
    let own = registry.node(at: requester)?.name
    var names: Set<String> = []
    for node in registry.nodes.values where node.name != own {
      for pattern in node.subscribes {
        guard let vehicle = TopicName.vehicle(of: pattern, reading: leaves) else { continue }
        names.insert(vehicle)
      }
    }
    for beginning in plainBeginnings {
      guard let vehicle = TopicName.vehicle(ofBeginning: beginning, reading: leaves) else {
        continue
      }
      names.insert(vehicle)
    }
    return names.contains(TopicName.anyVehicle) ? [TopicName.anyVehicle] : names.sorted()
  }
}

extension TopicName {
  /// The vehicle whose topics among `leaves` a pattern subscribes to: `*` for every vehicle, nil
  /// for none.
  static func vehicle(of pattern: String, reading leaves: [String]) -> String? {
    if pattern.isEmpty { return anyVehicle }
    if let leaf = leafOfEveryVehicle(pattern) { return leaves.contains(leaf) ? anyVehicle : nil }
    let (vehicle, rest) = split(pattern)
    guard let vehicle else { return nil }
    let takes =
      rest.isEmpty || rest.hasSuffix("/")
      ? leaves.contains { $0.hasPrefix(rest) } : leaves.contains(rest)
    return takes ? vehicle : nil
  }

  /// The same for the subscription of a plain SUB socket, which matches every name with that
  /// prefix.
  ///
  /// A prefix without a `/` counts as a subscription to every vehicle.
  static func vehicle(ofBeginning beginning: String, reading leaves: [String]) -> String? {
    guard !beginning.hasPrefix("_") else { return nil }
    let (vehicle, rest) = split(beginning)
    guard let vehicle else { return anyVehicle }
    return leaves.contains { $0.hasPrefix(rest) } ? vehicle : nil
  }
}
