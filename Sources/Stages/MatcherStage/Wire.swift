import EventTime
import Geodesy
import MapMatching
import Messages
import Positioning
import RoadGraph
import RouteWire
import Stage

enum Wire {
  static func decoded<M: StructMessage>(
    _ type: M.Type, _ payload: [UInt8]
  ) throws(Refusal) -> M {
    do throws(DecodeError) {
      return try M(decoding: payload)
    } catch {
      throw Refusal(reason: error.reason.rawValue, message: error.message, field: error.path)
    }
  }

  static func fix(_ raw: LocationRaw) -> Fix {
    Fix(
      place: Coordinate(latitudeDeg: raw.latDeg, longitudeDeg: raw.lonDeg),
      time: raw.timeNs.map { Instant(nanoseconds: $0) }, bearingDeg: raw.bearingDeg,
      speedMps: raw.speedMps, accuracyM: raw.accuracyM,
      bearingAccuracyDeg: raw.bearingAccuracyDeg, speedAccuracyMps: raw.speedAccuracyMps,
      altitudeM: raw.altitudeM, source: raw.provider, priority: Int(clamping: raw.priority ?? 0))
  }

  static func raw(_ fix: Fix) -> LocationRaw {
    LocationRaw(
      latDeg: fix.place.latitudeDeg, lonDeg: fix.place.longitudeDeg,
      timeNs: fix.time?.nanoseconds, bearingDeg: fix.bearingDeg, speedMps: fix.speedMps,
      accuracyM: fix.accuracyM, bearingAccuracyDeg: fix.bearingAccuracyDeg,
      speedAccuracyMps: fix.speedAccuracyMps, altitudeM: fix.altitudeM, provider: fix.source,
      priority: fix.priority == 0 ? nil : Int64(fix.priority))
  }

  /// A match as `location/matched` tells it; `speedMps` is what the matcher reckons with.
  static func matched(
    _ match: Match, network: MatchingNetwork, speedMps: Double?, consecutive: UInt64
  ) -> LocationMatched {
    let raw = raw(match.fix)
    guard let place = match.place else {
      return LocationMatched(
        state: .noMatch, reason: match.reason.flatMap { reason($0) }, path: [],
        offRoadProbability: match.offRoadProbability, teleport: match.isTeleport,
        speedMps: speedMps, consecutive: consecutive, candidates: UInt64(match.candidateCount),
        raw: raw)
    }
    return LocationMatched(
      state: .matched, latDeg: place.coordinate.latitudeDeg, lonDeg: place.coordinate.longitudeDeg,
      bearingDeg: place.bearingDeg, segment: place.segment.wire,
      offsetM: Double.maximum(0, place.offsetM),
      path: place.path.map { network.reference($0).wire }, probability: place.probability,
      distanceM: place.distanceM, offRoadProbability: match.offRoadProbability,
      wrongWay: place.isWrongWay, inTunnel: place.isInTunnel, teleport: match.isTeleport,
      zLevel: Int64(max(-10, min(10, place.zLevel))), uncertaintyM: place.uncertaintyM,
      speedMps: speedMps, consecutive: consecutive, candidates: UInt64(match.candidateCount),
      raw: raw)
  }

  private static func reason(_ reason: NoMatchReason) -> LocationMatched.Reason? {
    LocationMatched.Reason(rawValue: reason.rawValue)
  }

  /// The edges of a route that this map has, in their direction.
  static func edges(_ payload: [UInt8], index: SegmentIndex) throws(Refusal) -> Set<EdgeID> {
    guard let route = try decoded(RouteActive.self, payload).route else { return [] }
    let segments = route.segments
    guard segments.way.count == segments.from.count, segments.way.count == segments.to.count else {
      throw Refusal(
        reason: "out_of_range", message: "the columns of segments differ in their counts",
        field: "route.segments")
    }
    var edges: Set<EdgeID> = []
    for (way, ends) in zip(segments.way, zip(segments.from, segments.to)) {
      let reference = SegmentReference(way: way, from: ends.0, to: ends.1)
      if let edge = index.edge(reference) { edges.insert(edge) }
    }
    return edges
  }
}
