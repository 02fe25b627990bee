import RoadGraph

/// The attributes of a road from the tags of a way, for both directions of travel.
///
/// A street that is closed to everybody is a road without modes: travellers see it at junctions.
struct RoadTags {
  /// nil if no mode may use this direction, unless the street is closed in both.
  var forward: RoadAttributes?
  var backward: RoadAttributes?
  /// Seconds of a ferry's whole crossing; nil if it follows from the speed.
  var crossingS: Double?
  /// The number of tags read that make a rule depend on time.
  var timedRules: Int
  /// Keys of time-dependent tags with unreadable values.
  var unreadableRules: [String]
  /// Months in which the road is passable; nil for all.
  var season: Season?
  /// Keys of sizes and limits with unreadable values.
  var unreadableValues: [String]
  /// The modes whose access the country may decide.
  var defaults: DefaultAccess

  /// Reads a way; nil if it is not a road, or if no mode may use it and it is not seen as a street.
  init?(_ tags: OSMTags, options: MapOptions, texts: inout TextTable) {
    guard let kind = RoadKind(tags) else { return nil }
    var reader = RoadTagReader(tags: tags, kind: kind, options: options)
    forward = reader.attributes(.forward, texts: &texts)
    backward = reader.attributes(.backward, texts: &texts)
    let isClosed = forward == nil && backward == nil
    if isClosed {
      guard reader.isSeenAsStreet else { return nil }
      forward = reader.closedStreet(.forward, texts: &texts)
      backward = reader.closedStreet(.backward, texts: &texts)
    }
    timedRules =
      reader.timed.read + (reader.ferry?.rules.count ?? 0) + reader.sizes.timedCount
    unreadableRules = reader.timed.unreadable + (reader.ferry?.unreadable ?? [])
    unreadableValues = reader.sizes.unreadable + SpeedTags.unreadable(tags)
    crossingS = reader.ferry?.crossingS
    season = reader.passability?.season
    defaults =
      isClosed
      ? .none : DefaultAccess(tags, kind: kind, barred: reader.passability?.barred ?? [])
  }
}

/// Reads the two directions of one way.
private struct RoadTagReader {
  let tags: OSMTags
  let kind: RoadKind
  let oneWay: OneWayTags
  let country: String?
  let drivesOnLeft: Bool
  let timed: RuleTags
  let sizes: SizeTags
  /// nil if the way is neither a ferry nor a car train.
  let ferry: FerryTags?
  /// nil for a road that suits every mode.
  let passability: PassabilityTags?
  let carPools: CarPoolTags
  var hasDirections = false

  init(tags: OSMTags, kind: RoadKind, options: MapOptions) {
    self.tags = tags
    self.kind = kind
    oneWay = OneWayTags(tags, kind: kind)
    carPools = CarPoolTags(tags, kind: kind)
    timed = RuleTags(tags, oneWay: oneWay, carPools: carPools)
    sizes = SizeTags(tags)
    let isFerry = kind.roadClass == .ferry || kind.roadClass == .shuttleTrain
    ferry = isFerry ? FerryTags(tags) : nil
    passability = PassabilityTags(tags, kind: kind)
    country = tags["country"] ?? tags["addr:country"] ?? options.country
    drivesOnLeft =
      switch tags["driving_side"] {
      case "left": true
      case "right": false
      default: Countries.drivesOnLeft(country) ?? options.drivesOnLeft
      }
    for tag in tags.pairs {
      if tag.key.hasSuffix(":forward") || tag.key.hasSuffix(":backward") { hasDirections = true }
    }
  }

  mutating func attributes(
    _ direction: TravelDirection, texts: inout TextTable
  ) -> RoadAttributes? {
    var road = RoadAttributes()
    // Modes that may use this direction always, or at times.
    var used: TravelModes = []
    for mode in TravelMode.allCases where oneWay.allows(mode, direction) {
      let access = access(mode, direction)
      road.setAccess(access, for: mode)
      if access.isUsable { used.insert(TravelModes(mode)) }
      if let passability { road.setDifficulty(passability.difficulty(mode), for: mode) }
    }
    var rules = timed.isEmpty ? [] : timed.rules(direction) { access($0, direction) }
    rules += passability?.openings { allowed($0, direction) } ?? []
    for rule in rules {
      if case .access(let access) = rule.effect, access.isUsable { used.formUnion(rule.modes) }
    }
    guard !used.isEmpty else { return nil }
    if let ferry {
      rules += ferry.rules
      road.boardingS = ferry.boardingS
    }
    rules += sizes.rules(direction)
    let lines = rules.map(\.line) + sizes.lines(direction)
    if !lines.isEmpty { road.rules = texts.id(lines.joined(separator: "\n")) }
    describe(&road, direction, used: used, texts: &texts)
    return road
  }

