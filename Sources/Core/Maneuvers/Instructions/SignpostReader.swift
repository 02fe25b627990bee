import RoadGraph
import Route

/// Reads the sign at a maneuver.
enum SignpostReader {
  /// The sign for the road that a maneuver takes; nil if the map has none.
  ///
  /// Signs over the carriageway do not matter to walkers, nor to cyclists unless the sign is on a
  /// path.
  static func signpost(_ finding: Finding, _ path: PathContext) -> Signpost? {
    guard path.mode.isMotorised || isOfCyclists(path.road(finding.lastSegment), path.mode) else {
      return nil
    }
    let isExit: Bool
    switch finding.action {
    case .exit, .ramp, .fork, .turn, .merge, .continueOn, .roundabout:
      if case .exit = finding.action { isExit = true } else { isExit = false }
    case .depart, .arrive, .uTurn, .ferry: return nil
    }
    let start =
      if case .roundabout = finding.action { finding.lastSegment } else { finding.segment }
    let road = signed(from: start, path)
    var sign = Signpost(
      exitNumber: path.graph.text(path.road(start).exitNumber),
      destinations: road.map { RoadFacts.list(path.graph.text($0.destination)) } ?? [],
      roadNumbers: road.map { RoadFacts.list(path.graph.text($0.destinationNumber)) } ?? [])
    if isExit, let junction = path.graph.junction(path.graph.tail(path.edges[start])) {
      if sign.exitNumber.isEmpty { sign.exitNumber = junction.number }
      sign.exitName = junction.name
      if sign.destinations.isEmpty { sign.destinations = RoadFacts.list(junction.exitTo) }
    }
    let isEmpty =
      sign.exitNumber.isEmpty && sign.exitName.isEmpty && sign.destinations.isEmpty
      && sign.roadNumbers.isEmpty
    return isEmpty ? nil : sign
  }

  private static func isOfCyclists(_ road: RoadAttributes, _ mode: TravelMode) -> Bool {
    mode == .bicycle && (road.roadClass == .cycleway || road.roadClass == .path)
  }

  // Signs are often mapped some metres into the ramp, but never beyond its next choice.
  private static func signed(from start: Int, _ path: PathContext) -> RoadAttributes? {
    for index in start..<min(start + 4, path.edges.count) {
      let road = path.road(index)
      if !road.destination.isEmpty || !road.destinationNumber.isEmpty { return road }
      guard index + 1 < path.edges.count, road.isLink,
        Junction(path, index + 1).others.isEmpty
      else { return nil }
    }
    return nil
  }
}
