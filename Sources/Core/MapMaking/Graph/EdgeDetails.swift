import Boundaries
import Geodesy
import RoadGraph
import RoadNumbering

/// Properties of an edge beyond the tags of its way: islands, dead ends, its share of a crossing,
/// the country.
struct EdgeDetails {
  private let isIsland: [Bool]
  private let isDeadEnd: [Bool]

  init(_ assembly: GraphAssembly) {
    let roads = assembly.maker.attributes.records
    let usable = assembly.attribute.map { roads[Int($0)].access(.car).isUsable }
    isIsland = Islands.find(
      nodeCount: assembly.nodes.count, tail: assembly.tail, head: assembly.head,
      lengthMM: assembly.lengthMM, isCar: usable,
      isClosed: assembly.attribute.map { roads[Int($0)].isClosedToAll })
    isDeadEnd = DeadEnds.find(assembly, isCar: usable)
  }

  private struct Variant: Hashable {
    var attribute: UInt32
    var isIsland: Bool
    var isDeadEnd: Bool
    var crossingS: UInt16
    var crossingKmh: UInt8
    var country: String?
    var state: String?
    /// Whether `country` comes from the built-in table and not from the data.
    var isBuiltIn = false
    var routes: [RoadNumbers.Membership] = []
    var drivesOnLeft = false
    var signsFaceAway = false
    var isInZone = false
    /// Modes that pay at the toll booth at the end of the edge.
    var boothModes: TravelModes = []
    var season: Season?
    var isSouthern = false
    /// The part of the access that the country decides.
    var defaults = DefaultAccess.none
  }

  /// Computes the final attributes of each edge; equal attributes are shared.
  func apply(
    to assembly: GraphAssembly, table: inout AttributeTable, texts: inout TextTable,
    _ report: inout MapMakingReport
  ) -> [UInt32] {
    let regions = RegionFinder(assembly.maker.regions, nodes: assembly.maker.nodes)
    report.regions = regions.count
    let sides = assembly.sides
    let totals = crossingLengths(assembly)
    var known: [Variant: UInt32] = [:]
    var result: [UInt32] = []
    result.reserveCapacity(assembly.attribute.count)
    for (edge, attribute) in assembly.attribute.enumerated() {
      var variant = Variant(
        attribute: attribute, isIsland: isIsland[edge], isDeadEnd: isDeadEnd[edge], crossingS: 0,
        crossingKmh: 0)
      setCrossing(&variant, edge: edge, assembly, totals)
      let middle = Self.middle(edge, assembly)
      if !regions.isEmpty { Self.setRegion(&variant, middle, regions) }
      // An existing map that is being joined already has its countries.
      if !assembly.maker.joins {
        setBuiltIn(&variant, middle, assembly.maker.attributes.records[Int(attribute)])
        report.countries.count(source(variant, assembly.maker))
      }
      if variant.country == nil, !setSide(&variant, edge: edge, assembly, sides),
        !assembly.maker.joins
      {
        report.guessedSides += 1
      }
      if !assembly.maker.numbers.isEmpty { variant.routes = Self.routes(edge, assembly) }
      variant.signsFaceAway = Self.signsFaceAway(edge, assembly)
      variant.boothModes = Self.boothModes(edge, assembly)
      Self.setSeason(&variant, edge: edge, middle, assembly)
      Self.setDefaults(&variant, edge: edge, assembly)
      if isIsland[edge] { report.islandEdges += 1 }
      if let id = known[variant] {
        result.append(id)
        continue
      }
      let id = table.id(Self.attributes(variant, assembly.maker, &texts))
      known[variant] = id
      result.append(id)
    }
    return result
  }

