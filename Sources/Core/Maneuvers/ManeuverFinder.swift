import Geodesy
public import RoadGraph
public import Route

/// Finds the maneuvers along a section of a route.
///
/// Families of rules examine each junction in turn, and the first one that applies decides. Linear
/// in the path.
public struct ManeuverFinder {
  let graph: RoadGraph
  private let rules: [any ManeuverRule] = [
    FerryRule(), RoundaboutRule(), RoundaboutStartRule(), UTurnRule(), ExitRule(), RampRule(),
    MergeRule(), ForkRule(),
    TurnRule(), StepsAndEntrancesRule(), RoadNumberTurnOffRule(), NameChangeRule(),
  ]
  /// A maneuver closer than this affects the lane advice of the previous one.
  private static let closeM = 400.0
  /// Bends within this distance after a maneuver, in metres, are part of it.
  private static let apartM = 30.0
  /// A shorter stretch on which a bicycle is pushed is not announced itself, metres.
  private static let pushedM = 15.0

  public init(graph: RoadGraph) { self.graph = graph }

  /// The maneuvers of a section, including departure and arrival.
  ///
  /// `segment` and `lastSegment` are indices into the section's edges. Offsets, shape indices,
  /// lengths and durations are zero; the caller fills them in when it builds the route.
  public func maneuvers(along section: SectionPath) -> [Maneuver] {
    let path = PathContext(graph: graph, section: section)
    guard let last = path.edges.indices.last else { return [] }
    let findings = ManeuverJoining.joined(findings(path), path)
    var all: [Maneuver] = []
    all.reserveCapacity(findings.count + 2)
    all.append(departure(section, path))
    for (number, finding) in findings.enumerated() {
      let next = number + 1 < findings.count ? findings[number + 1] : nil
      all.append(maneuver(finding, next: next, path))
    }
    all.append(arrival(section, path, last))
    for index in all.indices {
      all[index].text = ManeuverText.english(all[index], section: section)
    }
    return all
  }

  private func findings(_ path: PathContext) -> [Finding] {
    var found: [Finding] = []
    var index = 1
    while index < path.edges.count {
      if path.isMereBend(at: index) || path.isPlainlyTheSameRoad(at: index) {
        index += 1
        continue
      }
      let junction = Junction(path, index)
      if let finding = reported(junction) ?? chain(from: junction, after: found.last) {
        found.append(finding)
        index = max(index, skipped(finding)) + 1
      } else {
        index += 1
      }
    }
    return found
  }

  private func reported(_ junction: Junction) -> Finding? {
    rules.first { $0.applies(junction) }?.maneuver(junction)
  }

  // Several bends make one turn, unless they belong to a turn that was just announced.
  private func chain(from first: Junction, after last: Finding?) -> Finding? {
    if let last, first.path.isWithin(Self.apartM, from: last.segment, to: first.index) {
      return nil
    }
    return TurnChain.finding(from: first) { reported($0) == nil }
  }

  // A maneuver that spans several edges covers the junctions between them.
  private func skipped(_ finding: Finding) -> Int { finding.lastSegment }

  private func maneuver(_ finding: Finding, next: Finding?, _ path: PathContext) -> Maneuver {
    let end = next?.segment ?? path.edges.count
    let onto = named(from: finding.lastSegment, to: end, finding, path)
    var lanes = LaneAdvice.lanes(finding, path)
    if let next, path.lengthM(from: finding.segment, to: next.segment) < Self.closeM {
      lanes = LaneAdvice.refined(lanes, next: next.action)
    }
    return Maneuver(
      action: FootActions.action(finding, path.mode),
      place: graph.coordinate(graph.tail(path.edges[finding.segment])),
      offsetM: 0, section: 0, segment: finding.segment, shapeIndex: 0,
      turnAngleDeg: finding.turnAngleDeg, roundaboutAngleDeg: finding.roundaboutAngleDeg,
      bearingBeforeDeg: finding.bearingBeforeDeg, bearingAfterDeg: finding.bearingAfterDeg,
      from: path.facts(finding.segment - 1), onto: facts(of: onto, finding, path),
      signpost: SignpostReader.signpost(finding, path), lanes: lanes, lengthM: 0, durationS: 0,
      side: nil, text: "", lastSegment: onto, passedExits: finding.passedExits,
      isPlain: finding.isPlain)
  }

