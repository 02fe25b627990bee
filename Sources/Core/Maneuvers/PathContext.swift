import Geodesy
import RoadGraph
import Route

/// A path, with the queries that the rules need.
struct PathContext {
  let graph: RoadGraph
  let mode: TravelMode
  let language: String
  let edges: [EdgeID]
  private let startOffsetM: Double

  init(graph: RoadGraph, section: SectionPath) {
    self.graph = graph
    mode = section.mode
    language = section.language
    edges = section.path.edges
    startOffsetM = section.path.startOffsetM
  }

  /// Start position of the path.
  var start: RoadPosition { RoadPosition(edge: edges[0], offsetM: startOffsetM) }

  func road(_ index: Int) -> RoadAttributes { graph.attributes(edges[index]) }

  func facts(_ index: Int) -> RoadFacts {
    RoadFacts(graph, edges[index], language: language)
  }

  /// Length in metres of the whole edges from the start of `first` to the start of `end`.
  func lengthM(from first: Int, to end: Int) -> Double {
    edges[first..<max(first, end)].reduce(0) { $0 + graph.lengthM($1) }
  }

  /// Whether the starts of `first` and `end` are at most this far apart; it searches no farther
  /// than that.
  func isWithin(_ metres: Double, from first: Int, to end: Int) -> Bool {
    var leftM = metres
    for edge in edges[first..<max(first, end)].reversed() {
      leftM -= graph.lengthM(edge)
      if leftM < 0 { return false }
    }
    return true
  }

  /// The first edge from `index` on that is not a link; nil if the path ends before.
  func firstThroughRoad(from index: Int) -> Int? {
    edges.indices[index...].first { !road($0).flags.contains(.link) }
  }

  /// The last edge before `index` that is not a link; nil if the path starts after it.
  func lastThroughRoad(before index: Int) -> Int? {
    edges.indices[..<index].last { !road($0).flags.contains(.link) }
  }

  /// Whether nothing changes at the start of an edge and no other road leads on.
  func isMereBend(at index: Int) -> Bool {
    let (before, after) = (edges[index - 1], edges[index])
    let columns = graph.columns
    guard columns.attributeIndex[before.index] == columns.attributeIndex[after.index] else {
      return false
    }
    let back = columns.twin[before.index]
    return after != back
      && graph.edges(leaving: graph.head(before)).allSatisfy { $0 == after || $0 == back }
      && !graph.edges(entering: graph.tail(after)).contains { isBarred($0, at: index) }
  }

  /// Whether nothing else meets between two consecutive edges.
  func isMereCut(_ before: EdgeID, _ after: EdgeID) -> Bool {
    let back = graph.twin(before)
    let node = graph.head(before)
    return graph.edges(leaving: node).allSatisfy { $0 == after || $0 == back || !isUsable($0) }
      && graph.edges(entering: node).allSatisfy {
        $0 == before || $0 == graph.twin(after) || !isUsable($0)
      }
  }

  /// Distance between the points of the path `reachM` before and after the start of an edge.
  ///
  /// The distance is in metres, as the crow flies; nil if the path is too short.
  func armsGapM(at index: Int, reachM: Double) -> Double? {
    var (after, afterM) = (index, graph.lengthM(edges[index]))
    while afterM < reachM, after + 1 < edges.count {
      after += 1
      afterM += graph.lengthM(edges[after])
    }
    var (before, beforeM) = (index - 1, graph.lengthM(edges[index - 1]))
    while beforeM < reachM, before > 0 {
      before -= 1
      beforeM += graph.lengthM(edges[before])
    }
    guard afterM >= reachM, beforeM >= reachM else { return nil }
    let there = RoadPosition(
      edge: edges[after], offsetM: graph.lengthM(edges[after]) - (afterM - reachM))
    let here = RoadPosition(edge: edges[before], offsetM: beforeM - reachM)
    return graph.coordinate(here).distanceM(to: graph.coordinate(there))
  }

  /// The angle at the start of an edge; right is positive.
  func turnDeg(at index: Int) -> Double {
    Angle.turnDeg(from: endBearingDeg(edges[index - 1]), to: startBearingDeg(edges[index]))
  }

  /// Whether two edges lie on top of each other because the map contains the road twice.
  func isDouble(_ a: EdgeID, of b: EdgeID) -> Bool {
    graph.head(a) == graph.head(b) && graph.tail(a) == graph.tail(b)
      && abs(graph.lengthM(a) - graph.lengthM(b)) < 1
      && Angle.differenceDeg(startBearingDeg(a), startBearingDeg(b)) < 5
  }

