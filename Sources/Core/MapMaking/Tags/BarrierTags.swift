import OpeningHours
import RoadGraph

/// Which modes can pass a barrier on a node: by its access tags, otherwise by its kind.
///
/// https://wiki.openstreetmap.org/wiki/Key:barrier
enum BarrierTags {
  /// The access of a mode at a barrier.
  ///
  /// The most specific access tag decides, otherwise the kind. A locked barrier is private if only
  /// the general `access`, or no tag, allows a mode.
  static func access(_ mode: TravelMode, barrier: String, _ tags: OSMTags) -> Access {
    var tagged: Access?
    var isGeneral = true
    for key in AccessTags.keys(mode) {
      guard let value = tags[key], let access = AccessTags.access(value, for: mode) else {
        continue
      }
      tagged = access
      isGeneral = key == "access"
    }
    let access = tagged ?? (letsPass(barrier, tags).contains(mode) ? .yes : .no)
    return isGeneral && access.allowsThrough && tags.isYes("locked") ? .private : access
  }

  /// The modes that a barrier lets pass without access tags.
  private static func letsPass(_ barrier: String, _ tags: OSMTags) -> TravelModes {
    switch barrier {
    case "bollard":
      switch tags["bollard"] {
      case "rising": return .all
      case "removable": return notMotorised.union(TravelModes(.bus))
      default: return notMotorised
      }
    case "height_restrictor":
      // A height on the sign decides; without one, it stands for about the height of a car.
      let hasHeight = tags.pairs.contains { $0.key.hasPrefix("maxheight") }
      return hasHeight ? .all : lowVehicles
    case "fence" where tags["sensory"] == "audible" || tags["sensory"] == "audio":
      // A wire on the ground that holds back cattle.
      return .all
    default: return table.first { $0.kinds.contains(barrier) }?.passing ?? .all
    }
  }

  private static let notMotorised: TravelModes = [TravelModes(.bicycle), TravelModes(.pedestrian)]
  private static let lowVehicles = TravelModes.all.subtracting([
    TravelModes(.truck), TravelModes(.bus),
  ])

  /// The modes that pass by kind of barrier; every mode passes other kinds, such as gates,
  /// entrances and kerbs.
  static let table: [(kinds: Set<String>, passing: TravelModes)] = [
    (
      [
        "block", "jersey_barrier", "cycle_barrier", "motorcycle_barrier", "debris", "log",
        "planter", "chain", "rope", "barrier_board", "spikes", "hampshire_gate", "bar",
        "wall", "fence", "hedge", "ditch", "guard_rail", "retaining_wall", "city_wall",
        "horse_jump", "ford=stepping_stones",
      ], notMotorised
    ),
    (["bus_trap", "sump_buster"], notMotorised.union(TravelModes(.bus))),
    (
      ["stile", "turnstile", "kissing_gate", "full-height_turnstile", "horse_stile", "ford=boat"],
      TravelModes(.pedestrian)
    ),
  ]
}

/// The restrictions of a node on a road: a barrier that is not open to all traffic, or size limits.
struct NodeBarrier: Hashable {
  /// The node as a road of zero length: access of each mode, sizes, signs.
  var road = RoadAttributes()
  /// Modes that cannot pass at times.
  var restrictions: [TimedClosure] = []

  /// A time at which modes cannot pass.
  struct TimedClosure: Hashable {
    var modes: TravelModes
    /// The condition, in the syntax of `Condition`.
    var when: String
  }

  init(road: RoadAttributes) { self.road = road }

  /// Reads a node; nil for a node that every mode can pass.
  init?(_ tags: OSMTags, texts: inout TextTable, _ report: inout MapMakingReport) {
    guard Self.mayRestrict(tags) else { return nil }
    var access = [Access](repeating: .yes, count: TravelMode.allCases.count)
    let barrier = Self.kind(tags)
    if let barrier {
      for mode in TravelMode.allCases {
        access[Int(mode.rawValue)] = BarrierTags.access(mode, barrier: barrier, tags)
      }
      addRules(tags, barrier: barrier, &access, &report)
    }
    road.roadClass = .service
    for mode in TravelMode.allCases { road.setAccess(access[Int(mode.rawValue)], for: mode) }
    let signs = SizeTags(tags)
    signs.apply(to: &road, .forward)
    for key in signs.unreadable { report.unreadableValues[key, default: 0] += 1 }
    // The timed rules of a node are turn restrictions: a size rule bars the modes that it applies
    // to.
    for rule in signs.rules(.forward) where rule.effect == .access(.no) {
      restrictions.append(TimedClosure(modes: rule.modes, when: rule.when))
    }
    road.rules = texts.id(signs.lines(.forward).joined(separator: "\n"))
    guard restricts || !restrictions.isEmpty else { return nil }
  }

