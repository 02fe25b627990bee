import Geodesy
import RoadGraph
import Route

extension RouteDraft {
  /// The waypoints with their positions on the route.
  func waypoints(
    _ found: FoundPath, _ request: RouteRequest, _ plans: [SectionPlan],
    _ sections: [RouteSection], _ segments: [RouteSegment], _ offsetsM: [Double]
  ) -> [RouteWaypoint] {
    var all: [RouteWaypoint] = []
    let clock = arrivals()
    var restS = 0.0
    for (index, plan) in plans.enumerated() {
      let section = sections[index]
      if index == 0 {
        all.append(
          waypoint(
            found, request, plan.firstWaypoint, section: 0, edge: plan.path.edges.first,
            offsetM: 0, shapeIndex: 0, arrivalS: 0))
      }
      for passed in plan.passed {
        let segment = firstSegment[index] + passed.edge
        let alongM = passed.offsetM - segments[segment].entryOffsetM
        let offsetM = Double.minimum(
          segments[segment].startM + alongM, segments[segment].startM + segments[segment].lengthM)
        all.append(
          waypoint(
            found, request, passed.waypoint, section: index, edge: edges[segment],
            offsetM: offsetM, shapeIndex: point(before: offsetM, offsetsM),
            arrivalS: clock[segment]
              + Self.share(alongM, segments[segment].lengthM) * times[segment].durations.trafficS
              + restS))
      }
      all.append(
        waypoint(
          found, request, plan.lastWaypoint, section: index, edge: plan.path.edges.last,
          offsetM: offsetsM[section.lastShapeIndex], shapeIndex: section.lastShapeIndex,
          arrivalS: clock[index + 1 < firstSegment.count ? firstSegment[index + 1] : edges.count]
            + restS))
      restS += request.waypoints[plan.lastWaypoint].restS ?? 0
    }
    return all
  }

  /// Seconds from the departure to the start of each segment, and to the end.
  private func arrivals() -> [Double] {
    var clock = [0.0]
    clock.reserveCapacity(times.count + 1)
    var sum = 0.0
    for time in times {
      sum += time.turnS + time.latestS
      clock.append(sum)
    }
    return clock
  }

  private static func share(_ partM: Double, _ wholeM: Double) -> Double {
    wholeM > 0 ? Double.minimum(1, Double.maximum(0, partM / wholeM)) : 0
  }

  private func waypoint(
    _ found: FoundPath, _ request: RouteRequest, _ index: Int, section: Int, edge: EdgeID?,
    offsetM: Double, shapeIndex: Int, arrivalS: Double
  ) -> RouteWaypoint {
    let graph = metric.network.graph
    let stop = found.stops[index]
    let edge = edge ?? stop.position.edge
    let isOffRoad = stop.distanceM > metric.tuning.matchingRadiusM
    return RouteWaypoint(
      original: request.waypoints[index], matched: stop.coordinate, offsetM: offsetM,
      section: section, roadName: RoadFacts(graph, edge, language: request.language).name,
      // A place that no road reaches is on neither side of a road.
      side: isOffRoad ? .ahead : stop.side(of: request.waypoints[index].entry, on: edge, graph),
      userIndex: request.userIndex(of: index),
      distanceM: stop.distanceM, shapeIndex: shapeIndex,
      segment: graph.reference(stop.position.edge), segmentOffsetM: stop.position.offsetM,
      isOffRoad: isOffRoad, arrivalS: arrivalS)
  }

  private func point(before offsetM: Double, _ offsetsM: [Double]) -> Int {
    var low = 0
    var high = offsetsM.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if offsetsM[middle] <= offsetM { low = middle } else { high = middle }
    }
    return low
  }
}
