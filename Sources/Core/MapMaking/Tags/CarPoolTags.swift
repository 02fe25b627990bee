import RoadGraph

/// Roads that only vehicles with enough occupants may use.
///
/// https://wiki.openstreetmap.org/wiki/Key:hov
struct CarPoolTags {
  let tags: OSMTags
  let kind: RoadKind
  /// Whether a car with only its driver may not use the road.
  private(set) var isOnlyForCarPools = false

  init(_ tags: OSMTags, kind: RoadKind) {
    self.tags = tags
    self.kind = kind
    isOnlyForCarPools = keepsLoneCarsOff()
  }

  private func keepsLoneCarsOff() -> Bool {
    if let value = tags["hov"], isOnlyForCarPools(value) == true { return true }
    if let lanes = tags["hov:lanes"], !lanes.isEmpty,
      lanes.split(separator: "|", omittingEmptySubsequences: false).allSatisfy({
        $0 == "designated" || $0 == "only"
      })
    {
      return true
    }
    return carValue == "hov"
  }

  /// Whether a value of `hov` keeps a car with only its driver off the road; nil for a value without
  /// such a meaning.
  ///
  /// `yes` only permits car pools, so it counts only if the road is closed otherwise.
  func isOnlyForCarPools(_ value: String) -> Bool? {
    switch value {
    case "designated", "only": true
    case "yes": isClosedOtherwise
    case "no": false
    default: nil
    }
  }

  /// Whether the road is open to the car pools of a mode although its other tags close it.
  func opens(to mode: TravelMode) -> Bool {
    tags["hov"].map { opens($0, to: mode) } ?? false
  }

  /// Whether a value of `hov` opens the road to the car pools of a mode that usually uses such
  /// roads.
  func opens(_ value: String, to mode: TravelMode) -> Bool {
    guard mode.isMotorised, mode != .truck,
      AccessTags.usual(mode, kind: kind, tags: tags).isUsable
    else { return false }
    return value == "designated" || value == "only" || value == "yes"
  }

  /// Whether the road is open to a mode in a direction only because its vehicles are car pools.
  func aloneOpens(to mode: TravelMode, _ direction: TravelDirection) -> Bool {
    isOnlyForCarPools && opens(to: mode)
      && !AccessTags.access(
        mode, kind: kind, tags: tags, direction: direction, hasDirections: true
      ).isUsable
  }

  /// Whether the other tags of the road close it to cars.
  private var isClosedOtherwise: Bool {
    carValue.flatMap { AccessTags.access($0, for: .car) } == .no
  }

  /// The value of the most specific key that applies to cars.
  private var carValue: String? {
    AccessTags.keys(.car).reversed().lazy.compactMap { tags[$0] }.first
  }
}
