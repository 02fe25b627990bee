import RoadGraph

/// Access to a road by mode: the default of its class, restricted or extended by the access tags.
///
/// https://wiki.openstreetmap.org/wiki/Key:access: the most specific key of a mode decides.
enum AccessTags {
  /// The access of `mode` in one direction, not counting one-way rules.
  static func access(
    _ mode: TravelMode, kind: RoadKind, tags: OSMTags, direction: TravelDirection,
    hasDirections: Bool
  ) -> Access {
    var access = usual(mode, kind: kind, tags: tags)
    for key in keys(mode) {
      var value = tags[key]
      if hasDirections, let directed = tags[key + direction.suffix] { value = directed }
      guard let value, let said = Self.access(value, for: mode) else { continue }
      if key == "access", isOfUsers(said, access) { continue }
      access = said
    }
    return access
  }

  /// Whether `access=yes` and similar refer to the usual users of a road: it opens no footway to
  /// cars or riders.
  private static func isOfUsers(_ said: Access, _ usual: Access) -> Bool {
    said.isUsable && (!usual.isUsable || usual == .dismount && said == .yes)
  }

  /// Whether a tag rather than the kind of road decides the access of a mode in some direction.
  static func decide(_ mode: TravelMode, kind: RoadKind, tags: OSMTags) -> Bool {
    let usual = usual(mode, kind: kind, tags: tags)
    return keys(mode).contains { key in
      [key, key + ":forward", key + ":backward"].contains { key in
        guard let said = tags[key].flatMap({ access($0, for: mode) }) else { return false }
        return !(key.hasPrefix("access") && isOfUsers(said, usual))
      }
    }
  }

  /// The keys that apply to a mode, the most general first.
  static func keys(_ mode: TravelMode) -> [String] {
    switch mode {
    case .car: carKeys
    case .truck: truckKeys
    case .bus: busKeys
    case .taxi: taxiKeys
    case .scooter: scooterKeys
    case .bicycle: bicycleKeys
    case .pedestrian: pedestrianKeys
    }
  }

  /// Whether a key sets the access of some mode, ignoring suffixes such as `:forward`.
  static func isKey(_ key: String) -> Bool {
    guard let colon = key.firstIndex(of: ":") else { return allKeys.contains(key) }
    return allKeys.contains(String(key[..<colon]))
  }

  private static let allKeys = Set(TravelMode.allCases.flatMap { keys($0) })
  private static let carKeys = ["access", "vehicle", "motor_vehicle", "motorcar"]
  private static let truckKeys = ["access", "vehicle", "motor_vehicle", "goods", "hgv"]
  private static let busKeys = ["access", "vehicle", "motor_vehicle", "psv", "bus"]
  private static let taxiKeys = ["access", "vehicle", "motor_vehicle", "motorcar", "psv", "taxi"]
  private static let scooterKeys = ["access", "vehicle", "motor_vehicle", "motorcycle", "moped"]
  private static let bicycleKeys = ["access", "vehicle", "bicycle"]
  private static let pedestrianKeys = ["access", "foot"]

  /// The meaning of an access key's value for `mode`; nil for values without a meaning.
  static func access(_ value: String, for mode: TravelMode) -> Access? {
    if value.utf8.contains(UInt8(ascii: ";")) {
      let said = parts(value).compactMap { access($0, for: mode) }
      return said.min { rank($0) < rank($1) }
    }
    switch value {
    case "yes", "permissive", "designated", "official", "public", "discouraged", "toll":
      return .yes
    case "hov": return mode.isMotorised && mode != .truck ? .yes : .no
    case "no", "agricultural", "forestry", "emergency", "military", "use_sidepath", "restricted",
      "none", "closed", "impassable":
      return .no
    case "psv": return mode == .bus || mode == .taxi ? .yes : .no
    case "bus", "minibus": return mode == .bus ? .yes : .no
    case "taxi", "share_taxi": return mode == .taxi ? .yes : .no
    case "destination", "local": return .destination
    case "delivery", "loading", "unloading": return .delivery
    case "customers": return .customers
    case "private", "permit", "residents", "employees", "members": return .private
    case "dismount": return mode == .bicycle ? .dismount : nil
    default: return nil
    }
  }

  private static func rank(_ access: Access) -> Int {
    switch access {
    case .yes: 0
    case .dismount: 1
    case .destination: 2
    case .customers: 3
    case .delivery: 4
    case .private: 5
    case .no: 6
    }
  }

  /// The default users of such a road, without tags.
  static func usual(_ mode: TravelMode, kind: RoadKind, tags: OSMTags) -> Access {
    switch kind.roadClass {
    case .motorway:
      return mode.isMotorised && mode != .scooter ? .yes : .no
    case .trunk, .primary, .secondary, .tertiary, .unclassified, .residential, .livingStreet:
      if tags.isYes("motorroad") { return mode.isMotorised && mode != .scooter ? .yes : .no }
      return .yes
    case .service:
      if kind.word != "service", kind.word != "services" { return mode == .bus ? .yes : .no }
      if tags["service"] == "emergency_access", mode.isMotorised { return .no }
      return .yes
    case .track:
      return mode.isMotorised ? .destination : .yes
    case .pedestrian:
      return mode == .pedestrian ? .yes : mode == .bicycle ? .dismount : .no
    case .cycleway:
      return mode.isMotorised ? .no : .yes
    case .path:
      if mode.isMotorised { return .no }
      return mode == .bicycle && kind.word != "path" ? .dismount : .yes
    case .steps:
      return mode == .pedestrian ? .yes : mode == .bicycle ? .dismount : .no
    case .ferry, .shuttleTrain:
      return .yes
    }
  }
}
