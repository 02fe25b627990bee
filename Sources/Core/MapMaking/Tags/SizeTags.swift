import OpeningHours
import RoadGraph

/// The sizes, weights and loads that the tags of a way or a node allow.
///
/// Every key of https://wiki.openstreetmap.org/wiki/Key:maxheight and similar, with the suffixes
/// `:physical`, `:hgv`, `:forward`, `:lanes` and `:conditional`.
struct SizeTags {
  /// Keys with unreadable values.
  private(set) var unreadable: [String] = []
  private var limits: [Limit] = []
  private var timed: [TimedLimit] = []
  private var noHazmat = false

  /// A maximum that a tag sets for some modes, in one direction or in both.
  fileprivate struct Limit {
    var measure: VehicleSign.Measure
    var modes: TravelModes
    var direction: TravelDirection?
    var most: Double
  }

  /// A limit under a condition; without `most` if the condition lifts the usual limit.
  fileprivate struct TimedLimit {
    var measure: VehicleSign.Measure
    var modes: TravelModes
    var direction: TravelDirection?
    var most: Double?
    var condition: Condition
    var when: String
  }

  init(_ tags: OSMTags) {
    for tag in tags.pairs {
      if tag.key.hasPrefix("max") { read(tag) }
      if tag.key.hasPrefix("hazmat") { readHazmat(tag) }
    }
  }

  /// The number of limits that apply only at times.
  var timedCount: Int { timed.count }

  // MARK: Reading

  private mutating func read(_ tag: OSMTags.Tag) {
    let words = tag.key.split(separator: ":").map(String.init)
    guard let measure = Self.measures[words[0]] else { return }
    var modes = TravelModes.all
    var direction: TravelDirection?
    var isByLane = false
    var isTimed = false
    for word in words.dropFirst() {
      switch word {
      case "forward": direction = .forward
      case "backward": direction = .backward
      case "lanes": isByLane = true
      case "conditional": isTimed = true
      case "physical", "legal": break
      default:
        // Other suffixes name the source of a value, or vehicles that no mode represents.
        guard let own = Self.modes[word] else { return }
        modes = own
      }
    }
    if isTimed {
      readTimed(tag, measure, modes, direction)
    } else {
      let most = isByLane ? laneMost(tag, measure) : most(tag.value, tag.key, measure)
      if let most {
        limits.append(Limit(measure: measure, modes: modes, direction: direction, most: most))
      }
    }
  }

  private mutating func readTimed(
    _ tag: OSMTags.Tag, _ measure: VehicleSign.Measure, _ modes: TravelModes,
    _ direction: TravelDirection?
  ) {
    do throws(HoursFault) {
      for part in try ConditionalValue.parse(tag.value) {
        let most = most(part.value, tag.key, measure)
        guard most != nil || VehicleTags.isUnlimited(part.value) else { continue }
        timed.append(
          TimedLimit(
            measure: measure, modes: modes, direction: direction, most: most,
            condition: part.condition, when: part.text))
      }
    } catch {
      unreadable.append(tag.key)
    }
  }

  private mutating func readHazmat(_ tag: OSMTags.Tag) {
    if tag.key.hasSuffix(":conditional") {
      guard let parts = try? ConditionalValue.parse(tag.value) else {
        unreadable.append(tag.key)
        return
      }
      for part in parts where part.value == "no" {
        timed.append(
          TimedLimit(
            measure: .hazmat, modes: .all, most: 0, condition: part.condition, when: part.text))
      }
      return
    }
    // It is only known whether a load is hazardous, so a prohibition of any class applies to it.
    if tag.key == "hazmat:adr_tunnel_code" || tag.key == "hazmat:tunnel_category" {
      if ["B", "C", "D", "E"].contains(tag.value.uppercased()) { noHazmat = true }
    } else if tag.value == "no" {
      noHazmat = true
    }
  }

  /// The lowest of the values separated by semicolons; nil if there is no limit.
  private mutating func most(
    _ value: String, _ key: String, _ measure: VehicleSign.Measure
  ) -> Double? {
    var least: Double?
    for part in parts(value) where !VehicleTags.isUnlimited(part) {
      if let number = measure.number(part), number > 0 {
        least = Double.minimum(least ?? .infinity, number)
      } else {
        unreadable.append(key)
      }
    }
    return least
  }

  /// The highest value of any lane, since a vehicle uses a lane that it fits through.
  private mutating func laneMost(
    _ tag: OSMTags.Tag, _ measure: VehicleSign.Measure
  ) -> Double? {
    var greatest: Double?
    for lane in tag.value.split(separator: "|", omittingEmptySubsequences: false) {
      guard let most = most(String(lane), tag.key, measure) else { return nil }
      greatest = Double.maximum(greatest ?? 0, most)
    }
    return greatest
  }

  private static let measures: [String: VehicleSign.Measure] = [
    "maxheight": .height, "maxwidth": .width, "maxlength": .length, "maxweight": .weight,
    "maxweightrating": .weight, "maxgcweight": .weight, "maxgcweightrating": .weight,
    "maxaxleload": .axleLoad, "maxbogieweight": .bogieLoad, "maxaxles": .axles,
  ]

