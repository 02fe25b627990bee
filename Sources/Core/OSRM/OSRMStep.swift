import Geodesy
import RoadGraph
import Route

/// One step of a leg: a maneuver and the road up to the next one.
struct OSRMStep {
  var maneuver: Maneuver
  var type: String
  var modifier: String?
  var exit: Int?
  var rotaryName: String?
  /// The route's segments; empty for an arrival.
  var segments: Range<Int>
  /// Points of the route's shape, including the last one.
  var points: ClosedRange<Int>
  var durationS: Double
  var lengthM: Double
}

/// Splits a leg into OSRM's steps.
///
/// A roundabout is two of them: from the entry to the exit, and from the exit on.
struct OSRMSteps {
  let graph: RoadGraph
  let route: Route
  /// One for each segment of the route.
  let edges: [EdgeID]

  func steps(of section: RouteSection) -> [OSRMStep] {
    var steps: [OSRMStep] = []
    for index in section.maneuvers {
      let maneuver = route.maneuvers[index]
      let isLast = index + 1 == section.maneuvers.upperBound
      let next = isLast ? nil : route.maneuvers[index + 1]
      guard let next, maneuver.action != .arrive else {
        let end = section.lastShapeIndex
        steps.append(step(maneuver, segments: maneuver.segment..<maneuver.segment, end...end))
        continue
      }
      let upper = next.action == .arrive ? next.segment + 1 : next.segment
      let whole = maneuver.segment..<max(maneuver.segment, min(upper, edges.count))
      let end = max(maneuver.shapeIndex, next.shapeIndex)
      if let out = wayOut(maneuver, whole) {
        steps += ring(maneuver, whole, out: out, end: end)
      } else {
        steps.append(step(maneuver, segments: whole, maneuver.shapeIndex...end))
      }
    }
    return steps
  }

  private func step(
    _ maneuver: Maneuver, segments: Range<Int>, _ points: ClosedRange<Int>
  ) -> OSRMStep {
    OSRMStep(
      maneuver: maneuver, type: maneuver.osrmType, modifier: maneuver.osrmModifier, exit: nil,
      rotaryName: nil, segments: segments, points: points,
      durationS: route.segments[segments].reduce(0) { $0 + $1.durationS },
      lengthM: route.shapeOffsetsM[points.upperBound] - route.shapeOffsetsM[points.lowerBound])
  }

  /// The segment by which a roundabout is left; nil for other maneuvers, and if the route ends in
  /// it.
  private func wayOut(_ maneuver: Maneuver, _ segments: Range<Int>) -> Int? {
    guard case .roundabout(let exit) = maneuver.action, exit > 0 else { return nil }
    let out = segments.first {
      !graph.attributes(edges[$0]).flags.contains(.roundabout)
        && !graph.attributes(edges[$0]).flags.contains(.circular)
    }
    guard let out, out > segments.lowerBound else { return nil }
    return out
  }

  private func ring(
    _ maneuver: Maneuver, _ segments: Range<Int>, out: Int, end: Int
  ) -> [OSRMStep] {
    let middle = max(maneuver.shapeIndex, route.segments[out].shapeIndex)
    var first = step(
      maneuver, segments: segments.lowerBound..<out, maneuver.shapeIndex...middle)
    if case .roundabout(let exit) = maneuver.action { first.exit = exit }
    let name = graph.text(graph.attributes(edges[segments.lowerBound]).name)
    if !name.isEmpty {
      first.type = "rotary"
      first.rotaryName = name
    }
    first.maneuver.onto.name = name
    first.maneuver.onto.number = ""
    first.maneuver.signpost = nil
    first.maneuver.lanes = maneuver.lanes
    var second = step(maneuver, segments: out..<segments.upperBound, middle...max(middle, end))
    second.type = first.rotaryName == nil ? "exit roundabout" : "exit rotary"
    second.exit = first.exit
    second.maneuver.place = route.shape[middle]
    second.maneuver.lanes = []
    let before = graph.shape(edges[out - 1])
    second.maneuver.bearingBeforeDeg =
      before.count > 1
      ? before[before.count - 2].bearingDeg(to: before[before.count - 1]) : 0
    second.maneuver.bearingAfterDeg = Double(
      OSRMIntersection.bearing(along: graph.shape(edges[out])))
    second.maneuver.segment = out
    return [first, second]
  }
}
