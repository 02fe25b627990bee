import Geodesy
import RoadGraph
import Route

extension Route {
  /// The legs of a drive along the route from `fromM` metres on; empty beyond its end.
  func legs(fromM: Double, driving: DrivingStyle) -> [DriveLeg] {
    let stops = stopsByOffset(driving)
    let cruises = cruises(driving)
    var legs: [DriveLeg] = []
    var point = 0
    for (index, segment) in segments.enumerated() {
      let end = segment.startM + segment.lengthM
      guard end > fromM else { continue }
      let cruise = cruises[index]
      var start = Double.maximum(segment.startM, fromM)
      let within = stops.filter { $0.offsetM > start + 0.5 && $0.offsetM <= end + 0.5 }
      for (stopM, stopS) in within.map({ (Double.minimum($0.offsetM, end), Optional($0.stopS)) })
        + [(end, nil)]
      where stopM > start {
        legs.append(
          DriveLeg(
            reference: segment.reference, points: slice(fromM: start, toM: stopM, from: &point),
            entryOffsetM: segment.entryOffsetM + start - segment.startM,
            cruiseMps: cruise.speedMps, freeMps: cruise.freeMps, calmMps: cruise.calmMps,
            isTunnel: cruise.isTunnel, stopS: stopS))
        start = stopM
      }
    }
    return legs
  }

  private func stopsByOffset(_ driving: DrivingStyle) -> [(offsetM: Double, stopS: Double)] {
    waypoints.dropFirst().dropLast().filter { $0.original.kind == .stopover }.map {
      ($0.offsetM, $0.original.restS ?? driving.stopoverS)
    }
  }

  /// The speeds at which a segment is driven.
  private struct Cruise {
    /// With the traffic of the route, on an empty road, and without the route's live traffic.
    var speedMps: Double
    var freeMps: Double
    var calmMps: Double
    var isTunnel = false
  }

  /// Shape `[segments]`.
  private func cruises(_ driving: DrivingStyle) -> [Cruise] {
    let usualMps = 13.9 * driving.speedFactor
    var cruises = Array(
      repeating: Cruise(speedMps: usualMps, freeMps: usualMps, calmMps: usualMps),
      count: segments.count)
    for span in spans {
      let free = span.baseSpeedMps * driving.speedFactor
      let isJammed = span.jamFactor > 0 && span.trafficSpeedMps < span.baseSpeedMps
      let speed = isJammed ? Double.minimum(free, span.trafficSpeedMps) : free
      let cruise = Cruise(
        speedMps: Double.maximum(1, speed), freeMps: Double.maximum(1, free),
        calmMps: Double.maximum(1, span.trafficKind.isReported ? free : speed),
        isTunnel: span.road.isTunnel)
      for segment in span.segments.clamped(to: segments.indices) { cruises[segment] = cruise }
    }
    return cruises
  }

  /// The shape from `fromM` to `toM`.
  ///
  /// `point` stores where the search continues, so that all slices together are linear.
  private func slice(fromM: Double, toM: Double, from point: inout Int) -> [Coordinate] {
    guard shape.count > 1 else { return shape }
    while point + 2 < shape.count, shapeOffsetsM[point + 1] <= fromM { point += 1 }
    var part = [coordinate(atM: fromM, piece: point)]
    while point + 1 < shape.count, shapeOffsetsM[point + 1] < toM {
      if shapeOffsetsM[point + 1] > fromM { part.append(shape[point + 1]) }
      if point + 2 >= shape.count { break }
      point += 1
    }
    part.append(coordinate(atM: toM, piece: point))
    return part
  }

  private func coordinate(atM offsetM: Double, piece: Int) -> Coordinate {
    let length = shapeOffsetsM[piece + 1] - shapeOffsetsM[piece]
    let fraction = length > 0 ? (offsetM - shapeOffsetsM[piece]) / length : 0
    return shape[piece].interpolated(
      to: shape[piece + 1], fraction: Double.minimum(1, Double.maximum(0, fraction)))
  }

  /// Metres along the route at which it covers a place on a piece of road; the first if there are
  /// two.
  func offsetM(of reference: SegmentReference, atM offsetM: Double) -> Double? {
    for segment in segments where segment.reference == reference {
      let into = offsetM - segment.entryOffsetM
      if into >= -1, into <= segment.lengthM + 1 {
        return segment.startM + Double.minimum(segment.lengthM, Double.maximum(0, into))
      }
    }
    return nil
  }
}

extension SpeedKind {
  /// Whether such a speed is reported by feeds, and not only known to the router.
  fileprivate var isReported: Bool { self == .live || self == .predicted }
}
