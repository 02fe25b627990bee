import RoadGraph

/// The features at a node, and the modes that they bar.
struct NodeTags: Hashable {
  var flags = NodeFlags()
  /// Modes that cannot pass.
  var barred: TravelModes = []
  /// Modes that pay toll here.
  var tollModes: TravelModes = []

  init(flags: NodeFlags) { self.flags = flags }

  init(_ tags: OSMTags) {
    for word in parts(tags["highway"] ?? "") {
      switch word {
      case "traffic_signals": flags.insert(.trafficSignals)
      case "stop": flags.insert(.stopSign)
      case "give_way": flags.insert(.giveWay)
      case "crossing": flags.insert(.crossing)
      case "motorway_junction": flags.insert(.motorwayJunction)
      case "mini_roundabout": flags.insert(.miniRoundabout)
      case "speed_camera": flags.insert(.speedCamera)
      case "turning_circle", "turning_loop": flags.insert(.turningCircle)
      case "toll_gantry": flags.insert(.tollBooth)
      case "hazard": flags.insert(.hazard)
      default: break
      }
    }
    switch tags["railway"] {
    case "level_crossing", "crossing": flags.insert(.levelCrossing)
    default: break
    }
    if let calming = tags["traffic_calming"], calming != "no" { flags.insert(.trafficCalming) }
    if let hazard = tags["hazard"], hazard != "no" { flags.insert(.hazard) }
    let directed: NodeFlags = [.trafficSignals, .stopSign, .giveWay, .speedCamera]
    if !flags.isDisjoint(with: directed) {
      switch tags["traffic_signals:direction"] ?? tags["direction"] {
      case "forward": flags.insert(.forwardOnly)
      case "backward": flags.insert(.backwardOnly)
      default: break
      }
    }
    let barrier = tags["barrier"]
    if barrier == "toll_booth" { flags.insert(.tollBooth) }
    if barrier == "border_control" { flags.insert(.border) }
    if let kind = NodeBarrier.kind(tags) {
      for mode in TravelMode.allCases
      where !BarrierTags.access(mode, barrier: kind, tags).isUsable {
        barred.insert(TravelModes(mode))
      }
      if !barred.isEmpty { flags.insert(.barrier) }
    }
    if flags.contains(.tollBooth) { tollModes = TollTags.modes(atBooth: tags) }
    if let barrier, Self.gates.contains(barrier), barred != .all { flags.insert(.gate) }
  }

  /// Flags at which a way is cut in two, because they refer to one place on it.
  static let cutting: NodeFlags = [
    .trafficSignals, .stopSign, .giveWay, .levelCrossing, .tollBooth, .motorwayJunction,
    .miniRoundabout, .barrier, .border, .speedCamera, .trafficCalming, .hazard,
  ]

  private static let gates: Set<String> = [
    "gate", "lift_gate", "swing_gate", "sliding_gate", "wicket_gate", "hampshire_gate",
    "sliding_beam",
  ]
}
