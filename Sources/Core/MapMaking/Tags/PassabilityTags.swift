import OpeningHours
import RoadGraph

/// The vehicles and walkers that a road suits by its state: smoothness, trail grades, fords, tides,
/// works, disuse.
///
/// Roads that no vehicle of a mode can pass are barred. Roads that only some can pass (a four-wheel
/// drive, a mountaineer) have a difficulty, and routes use them if nothing else leads there.
/// https://wiki.openstreetmap.org/wiki/Key:smoothness, Key:sac_scale, Key:mtb:scale, Key:4wd_only,
/// Key:ford, Key:tidal.
struct PassabilityTags {
  /// Modes that cannot pass.
  private(set) var barred: TravelModes = []
  /// The day on which works end and the road opens; nil if there are no works, or the end is
  /// unknown.
  private(set) var openingDate: String?
  /// Months in which the road is passable, if only some.
  let season: Season?
  private let tags: OSMTags
  private var motor: UInt8 = 0
  private var bicycle: UInt8 = 0
  private var pedestrian: UInt8 = 0

  /// A way with one of these keys is examined further; most ways have none.
  private static let keys: Set<String> = [
    "smoothness", "4wd_only", "ford", "tidal", "ice_road", "winter_road", "seasonal", "abandoned",
    "disused", "demolished", "razed", "removed", "proposed", "construction", "sac_scale",
    "trail_visibility", "mtb:scale", "via_ferrata_scale", "assisted_trail", "rungs", "ladder",
    "safety_rope", "impassable", "status",
  ]

  /// nil for roads that suit every mode.
  init?(_ tags: OSMTags, kind: RoadKind) {
    let isClimb = kind.word == "via_ferrata"
    guard isClimb || tags.pairs.contains(where: { Self.keys.contains($0.key) }) else { return nil }
    self.tags = tags
    season = Season(tags)
    readState(kind)
    readTrail(isClimb: isClimb)
  }

  func difficulty(_ mode: TravelMode) -> UInt8 {
    switch mode {
    case .bicycle: bicycle
    case .pedestrian: pedestrian
    default: motor
    }
  }

  private mutating func demand(motor m: UInt8 = 0, bicycle b: UInt8 = 0, pedestrian p: UInt8 = 0) {
    (motor, bicycle, pedestrian) = (max(motor, m), max(bicycle, b), max(pedestrian, p))
  }

  /// Requires slightly more than any mode accepts without a special request.
  private mutating func demandMoreThanUsual() {
    demand(
      motor: Difficulty.usual(.car) + 1, bicycle: Difficulty.usual(.bicycle) + 1,
      pedestrian: Difficulty.usual(.pedestrian) + 1)
  }

  // MARK: The road

  private static let wheeled = TravelModes.motorised.union(TravelModes(.bicycle))

  private mutating func readState(_ kind: RoadKind) {
    switch tags["smoothness"] {
    case "very_bad": demand(motor: 1, bicycle: 1)
    case "horrible": demand(motor: 2, bicycle: 3)
    case "very_horrible": demand(motor: 3, bicycle: 4)
    case "impassable": barred.formUnion(Self.wheeled)
    default: break
    }
    // Tags used by humanitarian mappers after a disaster.
    if tags.isYes("impassable") || tags["status"] == "impassable" {
      barred.formUnion(Self.wheeled)
    }
    switch tags["4wd_only"] {
    case "yes", "extreme", "true": demand(motor: 2)
    case "recommended": demand(motor: 1)
    default: break
    }
    if kind.roadClass != .ferry {
      switch tags["ford"] {
      case "stepping_stones": barred.formUnion(.motorised)
      case "boat": barred.formUnion(Self.wheeled)
      default: break
      }
    }
    if tags.isYes("tidal") { demandMoreThanUsual() }
    if tags.isYes("abandoned") {
      barred.formUnion(.motorised)
      demandMoreThanUsual()
    }
    if tags.isYes("disused") { demand(motor: 2) }
    for key in ["demolished", "razed", "removed", "proposed"] where tags.isYes(key) {
      barred = .all
    }
    // Works that leave the road open have separate values.
    if let works = tags["construction"], !["no", "minor", "widening", "completed"].contains(works) {
      barred = .all
      openingDate = tags["opening_date"]
    }
  }

  // MARK: The trail