  /// Whether drivers perceive two edges as one road: by name or number, or by their OSM way if
  /// unnamed.
  func isOneRoad(_ a: EdgeID, _ b: EdgeID) -> Bool {
    let (one, other) = (graph.attributes(a), graph.attributes(b))
    if one.isNameless, other.isNameless { return graph.columns.way(a) == graph.columns.way(b) }
    return sharesName(one, other)
  }

  /// Whether all edges at these indices of the path belong to one OSM way.
  func isOneOSMWay(from first: Int, through last: Int) -> Bool {
    edges[first...last].allSatisfy { graph.columns.way($0) == graph.columns.way(edges[first]) }
  }

  /// Whether two roads have the same local name, or the same name in the language of the route.
  ///
  /// Announcements of both roads sound the same.
  func isSameName(_ a: RoadAttributes, _ b: RoadAttributes) -> Bool {
    guard !a.name.isEmpty, !b.name.isEmpty else { return false }
    if a.name == b.name { return true }
    guard !language.isEmpty, !(a.namesByLanguage.isEmpty && b.namesByLanguage.isEmpty) else {
      return false
    }
    return RoadFacts.name(of: a, graph, language: language)
      == RoadFacts.name(of: b, graph, language: language)
  }

  /// Whether two roads have the same name, or have a number in common.
  func sharesName(_ a: RoadAttributes, _ b: RoadAttributes) -> Bool {
    isSameName(a, b) || sharesNumber(a, b)
  }

  /// Whether two roads have a number in common.
  func sharesNumber(_ a: RoadAttributes, _ b: RoadAttributes) -> Bool {
    guard !a.number.isEmpty, !b.number.isEmpty else { return false }
    if a.number == b.number { return true }
    let numbers = RoadFacts.list(graph.text(a.number))
    return RoadFacts.list(graph.text(b.number)).contains { numbers.contains($0) }
  }

  /// Whether one road continues as the other by its name; its number decides only if one has no
  /// name.
  func keepsName(_ a: EdgeID, _ b: EdgeID) -> Bool {
    let (one, other) = (graph.attributes(a), graph.attributes(b))
    if !one.name.isEmpty, !other.name.isEmpty { return isSameName(one, other) }
    return isOneRoad(a, b)
  }

  /// The streets that lead to the start of an edge and cannot be entered there.
  func edgesBarred(at index: Int) -> [EdgeID] {
    let node = graph.tail(edges[index])
    return graph.edges(entering: node).filter { isBarred($0, at: index) }
  }

  private func isBarred(_ edge: EdgeID, at index: Int) -> Bool {
    guard edge != edges[index - 1], edge != graph.twin(edges[index]),
      !graph.attributes(edge).isByWay, isUsable(edge)
    else { return false }
    return graph.twin(edge).map { !isUsable($0) } ?? true
  }

  /// Attributes whose change means to the rules that another kind of road begins.
  private static let telling: RoadFlags = [
    .oneWay, .roundabout, .circular, .link, .ferry, .leftHand, .controlledAccess, .divided,
    .parkingAisle, .driveway, .indoor,
  ]

  /// Whether a named road continues at the start of an edge, and no other relevant road leaves
  /// there.
  ///
  /// No rule applies to such a place, whatever its angles, so most places need no further analysis.
  func isPlainlyTheSameRoad(at index: Int) -> Bool {
    let (before, after) = (edges[index - 1], edges[index])
    let columns = graph.columns
    guard columns.twin[before.index] != after else { return false }
    let road = graph.attributes(after)
    guard !road.name.isEmpty || !road.number.isEmpty, !road.isLink, !road.isRoundabout,
      !road.isByWay, !road.flags.contains(.ferry),
      // A gap between two carriageways is a short piece.
      !road.flags.contains(.oneWay) || graph.lengthM(after) >= UTurnRule.gapM
    else { return false }
    if columns.attributeIndex[before.index] != columns.attributeIndex[after.index] {
      // A different limit, surface or number of lanes does not make a different road.
      let last = graph.attributes(before)
      guard last.name == road.name, last.number == road.number, last.roadClass == road.roadClass,
        (last.access(mode) == .dismount) == (road.access(mode) == .dismount),
        road.flags.symmetricDifference(last.flags).isDisjoint(with: Self.telling)
      else { return false }
    }
    let back = columns.twin[before.index]
    for edge in graph.edges(leaving: graph.head(before))
    where edge != after && edge != back && isUsable(edge) {
      let other = graph.attributes(edge)
      guard Junction.isNegligible(other, road, road, mode),
        other.isByWay || !isOneRoad(before, edge)
      else { return false }
    }
    return Angle.differenceDeg(endBearingDeg(before), startBearingDeg(after))
      < TurnRule.asideDeg
  }