  // The first road with a name or number after the maneuver, since short connecting pieces have
  // none.
  private func named(from start: Int, to end: Int, _ finding: Finding, _ path: PathContext) -> Int {
    let isRamp =
      switch finding.action {
      case .exit, .ramp, .merge, .fork: true
      default: false
      }
    if isItself(start, path) { return start }
    // A link at a crossing is longer than other connecting pieces.
    let reachM = isRamp ? 1500.0 : path.road(start).isLink ? 300 : 60
    for index in start..<max(start, end) {
      let road = path.road(index)
      if !road.isNameless, !isLeft(road, finding, path) { return index }
      if path.lengthM(from: start, to: index + 1) > reachM { break }
    }
    return start
  }

  // Steps, and a stretch to push a bicycle along, are announced themselves, however short they are.
  private func isItself(_ index: Int, _ path: PathContext) -> Bool {
    guard !path.mode.isMotorised else { return false }
    let road = path.road(index)
    return road.roadClass == .steps
      || path.mode == .bicycle && road.access(.bicycle) == .dismount
        && path.road(index - 1).access(.bicycle) != .dismount
        && graph.lengthM(path.edges[index]) >= Self.pushedM
  }

  // A ramp may carry the number of the road that it leaves.
  private func isLeft(_ road: RoadAttributes, _ finding: Finding, _ path: PathContext) -> Bool {
    switch finding.action {
    case .exit: return path.sharesName(path.road(finding.segment - 1), road)
    case .fork:
      guard road.isLink, let before = path.lastThroughRoad(before: finding.segment),
        path.road(finding.segment - 1).isLink, path.sharesName(path.road(before), road)
      else { return false }
      return
        !(path.firstThroughRoad(from: finding.segment).map {
          path.sharesName(path.road($0), road)
        } ?? true)
    default: return false
    }
  }

  private func facts(of index: Int, _ finding: Finding, _ path: PathContext) -> RoadFacts {
    let facts = path.facts(index)
    return isLeft(path.road(index), finding, path) ? facts.withoutNumbers() : facts
  }

  private func departure(_ section: SectionPath, _ path: PathContext) -> Maneuver {
    let start = RoadPosition(edge: path.edges[0], offsetM: section.path.startOffsetM)
    let bearing = graph.bearingDeg(start)
    let facts = path.facts(0)
    return Maneuver(
      action: .depart, place: graph.coordinate(start), offsetM: 0, section: 0, segment: 0,
      shapeIndex: 0, turnAngleDeg: nil, roundaboutAngleDeg: nil, bearingBeforeDeg: bearing,
      bearingAfterDeg: bearing, from: facts, onto: facts, signpost: nil, lanes: [], lengthM: 0,
      durationS: 0, side: nil, text: "")
  }

  private func arrival(_ section: SectionPath, _ path: PathContext, _ last: Int) -> Maneuver {
    let end = RoadPosition(edge: path.edges[last], offsetM: section.path.endOffsetM)
    let bearing = graph.bearingDeg(end)
    let facts = path.facts(last)
    return Maneuver(
      action: .arrive, place: graph.coordinate(end), offsetM: 0, section: 0, segment: last,
      shapeIndex: 0, turnAngleDeg: nil, roundaboutAngleDeg: nil, bearingBeforeDeg: bearing,
      bearingAfterDeg: bearing, from: facts, onto: facts, signpost: nil, lanes: [], lengthM: 0,
      durationS: 0, side: section.arrivalOffRoad == nil ? section.arrivalSide : nil, text: "")
  }
}
