import Messages
import RoadGraph
import Route

extension Route {
  static func segments(_ wire: WireRouteSegments) throws(RouteWireFault) -> [RouteSegment] {
    try IndexChecks.finite(wire.startM, "segments.start_m")
    try IndexChecks.finite(wire.lengthM, "segments.length_m")
    try IndexChecks.finite(wire.entryOffsetM, "segments.entry_offset_m")
    try IndexChecks.finite(wire.durationS, "segments.duration_s")
    return wire.way.indices.map { index in
      RouteSegment(
        reference: SegmentReference(
          way: wire.way[index], from: wire.from[index], to: wire.to[index]),
        startM: wire.startM[index], lengthM: wire.lengthM[index],
        entryOffsetM: wire.entryOffsetM[index], shapeIndex: Int(clamping: wire.shapeIndex[index]),
        durationS: wire.durationS[index])
    }
  }

  static func spans(
    _ wire: WireRouteSpans, roads: [RoadFacts], segmentCount: Int
  ) throws(RouteWireFault) -> [RouteSpan] {
    for (name, values) in [
      ("start_m", wire.startM), ("length_m", wire.lengthM),
      ("duration_free_flow_s", wire.durationFreeFlowS),
      ("duration_traffic_s", wire.durationTrafficS), ("duration_latest_s", wire.durationLatestS),
      ("base_speed_mps", wire.baseSpeedMps), ("traffic_speed_mps", wire.trafficSpeedMps),
      ("jam_factor", wire.jamFactor),
    ] { try IndexChecks.finite(values, "spans.\(name)") }
    var spans: [RouteSpan] = []
    for index in wire.startM.indices {
      let road = try IndexChecks.index(wire.road[index], below: roads.count, "spans.road")
      let segments = try IndexChecks.range(
        first: wire.firstSegment[index], count: wire.segmentCount[index], within: segmentCount,
        "spans.first_segment")
      spans.append(
        RouteSpan(
          startM: wire.startM[index], lengthM: wire.lengthM[index],
          firstShapeIndex: Int(clamping: wire.firstShapeIndex[index]), segments: segments,
          durations: Durations(
            freeFlowS: wire.durationFreeFlowS[index], trafficS: wire.durationTrafficS[index],
            latestS: wire.durationLatestS[index]),
          road: roads[road], baseSpeedMps: wire.baseSpeedMps[index],
          trafficSpeedMps: wire.trafficSpeedMps[index],
          trafficKind: SpeedKind(wire: wire.trafficKind[index]), jamFactor: wire.jamFactor[index]))
    }
    return spans
  }
}

extension RouteSection {
  init(
    wire: WireRouteSection, spanCount: Int, maneuverCount: Int, pointCount: Int
  ) throws(RouteWireFault) {
    self.init(
      firstWaypoint: Int(clamping: wire.firstWaypoint),
      lastWaypoint: Int(clamping: wire.lastWaypoint), startM: wire.startM, lengthM: wire.lengthM,
      durations: Durations(
        freeFlowS: wire.durationFreeFlowS, trafficS: wire.durationTrafficS,
        latestS: wire.durationLatestS),
      firstShapeIndex: try IndexChecks.index(
        wire.firstShapeIndex, below: pointCount, "sections.first_shape_index"),
      lastShapeIndex: try IndexChecks.index(
        wire.lastShapeIndex, below: pointCount, "sections.last_shape_index"),
      spans: try IndexChecks.range(
        first: wire.firstSpan, count: wire.spanCount, within: spanCount, "sections.first_span"),
      maneuvers: try IndexChecks.range(
        first: wire.firstManeuver, count: wire.maneuverCount, within: maneuverCount,
        "sections.first_maneuver"))
  }

  var wire: WireRouteSection {
    WireRouteSection(
      firstWaypoint: Int64(firstWaypoint), lastWaypoint: Int64(lastWaypoint), startM: startM,
      lengthM: lengthM, durationFreeFlowS: durations.freeFlowS,
      durationTrafficS: durations.trafficS, durationLatestS: durations.latestS,
      firstShapeIndex: Int64(firstShapeIndex), lastShapeIndex: Int64(lastShapeIndex),
      firstSpan: Int64(spans.lowerBound), spanCount: Int64(spans.count),
      firstManeuver: Int64(maneuvers.lowerBound), maneuverCount: Int64(maneuvers.count))
  }
}
