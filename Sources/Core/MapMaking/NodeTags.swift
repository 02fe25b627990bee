import RoadGraph

/// What stands at a node, and whom it bars.
struct NodeTags: Hashable {
  var flags = NodeFlags()
  /// Modes that cannot pass.
  var barred: TravelModes = []

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
    if let barrier = tags["barrier"] {
      if barrier == "toll_booth" { flags.insert(.tollBooth) }
      if barrier == "border_control" { flags.insert(.border) }
      barred = Self.barred(by: barrier, tags)
      if !barred.isEmpty { flags.insert(.barrier) }
      if Self.gates.contains(barrier), barred != .all { flags.insert(.gate) }
    }
  }

  /// Flags for which a way is cut in two, because they lie at one place of it.
  static let cutting: NodeFlags = [
    .trafficSignals, .stopSign, .giveWay, .levelCrossing, .tollBooth, .motorwayJunction,
    .miniRoundabout, .barrier, .border, .speedCamera, .trafficCalming, .hazard,
  ]

  private static let gates: Set<String> = [
    "gate", "lift_gate", "swing_gate", "sliding_gate", "wicket_gate", "hampshire_gate",
    "sliding_beam",
  ]

  private static func barred(by barrier: String, _ tags: OSMTags) -> TravelModes {
    var barred: TravelModes = []
    for mode in TravelMode.allCases {
      var said: Access?
      for key in AccessTags.keys(mode) {
        if let value = tags[key], let access = AccessTags.access(value, for: mode) { said = access }
      }
      let passes =
        said.map(\.isUsable) ?? letsPass(mode, barrier: barrier, kind: tags["bollard"])
      if !passes { barred.insert(TravelModes(mode)) }
    }
    return barred
  }

  /// Whether a barrier lets a mode pass where no access tag says so.
  private static func letsPass(_ mode: TravelMode, barrier: String, kind: String?) -> Bool {
    switch barrier {
    case "bollard":
      return !mode.isMotorised || kind == "rising" || kind == "removable" && mode == .bus
    case "block", "jersey_barrier", "cycle_barrier", "motorcycle_barrier", "debris", "log",
      "planter", "chain", "rope", "barrier_board", "sump_buster", "bus_trap", "spikes",
      "hampshire_gate":
      return !mode.isMotorised
        || (barrier == "bus_trap" || barrier == "sump_buster") && mode == .bus
    case "stile", "turnstile", "kissing_gate", "full-height_turnstile", "horse_stile":
      return mode == .pedestrian
    case "wall", "fence", "hedge", "ditch", "guard_rail", "retaining_wall", "city_wall":
      return !mode.isMotorised
    case "height_restrictor": return mode != .truck && mode != .bus
    default: return true
    }
  }
}
