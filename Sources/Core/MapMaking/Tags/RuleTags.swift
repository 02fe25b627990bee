import OpeningHours
import RoadGraph

/// Reads conditional tags: `motor_vehicle:conditional`, `maxspeed:hgv:conditional`,
/// `oneway:conditional`,
/// `hov:conditional`.
///
/// https://wiki.openstreetmap.org/wiki/Conditional_restrictions
struct RuleTags {
  let tags: OSMTags
  let oneWay: OneWayTags
  /// nil for a barrier.
  let carPools: CarPoolTags?
  /// Keys with unreadable values, for the report.
  private(set) var unreadable: [String] = []
  private(set) var read = 0
  private var known: [(key: Substring, values: [ConditionalValue])] = []

  init(_ tags: OSMTags, oneWay: OneWayTags, carPools: CarPoolTags? = nil) {
    self.tags = tags
    self.oneWay = oneWay
    self.carPools = carPools
    for tag in tags.pairs where tag.key.hasSuffix(Self.suffix) {
      let key = tag.key.dropLast(Self.suffix.count)
      guard Self.matters(key) || carPools != nil && Self.concernsCarPools(key) else { continue }
      do throws(HoursFault) {
        known.append((key, try ConditionalValue.parse(tag.value)))
        read += 1
      } catch {
        unreadable.append(tag.key)
      }
    }
    // A sign against trailers applies to vehicles with a trailer.
    if tags["trailer"] == "no", let values = try? ConditionalValue.parse("no @ (trailers>=1)") {
      known.append(("motor_vehicle", values))
      read += 1
    }
  }

  private static let suffix = ":conditional"

  private static func matters(_ key: Substring) -> Bool {
    let first = key.prefix { $0 != ":" }
    return first == "maxspeed" || first == "oneway"
      || TravelMode.allCases.contains { AccessTags.keys($0).contains(String(first)) }
  }

  /// Whether a key is about the road for car pools, not about one of its lanes.
  private static func concernsCarPools(_ key: Substring) -> Bool {
    let words = key.split(separator: ":")
    return words.first == "hov" && ["forward", "backward", nil].contains(words.dropFirst().first)
      && words.count <= 2
  }

  var isEmpty: Bool { known.isEmpty }

  /// The rules of one direction, the most specific last.
  ///
  /// `access` is the access of each mode there, not counting one-way rules.
  func rules(_ direction: TravelDirection, access: (TravelMode) -> Access) -> [RoadRule] {
    let other = direction == .forward ? TravelDirection.backward : .forward
    var ranked: [(rank: Int, rules: [RoadRule])] = []
    for (key, values) in known {
      var base = key
      if base.hasSuffix(other.suffix) { continue }
      let isDirected = base.hasSuffix(direction.suffix)
      if isDirected { base = base.dropLast(direction.suffix.count) }
      let rules: [RoadRule]
      switch base.prefix(while: { $0 != ":" }) {
      case "maxspeed": rules = limits(base, values)
      case "oneway": rules = oneWays(base, values, direction, access: access)
      case "hov": rules = carPools(values, direction, access: access)
      default: rules = accesses(base, values, direction)
      }
      ranked.append((rank(base) * 2 + (isDirected ? 1 : 0), rules))
    }
    // Equal ranks keep the order of the tags.
    return ranked.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    .flatMap(\.element.rules)
  }

  /// How specific a key is: `access` less than `motor_vehicle`, that less than `hgv`.
  private func rank(_ key: Substring) -> Int {
    let word = key.split(separator: ":").last.map(String.init) ?? ""
    return TravelMode.allCases.compactMap { AccessTags.keys($0).firstIndex(of: word) }.max() ?? 0
  }

  // MARK: Access