  private mutating func readTrail(isClimb: Bool) {
    let scale: UInt8 =
      switch tags["sac_scale"].flatMap({ parts($0).first }) {
      case "hiking", "strolling": 1
      case "mountain_hiking": 2
      case "demanding_mountain_hiking": 3
      case "alpine_hiking": 4
      case "demanding_alpine_hiking": 5
      case "difficult_alpine_hiking": 6
      default: 0
      }
    demand(pedestrian: scale)
    if let grade = tags["mtb:scale"]?.first.flatMap({ $0.wholeNumberValue }) {
      demand(bicycle: UInt8(clamping: grade))
      // Riders may pass grades that are low for walkers, but not where hands are needed.
      if scale > 3 { demand(bicycle: scale) }
    } else {
      demand(bicycle: scale == 3 ? 2 : scale)
    }
    switch tags["trail_visibility"] {
    case "no", "horrible": demand(pedestrian: Difficulty.usual(.pedestrian) + 1)
    default: break
    }
    let climbs = ["assisted_trail", "rungs", "ladder", "safety_rope"].contains { tags.isYes($0) }
    if climbs {
      demand(bicycle: Difficulty.greatest, pedestrian: Difficulty.usual(.pedestrian) + 1)
    }
    if isClimb || tags["via_ferrata_scale"].map({ $0 != "0" && $0 != "no" }) == true {
      barred.formUnion(Self.wheeled)
      demand(pedestrian: Difficulty.greatest)
    }
  }

  // MARK: Speeds

  /// The maximum speed of a motor vehicle for the state of the road, km/h.
  static func mostKmh(_ tags: OSMTags) -> Double {
    var most = Double.infinity
    if tags.isYes("ford") { most = 10 }
    switch tags["tracktype"] {
    case "grade3": most = Double.minimum(most, 30)
    case "grade4": most = Double.minimum(most, 20)
    case "grade5": most = Double.minimum(most, 12)
    default: break
    }
    return most
  }

  /// The share of a bicycle's usual speed that is possible on the road.
  static func bicycleShare(_ tags: OSMTags, surface: Surface) -> Double {
    var share = 1.0
    switch tags["smoothness"] {
    case "bad": share = 0.85
    case "very_bad": share = 0.65
    case "horrible": share = 0.4
    case "very_horrible": share = 0.3
    default: break
    }
    // On a soft surface, the surface of a track already counts.
    if surface != .gravel, surface != .dirt {
      switch tags["tracktype"] {
      case "grade4": share = Double.minimum(share, 0.7)
      case "grade5": share = Double.minimum(share, 0.6)
      default: break
      }
    }
    return share
  }

  /// The share of a walker's usual speed that is possible on the trail.
  func walkingShare() -> Double {
    var share: Double =
      switch pedestrian {
      case 0, 1: 1
      case 2: 0.8
      case 3: 0.6
      default: 0.4
      }
    switch tags["trail_visibility"] {
    case "bad": share = Double.minimum(share, 0.8)
    case "horrible", "no": share = Double.minimum(share, 0.5)
    default: break
    }
    return share
  }

  // MARK: Works

  /// Rules that open a road once works with a known last day end: for each kind of access its
  /// modes.
  func openings(_ access: (TravelMode) -> Access) -> [RoadRule] {
    guard let openingDate, let text = Self.from(openingDate), let condition = try? Condition(text)
    else { return [] }
    var modes: [Access: TravelModes] = [:]
    for mode in TravelMode.allCases {
      let access = access(mode)
      if access.isUsable { modes[access, default: []].insert(TravelModes(mode)) }
    }
    return modes.sorted { $0.key.rawValue < $1.key.rawValue }.map { access, modes in
      RoadRule(modes: modes, effect: .access(access), condition: condition, when: text)
    }
  }

  /// The dates from `2026-12-01` on, as opening hours; nil for an incomplete date.
  private static func from(_ date: String) -> String? {
    let parts = date.split(separator: "-").map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1970...2200).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    return "\(year) \(Season.names[month - 1]) \(day)-2299 Dec 31"
  }
}

/// The months in which a road is passable: winter roads, and seasonal ones.
struct Season: Hashable {
  /// First and last month of each part, 0 to 11, on the northern hemisphere.
  private var parts: [(from: Int, to: Int)] = []

  static let names = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// nil if every month is possible, or the tags do not name the months.
  init?(_ tags: OSMTags) {
    if tags.isYes("ice_road") || tags.isYes("winter_road") {
      parts = [(11, 2)]
      return
    }
    for word in MapMaking.parts(tags["seasonal"] ?? "") {
      switch word {
      case "winter": parts.append((11, 2))
      case "spring": parts.append((2, 4))
      case "summer": parts.append((4, 9))
      case "autumn", "fall": parts.append((8, 10))
      default: return nil
      }
    }
    if parts.isEmpty { return nil }
  }

  /// The line of a rule that closes the road in the other months; southern seasons are shifted by
  /// half a year.
  func line(isSouthern: Bool) -> String? {
    let text = parts.map { part in
      let shift = isSouthern ? 6 : 0
      return "\(Self.names[(part.from + shift) % 12])-\(Self.names[(part.to + shift) % 12])"
    }.joined(separator: ",")
    guard let outside = (try? Condition(text))?.outside else { return nil }
    return RoadRule(modes: .all, effect: .access(.no), condition: outside, when: text).line
  }

  static func == (a: Season, b: Season) -> Bool {
    a.parts.elementsEqual(b.parts) { $0 == $1 }
  }

  func hash(into hasher: inout Hasher) {
    for part in parts {
      hasher.combine(part.from)
      hasher.combine(part.to)
    }
  }
}
