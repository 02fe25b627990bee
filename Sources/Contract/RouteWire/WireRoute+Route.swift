import Foundations
import Geodesy
public import Messages
import RoadGraph
public import Route

extension Route {
  /// The message for this route; only digits of the shape after the sixth are lost.
  public var wire: WireRoute {
    var roads: [WireRoad] = []
    var indexOfRoad: [RoadFacts: Int64] = [:]
    let roadIndices = spans.map { span in
      if let known = indexOfRoad[span.road] { return known }
      let index = Int64(roads.count)
      roads.append(span.road.wire)
      indexOfRoad[span.road] = index
      return index
    }
    return WireRoute(
      id: id, handle: handle, request: request.wire, waypoints: waypoints.map(\.wire),
      lengthM: lengthM, durationFreeFlowS: durations.freeFlowS,
      durationTrafficS: durations.trafficS, durationLatestS: durations.latestS,
      restS: restS > 0 ? restS : nil, southDeg: boundingBox.southDeg, westDeg: boundingBox.westDeg,
      northDeg: boundingBox.northDeg, eastDeg: boundingBox.eastDeg,
      shape: EncodedPolyline.encode(shape), segments: wireSegments, sections: sections.map(\.wire),
      roads: roads, spans: wireSpans(roadIndices),
      spanUntilNs: spans.contains { $0.until != nil }
        ? spans.map { $0.until?.nanoseconds ?? 0 } : [], maneuvers: maneuvers.map(\.wire),
      violations: violations.map { violation in
        WireViolation(
          kind: WireViolation.Kind(rawValue: violation.kind.rawValue) ?? .area,
          spans: violation.spans.map { Int64($0) })
      },
      trafficAgeS: trafficAgeS, offRoadLatDeg: offRoadDestination?.latitudeDeg,
      offRoadLonDeg: offRoadDestination?.longitudeDeg, computedNs: computedAt.nanoseconds,
      assumedVehicle: assumedVehicle?.wire, addedStops: addedStops.map(\.wire))
  }

  private var wireSegments: WireRouteSegments {
    WireRouteSegments(
      way: segments.map(\.reference.way), from: segments.map(\.reference.from),
      to: segments.map(\.reference.to), startM: segments.map(\.startM),
      lengthM: segments.map(\.lengthM), entryOffsetM: segments.map(\.entryOffsetM),
      shapeIndex: segments.map { Int64($0.shapeIndex) }, durationS: segments.map(\.durationS))
  }

  private func wireSpans(_ roads: [Int64]) -> WireRouteSpans {
    WireRouteSpans(
      startM: spans.map(\.startM), lengthM: spans.map(\.lengthM),
      firstShapeIndex: spans.map { Int64($0.firstShapeIndex) },
      firstSegment: spans.map { Int64($0.segments.lowerBound) },
      segmentCount: spans.map { Int64($0.segments.count) },
      durationFreeFlowS: spans.map(\.durations.freeFlowS),
      durationTrafficS: spans.map(\.durations.trafficS),
      durationLatestS: spans.map(\.durations.latestS), road: roads,
      baseSpeedMps: spans.map(\.baseSpeedMps), trafficSpeedMps: spans.map(\.trafficSpeedMps),
      trafficKind: spans.map(\.trafficKind.wire), jamFactor: spans.map(\.jamFactor))
  }
}