  private func accesses(
    _ key: Substring, _ values: [ConditionalValue], _ direction: TravelDirection
  ) -> [RoadRule] {
    let key = String(key)
    return values.flatMap { part -> [RoadRule] in
      var modes: [Access: TravelModes] = [:]
      for mode in TravelMode.allCases where oneWay.allows(mode, direction) {
        let keys = AccessTags.keys(mode)
        guard let place = keys.firstIndex(of: key),
          let said = AccessTags.access(part.value, for: mode),
          !keys[(place + 1)...].contains(where: { tags[$0] != nil })
        else { continue }
        modes[said, default: []].insert(TravelModes(mode))
      }
      return Self.rules(part, modes)
    }
  }

  private static func rules(
    _ part: ConditionalValue, _ modes: [Access: TravelModes]
  ) -> [RoadRule] {
    modes.sorted { $0.key.rawValue < $1.key.rawValue }.map { access, modes in
      RoadRule(
        modes: modes, effect: .access(access), condition: part.condition, when: part.text)
    }
  }

  // MARK: Car pools

  private func carPools(
    _ values: [ConditionalValue], _ direction: TravelDirection, access: (TravelMode) -> Access
  ) -> [RoadRule] {
    guard let carPools else { return [] }
    return values.flatMap { part -> [RoadRule] in
      guard let isOnly = carPools.isOnlyForCarPools(part.value) else { return [] }
      var modes: [Access: TravelModes] = [:]
      for mode in TravelMode.allCases where oneWay.allows(mode, direction) {
        if carPools.opens(part.value, to: mode), !access(mode).isUsable {
          modes[.yes, default: []].insert(TravelModes(mode))
        } else if !isOnly, carPools.aloneOpens(to: mode, direction) {
          modes[.no, default: []].insert(TravelModes(mode))
        }
      }
      let lone = RoadRule(
        modes: [TravelModes(.car), TravelModes(.truck)], effect: .carPool(isOnly),
        condition: part.condition, when: part.text)
      return Self.rules(part, modes) + [lone]
    }
  }

  // MARK: One-ways

  private func oneWays(
    _ key: Substring, _ values: [ConditionalValue], _ direction: TravelDirection,
    access: (TravelMode) -> Access
  ) -> [RoadRule] {
    let concerned = oneWayModes(key)
    return values.flatMap { part -> [RoadRule] in
      guard let rule = OneWayTags.rule(part.value) else { return [] }
      var modes: [Access: TravelModes] = [:]
      for mode in TravelMode.allCases where concerned.contains(mode) {
        let allowed = OneWayTags.allows(rule, direction)
        guard allowed != oneWay.allows(mode, direction) else { continue }
        modes[allowed ? access(mode) : .no, default: []].insert(TravelModes(mode))
      }
      return Self.rules(part, modes)
    }
  }

  /// The modes that a key applies to and no more specific key does.
  private func oneWayModes(_ key: Substring) -> TravelModes {
    let key = String(key)
    return TravelMode.allCases.reduce(into: TravelModes()) { modes, mode in
      let keys = OneWayTags.keys(mode)
      guard let place = keys.firstIndex(of: key),
        !keys[(place + 1)...].contains(where: { OneWayTags.rule(tags[$0]) != nil })
      else { return }
      modes.insert(TravelModes(mode))
    }
  }

  // MARK: Limits

  private func limits(_ key: Substring, _ values: [ConditionalValue]) -> [RoadRule] {
    let modes: TravelModes
    switch key.dropFirst("maxspeed".count) {
    case "": modes = .motorised
    case ":hgv", ":goods": modes = TravelModes(.truck)
    case ":bus", ":coach", ":psv": modes = TravelModes(.bus)
    case ":motorcar": modes = [TravelModes(.car), TravelModes(.taxi)]
    case ":motorcycle", ":moped": modes = TravelModes(.scooter)
    default: return []
    }
    return values.compactMap { part in
      guard let limit = SpeedTags.limit(part.value) else { return nil }
      let kmh: Double? = if case .kmh(let value) = limit { Double.minimum(value, 254) } else { nil }
      return RoadRule(
        modes: modes, effect: .limit(kmh: kmh), condition: part.condition, when: part.text)
    }
  }
}