  private static func attributes(
    _ variant: Variant, _ maker: GraphMaker, _ texts: inout TextTable
  ) -> RoadAttributes {
    var road = maker.attributes.records[Int(variant.attribute)]
    if variant.isIsland { road.flags.insert(.island) }
    if variant.isDeadEnd { road.flags.insert(.noThrough) }
    if variant.crossingS > 0 {
      road.crossingS = variant.crossingS
      if road.carSpeedKmh > 0 { road.carSpeedKmh = variant.crossingKmh }
      if road.truckSpeedKmh > 0 { road.truckSpeedKmh = variant.crossingKmh }
      if road.bicycleSpeedKmh > 0 { road.bicycleSpeedKmh = variant.crossingKmh }
      if road.pedestrianSpeedKmh > 0 { road.pedestrianSpeedKmh = variant.crossingKmh }
    }
    if let letters = variant.country?.utf8, let a = letters.first, let b = letters.last {
      road.countryCode = (a, b)
      if let isLeft = Countries.drivesOnLeft(variant.country) {
        if isLeft { road.flags.insert(.leftHand) } else { road.flags.remove(.leftHand) }
      }
    }
    if variant.isInZone { road.flags.insert(.lowEmissionZone) }
    if variant.drivesOnLeft { road.flags.insert(.leftHand) }
    if road.tollModes.isEmpty {
      road.tollModes = variant.boothModes
      if road.tollModes.contains(.car) { road.flags.insert(.toll) }
    }
    if let line = variant.season?.line(isSouthern: variant.isSouthern) {
      let rules = texts.text(road.rules)
      road.rules = texts.id(rules.isEmpty ? line : rules + "\n" + line)
    }
    if variant.signsFaceAway { road.flags.insert(.signsFaceAway) }
    if let state = variant.state { road.stateName = texts.id(state) }
    let part = texts.text(road.stateName).split(separator: "\n").dropFirst().first
    CountryLimits.apply(to: &road, country: road.country, part: part.map(String.init))
    variant.defaults.apply(to: &road, country: road.country)
    // An existing map that is being joined already has its numbers.
    if !maker.joins { setNumber(&road, routes: variant.routes, &texts) }
    return road
  }

  /// Whether signs at the end of an edge only face traffic in the opposite direction along its OSM
  /// way.
  private static func signsFaceAway(_ edge: Int, _ assembly: GraphAssembly) -> Bool {
    let place = Int(assembly.nodes[Int(assembly.head[edge])])
    guard let flags = assembly.maker.nodes.tags(place)?.flags,
      !flags.isDisjoint(with: [.forwardOnly, .backwardOnly])
    else { return false }
    let code = assembly.code[edge]
    let isForward = (code & 1 == 0) != assembly.pieces[Int(code >> 1)].isReversed
    return flags.contains(isForward ? .backwardOnly : .forwardOnly)
  }

  /// The modes that pay at the booth or gantry at the end of an edge; none if the road's own tags
  /// describe toll.
  private static func boothModes(_ edge: Int, _ assembly: GraphAssembly) -> TravelModes {
    let place = Int(assembly.nodes[Int(assembly.head[edge])])
    guard let modes = assembly.maker.nodes.tags(place)?.tollModes, !modes.isEmpty else { return [] }
    let way = Int(assembly.pieces[Int(assembly.code[edge] >> 1)].way)
    return assembly.maker.hasReportedToll.contains(way) ? [] : modes
  }

  private static func setSeason(
    _ variant: inout Variant, edge: Int, _ middle: Coordinate, _ assembly: GraphAssembly
  ) {
    guard !assembly.maker.seasons.isEmpty else { return }
    variant.season =
      assembly.maker.seasons[
        Int(assembly.pieces[Int(assembly.code[edge] >> 1)].way)]
    if variant.season != nil { variant.isSouthern = middle.latitudeDeg < 0 }
  }

  /// Sets the access defaults on roads of a country whose law differs from the world-wide defaults.
  private static func setDefaults(
    _ variant: inout Variant, edge: Int, _ assembly: GraphAssembly
  ) {
    let way = Int(assembly.pieces[Int(assembly.code[edge] >> 1)].way)
    guard assembly.maker.defaults.indices.contains(way) else { return }
    let defaults = DefaultAccess(packed: assembly.maker.defaults[way])
    guard defaults.kind != .other else { return }
    let country =
      variant.country ?? assembly.maker.attributes.records[Int(variant.attribute)].country
    if !CountryAccess.rules(country, defaults.kind).isEmpty { variant.defaults = defaults }
  }

  /// Sets the level of the first number by its network, and what route relations add to each
  /// number.
  private static func setNumber(
    _ road: inout RoadAttributes, routes: [RoadNumbers.Membership], _ texts: inout TextTable
  ) {
    guard !road.number.isEmpty else { return }
    let state = texts.text(road.stateName).split(separator: "\n").dropFirst().first.map(String.init)
    let numbers = RoadNumberMatcher(
      texts: RoadNumber.split(texts.text(road.number)), country: road.country, state: state,
      classLevel: road.roadClass.numberLevel)
    let found = numbers.routes(of: routes)
    road.networkLevel = UInt8(numbers.firstLevel(found) ?? 0)
    road.numberRoutes = texts.id(RouteRelationNumber.encode(found))
  }

  private static func routes(
    _ edge: Int, _ assembly: GraphAssembly
  ) -> [RoadNumbers.Membership] {
    let code = assembly.code[edge]
    let piece = assembly.pieces[Int(code >> 1)]
    return assembly.maker.numbers.memberships(
      assembly.maker.wayIDs[Int(piece.way)], isForward: (code & 1 == 0) != piece.isReversed)
  }

