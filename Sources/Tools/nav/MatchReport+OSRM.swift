import EventTime
import Geodesy
import MapMatching
import Positioning
import RoadGraph

extension MatchReport {
  private struct Answer: Encodable {
    var code: String
    var message: String?
    var matchings: [Matching]
    var tracepoints: [Tracepoint?]
  }

  private struct Matching: Encodable {
    var confidence: Double
    /// A polyline of five decimals, OSRM's default.
    var geometry: String
    var distance: Double
    var duration: Double
    var weight: Double
    var weightName = "duration"
    var legs: [Leg]
    enum CodingKeys: CodingKey {
      case confidence, geometry, distance, duration, weight, weightName, legs
    }
  }

  private struct Leg: Encodable {
    var distance: Double
    var duration: Double
    var weight: Double
    var summary = ""
    var steps: [String] = []
  }

  private struct Tracepoint: Encodable {
    var location: [Double]
    var distance: Double
    var name: String
    var matchingsIndex: Int
    var waypointIndex: Int
    var alternativesCount: Int
  }

  /// The answer of OSRM's match service: a matching for each stretch without a gap.
  ///
  /// A leg lasts as long as the trace took. The confidence is how probable the places of a matching are, in the
  /// mean; alternatives are counted as OSRM does, by the ways that its points leave open. Fix by fix none are: each
  /// point was settled before the next.
  func osrm() throws(MatchCommandFault) -> String {
    var stretches: [[Match]] = []
    var points: [Tracepoint?] = []
    for match in trace.matches {
      guard let place = match.place else {
        points.append(nil)
        continue
      }
      let last = stretches.last?.last?.place
      let goesOn = last != nil && last?.state == (place.path.first ?? place.state)
      if !goesOn || match.isTeleport { stretches.append([]) }
      stretches[stretches.count - 1].append(match)
      points.append(
        Tracepoint(
          location: Self.lonLat(place.coordinate), distance: place.distanceM,
          name: network.graph.name(place.position.edge) ?? "",
          matchingsIndex: stretches.count - 1,
          waypointIndex: stretches[stretches.count - 1].count - 1,
          alternativesCount: match.alternativeCount))
    }
    return try Self.compact(
      Answer(
        code: stretches.isEmpty ? "NoMatch" : "Ok",
        message: stretches.isEmpty ? "Could not match the trace." : nil,
        matchings: stretches.map(matching), tracepoints: points))
  }

  private static func confidence(_ matches: [Match]) -> Double {
    let known = matches.compactMap { $0.place?.probability }
    return known.isEmpty ? 0 : Double.minimum(1, known.reduce(0, +) / Double(known.count))
  }

  private func matching(_ matches: [Match]) -> Matching {
    let legs = zip(matches, matches.dropFirst()).map { before, after in
      let way = MatchedTrace(matches: [before, after], confidence: 1, network: network)
      let seconds =
        before.fix.time.flatMap { start in after.fix.time.map { $0.seconds(since: start) } } ?? 0
      return Leg(distance: way.lengthM, duration: seconds, weight: seconds)
    }
    let whole = MatchedTrace(matches: matches, confidence: 1, network: network)
    let seconds = legs.reduce(0) { $0 + $1.duration }
    return Matching(
      confidence: Self.confidence(matches),
      geometry: EncodedPolyline.encode(whole.shape, decimals: 5),
      distance: whole.lengthM, duration: seconds, weight: seconds, legs: legs)
  }
}