  /// Whether travellers see a street that leads on, even if no mode may use it; not if it is still
  /// to be built, or is no longer there.
  var isSeenAsStreet: Bool {
    (kind.roadClass <= .service || kind.roadClass == .pedestrian) && !kind.isLink && !kind.isArea
      && ferry == nil && passability?.barred != .all
      && !["driveway", "parking_aisle"].contains(tags["service"])
  }

  /// The attributes of one direction of a street that is closed to everybody.
  func closedStreet(
    _ direction: TravelDirection, texts: inout TextTable
  ) -> RoadAttributes? {
    let opposite: TravelDirection = direction == .forward ? .backward : .forward
    guard !oneWay.general.isOneWay(opposite) else { return nil }
    var road = RoadAttributes()
    describe(&road, direction, used: [], texts: &texts)
    return road
  }

  /// Sets the attributes that do not depend on who may use the road at what times.
  private func describe(
    _ road: inout RoadAttributes, _ direction: TravelDirection, used: TravelModes,
    texts: inout TextTable
  ) {
    road.roadClass = kind.roadClass
    road.surface = SurfaceTags.surface(tags)
    road.flags = flags(road.surface)
    if let layer = tags["layer"].flatMap({ Int($0) }) {
      road.layer = Int8(clamping: layer)
    } else if road.flags.contains(.tunnel) {
      road.layer = -1
    } else if road.flags.contains(.bridge) {
      road.layer = 1
    }
    if let letters = country?.uppercased().utf8, letters.count == 2, let a = letters.first,
      let b = letters.last
    {
      road.countryCode = (a, b)
    }
    setSpeeds(&road, direction, used: used)
    sizes.apply(to: &road, direction)
    road.tollModes = TollTags.modes(tags)
    setTexts(&road, direction, texts: &texts)
  }

  /// The access of a mode, not counting one-way rules.
  private func access(_ mode: TravelMode, _ direction: TravelDirection) -> Access {
    if let passability, passability.barred.contains(mode) { return .no }
    let access = AccessTags.access(
      mode, kind: kind, tags: tags, direction: direction, hasDirections: hasDirections)
    if !access.isUsable, carPools.isOnlyForCarPools, carPools.opens(to: mode) { return .yes }
    // Yards and forecourts are not open to through traffic.
    if kind.isArea, kind.roadClass == .service, mode.isMotorised, access == .yes {
      return .destination
    }
    return access
  }

  /// The access of a mode in one direction once works have ended.
  private func allowed(_ mode: TravelMode, _ direction: TravelDirection) -> Access {
    guard oneWay.allows(mode, direction) else { return .no }
    return AccessTags.access(
      mode, kind: kind, tags: tags, direction: direction, hasDirections: hasDirections)
  }

  private func setSpeeds(
    _ road: inout RoadAttributes, _ direction: TravelDirection, used: TravelModes
  ) {
    let limit =
      SpeedTags.limit(tags, direction)
      ?? (kind.roadClass == .livingStreet
        ? Countries.limits(country).map { .kmh($0.living) } : nil)
    let truckLimit = SpeedTags.truckLimit(tags, direction)
    road.speedLimitKmh = limit?.stored ?? 0
    road.truckSpeedLimitKmh = truckLimit?.stored ?? 0
    road.busSpeedLimitKmh = SpeedTags.busLimit(tags, direction)?.stored ?? 0
    let advised = SpeedTags.advisory(tags, direction)
    road.advisoryLimitKmh = advised?.stored ?? 0
    let car = Double.minimum(
      FreeFlowSpeed.carKmh(
        kind: kind, tags: tags, limit: limit, advised: advised, surface: road.surface,
        country: country),
      PassabilityTags.mostKmh(tags))
    if !used.isDisjoint(with: .motorised) {
      road.carSpeedKmh = Self.stored(car)
      road.truckSpeedKmh = Self.stored(
        FreeFlowSpeed.truckKmh(carKmh: car, kind: kind, limit: truckLimit))
    }
    if used.contains(.bicycle) {
      road.bicycleSpeedKmh = Self.stored(
        FreeFlowSpeed.bicycleKmh(
          roadClass: kind.roadClass, surface: road.surface, access: road.access(.bicycle))
          * PassabilityTags.bicycleShare(tags, surface: road.surface))
    }
    if used.contains(.pedestrian) {
      road.pedestrianSpeedKmh = Self.stored(
        FreeFlowSpeed.pedestrianKmh(kind: kind) * (passability?.walkingShare() ?? 1))
    }
  }