  private static let modes: [String: TravelModes] = [
    "vehicle": TravelModes.motorised.union(TravelModes(.bicycle)),
    "motor_vehicle": .motorised, "motorcar": [TravelModes(.car), TravelModes(.taxi)],
    "hgv": TravelModes(.truck), "goods": TravelModes(.truck),
    "hgv_articulated": TravelModes(.truck), "bus": TravelModes(.bus),
    "coach": TravelModes(.bus), "tourist_bus": TravelModes(.bus),
    "psv": [TravelModes(.bus), TravelModes(.taxi)], "taxi": TravelModes(.taxi),
    "motorcycle": TravelModes(.scooter), "moped": TravelModes(.scooter),
  ]

  // MARK: What holds in one direction

  /// Sets the limits of all modes.
  func apply(to road: inout RoadAttributes, _ direction: TravelDirection) {
    func set(_ path: WritableKeyPath<RoadAttributes, UInt16>, _ most: Double) {
      let hundredths = UInt16(
        Double.maximum(1, Double.minimum(65_535, (most * 100).rounded())))
      let old = road[keyPath: path]
      road[keyPath: path] = old == 0 ? hundredths : min(old, hundredths)
    }
    for limit in held(direction) where limit.modes == .all {
      switch limit.measure {
      case .height: set(\.maxHeightCm, limit.most)
      case .width: set(\.maxWidthCm, limit.most)
      case .length: set(\.maxLengthCm, limit.most)
      case .weight: set(\.maxWeight10Kg, limit.most)
      case .axleLoad: set(\.maxAxleLoad10Kg, limit.most)
      case .bogieLoad, .axles, .hazmat: break
      }
    }
    if noHazmat { road.flags.insert(.noHazardousGoods) }
  }

  /// The other limits, as lines of `VehicleSign`.
  func lines(_ direction: TravelDirection) -> [String] {
    held(direction).filter { $0.modes != .all || $0.measure.isOfSignsAlone }.map {
      VehicleSign(modes: $0.modes, measure: $0.measure, most: $0.most).line
    }
  }

  /// Limits that apply only at times, as access rules.
  func rules(_ direction: TravelDirection) -> [RoadRule] {
    var rules: [RoadRule] = []
    for limit in timed where concerns(limit.direction, direction) {
      if let most = limit.most {
        guard let term = limit.measure.above(most) else { continue }
        add(limit.modes, .no, "\(limit.when) AND \(term)", &rules)
        continue
      }
      for usual in lifted(by: limit, direction) {
        guard let term = limit.measure.above(usual.most) else { continue }
        if let word = limit.businessAccess {
          add(usual.modes, word, term, &rules)
        } else if let opposite = limit.condition.opposite(text: limit.when) {
          add(usual.modes, .no, "\(opposite) AND \(term)", &rules)
        }
      }
    }
    return rules
  }

  private func add(
    _ modes: TravelModes, _ access: Access, _ when: String, _ rules: inout [RoadRule]
  ) {
    guard let condition = try? Condition(when) else { return }
    rules.append(
      RoadRule(modes: modes, effect: .access(access), condition: condition, when: when))
  }

  /// The limits that always apply: without those that a condition lifts, which are rules.
  private func held(_ direction: TravelDirection) -> [Limit] {
    let lifting = timed.filter { $0.liftsUsual && concerns($0.direction, direction) }
    return limits.filter { limit in
      concerns(limit.direction, direction)
        && !lifting.contains { $0.measure == limit.measure && $0.covers(limit.modes) }
    }
  }

  private func lifted(by timed: TimedLimit, _ direction: TravelDirection) -> [Limit] {
    guard timed.liftsUsual else { return [] }
    return limits.filter {
      concerns($0.direction, direction) && $0.measure == timed.measure && timed.covers($0.modes)
    }
  }

  private func concerns(_ tagged: TravelDirection?, _ direction: TravelDirection) -> Bool {
    tagged == nil || tagged == direction
  }
}

extension SizeTags.TimedLimit {
  /// Whether it lifts the usual limit in a way that a rule can express.
  fileprivate var liftsUsual: Bool {
    most == nil && measure.above(1) != nil
      && (businessAccess != nil || condition.opposite(text: when) != nil)
  }

  fileprivate func covers(_ other: TravelModes) -> Bool { modes.isSuperset(of: other) }

  /// The access of vehicles above the limit for conditions such as `destination` or `delivery`; nil
  /// for others.
  fileprivate var businessAccess: Access? {
    guard condition.terms.count == 1, case .word(let word) = condition.terms.first else {
      return nil
    }
    return switch word {
    case "destination": .destination
    case "delivery", "loading", "unloading": .delivery
    case "customers": .customers
    case "private", "permit", "permit_holder", "residents": .private
    default: nil
    }
  }
}

extension VehicleSign.Measure {
  /// The value of a tag: metres, tonnes or a count; nil if it cannot be read.
  fileprivate func number(_ text: String) -> Double? {
    switch self {
    case .height, .width, .length: VehicleTags.metres(text)
    case .weight, .axleLoad, .bogieLoad: VehicleTags.tonnes(of: text)
    case .axles: Int(text).map { Double($0) }
    case .hazmat: nil
    }
  }

  /// Whether it is stored only in signs in the text of a road's rules.
  fileprivate var isOfSignsAlone: Bool { self == .bogieLoad || self == .axles }

  /// The condition that a vehicle exceeds a value; nil if conditions cannot express it.
  fileprivate func above(_ most: Double) -> String? {
    switch self {
    case .height, .width, .length, .weight, .axleLoad, .axles:
      "\(rawValue)>\(VehicleSign.text(most))"
    case .hazmat: "hazmat"
    case .bogieLoad: nil
    }
  }
}
