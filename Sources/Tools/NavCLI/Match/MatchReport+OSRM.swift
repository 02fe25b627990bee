import Documents
import Foundations
import Geodesy
import MapMatching
import OSRM
import Positioning
import RoadGraph

extension MatchReport {
  /// The answer in the format of OSRM's match service: a matching for each stretch without a gap.
  ///
  /// The duration of a leg is that of the trace. Each matching has the confidence of the trace.
  /// Alternatives are counted as OSRM does, by the paths that its points leave open. If a trace is
  /// matched fix by fix there are none, because each point was final before the next.
  func writeOSRM(to out: inout OutputText, _ flush: Flush) throws(MatchCommandFault) {
    var query = OSRMRequest(
      mode: network.mode, service: .match(timesS: [], splits: true, tidies: false), places: [])
    query.format.overview = .full
    query.givesHints = false
    let stretches = self.stretches
    let json = query.response(
      matchings: stretches.map(matching), tracepoints: tracepoints(stretches.map(\.count)),
      on: network.graph
    ) { json in
      json.field("data_version", origin.mapDigest)
      json.field("program", origin.program)
      json.field("map", origin.map)
      json.field("map_digest", origin.mapDigest)
      json.key("parameters")
      json.raw(origin.parameters)
      json.field("file", job.file)
      json.field("trip", job.trip)
    }
    out.text(json)
    out.byte(0x0a)
    if out.count > Self.flushedBytes { try flush(&out) }
  }

  /// The matches on roads, split where the path has a gap.
  private var stretches: [[Match]] {
    var stretches: [[Match]] = []
    for match in trace.matches {
      guard let place = match.place else { continue }
      let last = stretches.last?.last?.place
      let goesOn = last != nil && last?.state == (place.path.first ?? place.state)
      if !goesOn || match.isTeleport { stretches.append([]) }
      stretches[stretches.count - 1].append(match)
    }
    return stretches
  }

  private func matching(_ matches: [Match]) -> OSRMMatching {
    let whole = MatchedTrace(matches: matches, network: network)
    let legs = zip(matches, matches.dropFirst()).map { before, after in
      let seconds =
        before.fix.time.flatMap { start in after.fix.time.map { $0.seconds(since: start) } } ?? 0
      let path = MatchedTrace(matches: [before, after], network: network)
      return OSRMMatching.Leg(lengthM: path.lengthM, durationS: seconds)
    }
    return OSRMMatching(
      shape: whole.shape, legs: legs, lengthM: whole.lengthM, confidence: confidence)
  }

  /// The confidence as all formats write it, to four decimals.
  private var confidence: Double { (trace.confidence * 10_000).rounded() / 10_000 }

  /// The points of the trace in the matchings, of which `counts` are the numbers of points.
  private func tracepoints(_ counts: [Int]) -> [OSRMTracepoint?] {
    var (matching, leg) = (0, 0)
    return trace.matches.map { match in
      guard let place = match.place else { return nil }
      if leg == counts[matching] { (matching, leg) = (matching + 1, 0) }
      defer { leg += 1 }
      return OSRMTracepoint(
        waypoint: OSRMWaypoint(
          position: place.position, coordinate: place.coordinate, distanceM: place.distanceM),
        matching: matching, leg: leg, alternatives: match.alternativeCount)
    }
  }
}