  private static func stored(_ kmh: Double) -> UInt8 {
    UInt8(Double.minimum(254, Double.maximum(1, kmh.rounded())))
  }

  private func setTexts(
    _ road: inout RoadAttributes, _ direction: TravelDirection, texts: inout TextTable
  ) {
    // The name and number of a platform are those of a stop and of a track.
    if kind.word != "platform" {
      road.name = texts.id(tags["name" + direction.suffix] ?? tags["name"])
      road.number = texts.id(tags["ref"])
      road.namesByLanguage = texts.id(NameTags.byLanguage(tags))
    }
    road.laneCount = LaneTags.count(tags, direction, oneWay: oneWay.general)
    road.turnLanes = texts.id(LaneTags.turnLanes(tags, direction, oneWay: oneWay.general))
    road.laneDetails = texts.id(
      LaneTags.details(tags, direction, bareHolds: oneWay.general.isOneWay(direction)))
    // A signpost without a direction on a two-way road is meant for traffic along the way.
    let bareHolds = direction == .forward || oneWay.general == .backward
    road.destination = texts.id(NameTags.destination(tags, direction, bareHolds: bareHolds))
    road.destinationNumber = texts.id(
      NameTags.destinationNumber(tags, direction, bareHolds: bareHolds))
    road.destinationSymbol = texts.id(
      NameTags.destinationSymbol(tags, direction, bareHolds: bareHolds))
    road.exitNumber = texts.id(
      tags["junction:ref" + direction.suffix] ?? (bareHolds ? tags["junction:ref"] : nil))
    road.stateName = texts.id(tags["is_in:state"])
  }

  private func flags(_ surface: Surface) -> RoadFlags {
    var flags = RoadFlags()
    func set(_ flag: RoadFlags, _ holds: Bool) { if holds { flags.insert(flag) } }
    let isMotorOneWay = oneWay.general == .forward || oneWay.general == .backward
    set(.oneWay, isMotorOneWay)
    set(.roundabout, tags["junction"] == "roundabout")
    set(.circular, tags["junction"] == "circular")
    set(.link, kind.isLink)
    set(.tunnel, tags["tunnel"].map { $0 != "no" } ?? (tags["covered"] == "yes"))
    set(.bridge, tags["bridge"].map { $0 != "no" } ?? false)
    set(.toll, TollTags.modes(tags).contains(.car))
    set(.variableLimit, SpeedTags.isVariable(tags))
    set(.alternating, tags["oneway"] == "alternating")
    set(.ferry, kind.roadClass == .ferry || kind.roadClass == .shuttleTrain)
    set(.unpaved, SurfaceTags.isUnpaved(surface))
    set(.leftHand, drivesOnLeft)
    set(.carPool, carPools.isOnlyForCarPools)
    set(.controlledAccess, kind.roadClass == .motorway || tags.isYes("motorroad"))
    let isDivided = kind.roadClass <= .trunk && isMotorOneWay && !kind.isLink
    set(.divided, tags.isYes("dual_carriageway") || isDivided)
    set(.noThrough, tags.isYes("noexit"))
    let hazard = tags["hazard"] ?? ""
    set(.schoolZone, tags.isYes("school_zone") || hazard == "school_zone" || hazard == "school")
    set(.lit, tags.isYes("lit"))
    set(.builtUp, SpeedTags.isBuiltUp(tags) || kind.roadClass == .livingStreet)
    set(.parkingAisle, tags["service"] == "parking_aisle")
    set(.driveway, tags["service"] == "driveway")
    set(.reversible, oneWay.general == .reversible || tags["oneway"] == "alternating")
    set(.trafficCalming, tags["traffic_calming"].map { $0 != "no" } ?? false)
    return flags.union(FootTags.flags(tags, kind: kind))
  }
}