  /// Whether it permanently bars some mode or size from driving through, in addition to turn
  /// restrictions.
  var restricts: Bool {
    limitsSizes
      || TravelMode.allCases.contains {
        let access = road.access($0)
        return access.isUsable && !access.allowsThrough
      }
  }

  private var limitsSizes: Bool {
    road.maxHeightCm > 0 || road.maxWidthCm > 0 || road.maxLengthCm > 0 || road.maxWeight10Kg > 0
      || road.maxAxleLoad10Kg > 0 || road.flags.contains(.noHazardousGoods) || !road.rules.isEmpty
  }

  /// The modes that no rule lets pass at any time.
  var barred: TravelModes {
    TravelMode.allCases.reduce(into: TravelModes()) {
      if !road.access($1).isUsable { $0.insert(TravelModes($1)) }
    }
  }

  private static func mayRestrict(_ tags: OSMTags) -> Bool {
    tags.pairs.contains { tag in
      tag.key == "barrier" || tag.key == "entrance" || tag.key == "ford"
        || tag.key.hasPrefix("max")
        || tag.key.hasPrefix("hazmat") || tag.value == "parking_entrance"
    }
  }

  /// The kind of a barrier, including entrances and fords that stop vehicles; nil for other nodes.
  static func kind(_ tags: OSMTags) -> String? {
    if let ford = tags["ford"], ["stepping_stones", "boat"].contains(ford) {
      return "ford=\(ford)"
    }
    if let barrier = tags["barrier"] { return barrier == "no" ? nil : barrier }
    if let entrance = tags["entrance"], entrance != "no" { return "entrance" }
    return tags["amenity"] == "parking_entrance" ? "entrance" : nil
  }

  /// Reads conditional access and opening hours.
  ///
  /// Times at which a mode cannot pass are turn restrictions. Access that is limited only at times
  /// counts as always limited, so that no through traffic depends on it.
  private mutating func addRules(
    _ tags: OSMTags, barrier: String, _ access: inout [Access], _ report: inout MapMakingReport
  ) {
    let timed = RuleTags(tags, oneWay: .none)
    report.timedRules += timed.read
    report.unreadableRules += timed.unreadable.count
    for key in timed.unreadable { report.unreadableKeys[key, default: 0] += 1 }
    if !timed.isEmpty {
      let usual = access
      for rule in timed.rules(.forward, access: { usual[Int($0.rawValue)] }) {
        guard case .access(let value) = rule.effect else { continue }
        apply(value, rule, &access)
      }
    }
    guard barrier != "toll_booth", let hours = tags["opening_hours"] else { return }
    let when = "outside " + hours.map { $0 == "\n" ? " " : String($0) }.joined()
    guard (try? Condition(when)) != nil else {
      report.unreadableRules += 1
      report.unreadableKeys["opening_hours", default: 0] += 1
      return
    }
    report.timedRules += 1
    let usable = TravelMode.allCases.filter { access[Int($0.rawValue)].isUsable }
    let modes = usable.reduce(into: TravelModes()) { $0.insert(TravelModes($1)) }
    if !modes.isEmpty { restrictions.append(TimedClosure(modes: modes, when: when)) }
  }

  private mutating func apply(_ value: Access, _ rule: RoadRule, _ access: inout [Access]) {
    var closed: TravelModes = []
    var opened: TravelModes = []
    for mode in TravelMode.allCases where rule.modes.contains(mode) {
      let usual = access[Int(mode.rawValue)]
      if value == .no, usual.isUsable {
        closed.insert(TravelModes(mode))
      } else if value.isUsable, !usual.isUsable {
        opened.insert(TravelModes(mode))
      } else if usual.allowsThrough {
        access[Int(mode.rawValue)] = value
      }
    }
    if !closed.isEmpty { restrictions.append(TimedClosure(modes: closed, when: rule.when)) }
    // A condition about the traveller, such as a permit, cannot be evaluated here: the barrier
    // counts as private.
    let opposite = rule.condition.opposite(text: rule.when)
    for mode in TravelMode.allCases where opened.contains(mode) {
      access[Int(mode.rawValue)] = opposite == nil ? .private : value
    }
    if let opposite, !opened.isEmpty {
      restrictions.append(TimedClosure(modes: opened, when: opposite))
    }
  }
}
