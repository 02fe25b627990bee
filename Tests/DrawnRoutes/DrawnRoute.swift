import Foundations
public import Geodesy
import RoadGraph
public import Route

/// A route drawn by hand: 100 m a segment, nodes numbered in the order given.
///
/// `drawn("abcd")` runs over three segments of 100 m to the east at 10 m/s; letters may come twice.
public func drawn(
  _ letters: String, stops: [Int] = [], id: String = "r-1", maneuvers: [Int] = [],
  handle: String? = "h-1", offRoad: Coordinate? = nil, secondsPerSegment: Double = 10
) -> Route {
  let nodes = Array(letters.unicodeScalars).map { Int64($0.value) }
  let count = nodes.count - 1
  let shape = nodes.indices.map { place(Double($0) * 100) }
  let segments = (0..<count).map { (index: Int) -> RouteSegment in
    let (from, to) = (nodes[index], nodes[index + 1])
    let way = min(from, to) * 1000 + max(from, to)
    return RouteSegment(
      reference: SegmentReference(way: way, from: from, to: to), startM: Double(index) * 100,
      lengthM: 100, entryOffsetM: 0)
  }
  let seconds = Durations(
    freeFlowS: secondsPerSegment, trafficS: secondsPerSegment, latestS: secondsPerSegment)
  let spans = (0..<count).map {
    RouteSpan(
      startM: Double($0) * 100, lengthM: 100, firstShapeIndex: $0, segments: $0..<($0 + 1),
      durations: seconds, road: RoadFacts(name: "S\($0)", speedLimitMps: 13.9),
      baseSpeedMps: 10, trafficSpeedMps: 10, trafficKind: .freeFlow, jamFactor: 0)
  }
  let ends = [0] + stops + [count]
  let waypoints = ends.enumerated().map { index, at in
    RouteWaypoint(
      original: Waypoint(place: place(Double(at) * 100)), matched: place(Double(at) * 100),
      offsetM: Double(at) * 100, section: max(0, index - 1), roadName: "", side: .ahead,
      userIndex: index)
  }
  let sections = (0..<(ends.count - 1)).map {
    RouteSection(
      firstWaypoint: $0, lastWaypoint: $0 + 1, startM: Double(ends[$0]) * 100,
      lengthM: Double(ends[$0 + 1] - ends[$0]) * 100, durations: seconds,
      firstShapeIndex: ends[$0], lastShapeIndex: ends[$0 + 1], spans: ends[$0]..<ends[$0 + 1],
      maneuvers: 0..<0)
  }
  return Route(
    id: id, handle: handle, request: RouteRequest(waypoints: waypoints.map(\.original)),
    waypoints: waypoints, shape: shape, shapeOffsetsM: shape.indices.map { Double($0) * 100 },
    segments: segments, sections: sections, spans: spans,
    maneuvers: ([0] + maneuvers + [count]).map { turn(at: $0, last: count) },
    durations: Durations(
      freeFlowS: Double(count) * secondsPerSegment, trafficS: Double(count) * secondsPerSegment,
      latestS: Double(count) * secondsPerSegment),
    boundingBox: BoundingBox(southDeg: 0, westDeg: 0, northDeg: 0, eastDeg: 1),
    computedAt: Instant(seconds: 0), violations: [], trafficAgeS: nil, offRoadDestination: offRoad)
}

private func turn(at index: Int, last: Int) -> Maneuver {
  Maneuver(
    action: index == 0 ? .depart : index == last ? .arrive : .turn(.left),
    place: place(Double(index) * 100), offsetM: Double(index) * 100, section: 0,
    segment: min(index, last - 1), shapeIndex: index, turnAngleDeg: nil, roundaboutAngleDeg: nil,
    bearingBeforeDeg: 90, bearingAfterDeg: 90, from: RoadFacts(), onto: RoadFacts(),
    signpost: nil,
    lanes: index > 0 && index < last
      ? [Lane(directions: ["left"], recommendation: .recommended)] : [],
    lengthM: 100, durationS: 10, side: nil, text: "")
}

/// A place on the equator, `eastM` metres east of the start and `northM` north of it.
public func place(_ eastM: Double, north northM: Double = 0) -> Coordinate {
  Coordinate(
    latitudeDeg: northM / Earth.metersPerDegree, longitudeDeg: eastM / Earth.metersPerDegree)
}