  /// The unit that shares one crossing time: a way, or the ways of a relation.
  private enum Crossing: Hashable {
    case way(Int)
    case relation(Int64)

    init(_ way: Int, _ maker: GraphMaker) {
      self = maker.crossingRelation[way].map { .relation($0) } ?? .way(way)
    }
  }

  /// The whole length of each crossing with a known time, in millimetres.
  private func crossingLengths(_ assembly: GraphAssembly) -> [Crossing: UInt64] {
    guard !assembly.maker.crossingS.isEmpty else { return [:] }
    var totals: [Crossing: UInt64] = [:]
    for (k, piece) in assembly.pieces.enumerated()
    where assembly.maker.crossingS[Int(piece.way)] != nil {
      let edge = assembly.along[k] == .max ? assembly.against[k] : assembly.along[k]
      totals[Crossing(Int(piece.way), assembly.maker), default: 0] += UInt64(
        assembly.lengthMM[Int(edge)])
    }
    return totals
  }

  private func setCrossing(
    _ variant: inout Variant, edge: Int, _ assembly: GraphAssembly,
    _ totals: [Crossing: UInt64]
  ) {
    guard !totals.isEmpty else { return }
    let way = Int(assembly.pieces[Int(assembly.code[edge] >> 1)].way)
    guard let total = totals[Crossing(way, assembly.maker)], total > 0,
      let whole = assembly.maker.crossingS[way]
    else {
      return
    }
    let share = whole * Double(assembly.lengthMM[edge]) / Double(total)
    let kmh = Double(total) / 1000 / whole * 3.6
    variant.crossingS = UInt16(Double.maximum(1, Double.minimum(65_535, share.rounded())))
    variant.crossingKmh = UInt8(Double.maximum(1, Double.minimum(254, kmh.rounded())))
  }

  /// Sets the side of driving by roundabouts if the country is not known; false if undecided.
  private func setSide(
    _ variant: inout Variant, edge: Int, _ assembly: GraphAssembly, _ sides: DrivingSideDetector
  ) -> Bool {
    let road = assembly.maker.attributes.records[Int(variant.attribute)]
    guard road.country == nil, !road.flags.contains(.ferry) else { return true }
    let place = Int(assembly.pieces[Int(assembly.code[edge] >> 1)].from)
    let isLeft = sides.drivesOnLeft(
      latitudeE7: assembly.maker.nodes.latitude[place],
      longitudeE7: assembly.maker.nodes.longitude[place])
    variant.drivesOnLeft = isLeft ?? false
    return isLeft != nil || road.flags.contains(.leftHand)
  }

  /// The point that decides the country for both directions of a piece: the middle of its points.
  private static func middle(_ edge: Int, _ assembly: GraphAssembly) -> Coordinate {
    let piece = assembly.pieces[Int(assembly.code[edge] >> 1)]
    if piece.pointCount > 0 {
      return assembly.coordinate(assembly.run[Int(piece.firstPoint + piece.pointCount / 2)])
    }
    return assembly.coordinate(piece.from)
      .interpolated(to: assembly.coordinate(piece.to), fraction: 0.5)
  }

  private static func setRegion(
    _ variant: inout Variant, _ middle: Coordinate, _ regions: RegionFinder
  ) {
    let (lat, lon) = (
      Int32((middle.latitudeDeg * 1e7).rounded()), Int32((middle.longitudeDeg * 1e7).rounded())
    )
    variant.country = regions.code(level: 2, latitudeE7: lat, longitudeE7: lon)
    variant.state = regions.code(level: 4, latitudeE7: lat, longitudeE7: lon)
    variant.isInZone =
      regions.code(level: RegionMaker.zoneLevel, latitudeE7: lat, longitudeE7: lon) != nil
  }

  /// Sets country and state from the built-in table if boundaries, tags and options do not provide
  /// them.
  private func setBuiltIn(_ variant: inout Variant, _ middle: Coordinate, _ road: RoadAttributes) {
    if variant.country == nil, road.country == nil {
      variant.country = Boundaries.builtIn.country(at: middle)
      variant.isBuiltIn = variant.country != nil
    }
    guard variant.state == nil, road.stateName.isEmpty,
      let country = variant.country ?? road.country,
      let state = Boundaries.builtIn.state(at: middle, country: country)
    else { return }
    variant.state = RegionMaker.stateText(name: state.name, code: state.code)
  }

  private func source(_ variant: Variant, _ maker: GraphMaker) -> CountrySources.Source {
    if variant.isBuiltIn { return .builtIn }
    if variant.country != nil { return .boundaries }
    guard let country = maker.attributes.records[Int(variant.attribute)].country else {
      return .unknown
    }
    return country == maker.options.country?.uppercased() ? .option : .tags
  }
}