  /// Whether it is a road without crossings, which is joined by merging at any angle.
  func isFast(_ road: RoadAttributes) -> Bool {
    road.isHighway && road.flags.contains(.controlledAccess)
  }

  /// Whether an edge that the mode may not use looks like a through street, and not like the end of
  /// a one-way street.
  func isClosedStreet(_ edge: EdgeID) -> Bool {
    graph.attributes(edge).isStreet && !(graph.twin(edge).map { isUsable($0) } ?? false)
  }

  func isUsable(_ edge: EdgeID) -> Bool {
    let road = graph.attributes(edge)
    return road.access(mode).isUsable && (road.crossingS > 0 || road.freeFlowMps(mode) > 0)
  }

  /// Direction in which an edge leaves its tail, measured over some metres.
  func startBearingDeg(_ edge: EdgeID) -> Double { graph.bearingDeg(edge, reachM: reachM(edge)) }

  /// Direction in which an edge reaches its head.
  func endBearingDeg(_ edge: EdgeID) -> Double {
    graph.bearingDeg(edge, reachM: reachM(edge), atHead: true)
  }

  /// Direction in which an edge of the path leaves its tail; if it is a short cut-off piece, the
  /// next ones count too.
  func bearingAfterDeg(at index: Int) -> Double {
    var leftM = reachM(edges[index])
    var last = index
    while last + 1 < edges.count, graph.lengthM(edges[last]) < leftM - 1,
      isMereCut(edges[last], edges[last + 1])
    {
      leftM -= graph.lengthM(edges[last])
      last += 1
    }
    guard last > index else { return startBearingDeg(edges[index]) }
    let far = RoadPosition(edge: edges[last], offsetM: min(leftM, graph.lengthM(edges[last])))
    return graph.coordinate(graph.tail(edges[index])).bearingDeg(to: graph.coordinate(far))
  }

  /// Direction in which the path reaches the start of an edge; if the edge before is a short
  /// cut-off piece, earlier ones count too.
  func bearingBeforeDeg(at index: Int) -> Double {
    let before = index - 1
    var leftM = reachM(edges[before])
    var first = before
    while first > 0, graph.lengthM(edges[first]) < leftM - 1,
      isMereCut(edges[first - 1], edges[first])
    {
      leftM -= graph.lengthM(edges[first])
      first -= 1
    }
    guard first < before else { return endBearingDeg(edges[before]) }
    let offsetM = max(0, graph.lengthM(edges[first]) - leftM)
    let far = graph.coordinate(RoadPosition(edge: edges[first], offsetM: offsetM))
    return far.bearingDeg(to: graph.coordinate(graph.tail(edges[index])))
  }

  // Major roads diverge at small angles that become visible only farther on.
  private func reachM(_ edge: EdgeID) -> Double {
    let road = graph.attributes(edge)
    if road.isLink || road.isHighway || road.roadClass == .motorway { return 30 }
    return road.roadClass <= .secondary ? 20 : 15
  }
}

extension RoadAttributes {
  var isLink: Bool { flags.contains(.link) }
  var isRoundabout: Bool { flags.contains(.roundabout) || flags.contains(.circular) }

  var isNameless: Bool { name.isEmpty && number.isEmpty }

  /// A road with exits: a motorway, or a trunk road built like one.
  var isHighway: Bool {
    !isLink
      && (roadClass == .motorway
        || (roadClass <= .trunk
          && (flags.contains(.controlledAccess)
            || (flags.contains(.oneWay) && flags.contains(.divided)))))
  }

  /// Whether it is a street, for any access: no ramp, no path, and no driveway or parking aisle.
  var isStreet: Bool {
    (roadClass <= .service || roadClass == .pedestrian) && !isLink && !isLot
      && !flags.contains(.ferry)
  }

  /// An aisle of a car park or a driveway.
  var isLot: Bool { flags.contains(.parkingAisle) || flags.contains(.driveway) }

  /// Whether it is too minor to be mistaken for the continuation.
  var isByWay: Bool {
    roadClass >= .service || flags.contains(.driveway) || flags.contains(.parkingAisle)
  }
}
