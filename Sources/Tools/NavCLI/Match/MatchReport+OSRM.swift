import EventTime
import Geodesy
import MapMatching
import Positioning
import RoadGraph

extension MatchReport {
  /// The answer in the format of OSRM's match service: a matching for each stretch without a gap.
  ///
  /// The duration of a leg is that of the trace. Each matching has the confidence of the trace.
  /// Alternatives are counted as OSRM does, by the paths that its points leave open. If a trace is
  /// matched fix by fix there are none, because each point was final before the next.
  func writeOSRM(to out: inout OutputText, _ flush: Flush) throws(MatchCommandFault) {
    let stretches = self.stretches
    out.text("{\"code\":" as StaticString)
    if stretches.isEmpty {
      out.text("\"NoMatch\",\"message\":\"Could not match the trace.\"" as StaticString)
    } else {
      out.text("\"Ok\"" as StaticString)
    }
    out.text(",\"data_version\":" as StaticString)
    out.json(origin.mapDigest)
    out.byte(0x2c)
    Self.write(origin, &out)
    out.text(",\"file\":" as StaticString)
    out.json(job.file)
    out.text(",\"trip\":" as StaticString)
    out.json(job.trip)
    out.text(",\"matchings\":[" as StaticString)
    for (index, stretch) in stretches.enumerated() {
      if index > 0 { out.byte(0x2c) }
      writeMatching(stretch, &out)
      if out.count > Self.flushedBytes { try flush(&out) }
    }
    out.text("],\"tracepoints\":[" as StaticString)
    var (stretch, waypoint) = (0, 0)
    for (index, match) in trace.matches.enumerated() {
      if index > 0 { out.byte(0x2c) }
      guard let place = match.place else {
        out.null()
        continue
      }
      if waypoint == stretches[stretch].count { (stretch, waypoint) = (stretch + 1, 0) }
      out.text("{\"location\":" as StaticString)
      Self.writeLonLat(place.coordinate, &out)
      out.text(",\"distance\":" as StaticString)
      out.fixed(place.distanceM, 2)
      out.text(",\"name\":" as StaticString)
      out.json(network.graph.name(place.position.edge) ?? "")
      out.text(",\"matchings_index\":" as StaticString)
      out.integer(stretch)
      out.text(",\"waypoint_index\":" as StaticString)
      out.integer(waypoint)
      out.text(",\"alternatives_count\":" as StaticString)
      out.integer(match.alternativeCount)
      out.byte(0x7d)
      waypoint += 1
      if out.count > Self.flushedBytes { try flush(&out) }
    }
    out.text("]}\n" as StaticString)
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

  private func writeMatching(_ matches: [Match], _ out: inout OutputText) {
    let whole = MatchedTrace(matches: matches, network: network)
    var durationS = 0.0
    out.text("{\"legs\":[" as StaticString)
    for (index, (before, after)) in zip(matches, matches.dropFirst()).enumerated() {
      if index > 0 { out.byte(0x2c) }
      let path = MatchedTrace(matches: [before, after], network: network)
      let seconds =
        before.fix.time.flatMap { start in after.fix.time.map { $0.seconds(since: start) } } ?? 0
      durationS += seconds
      out.text("{\"distance\":" as StaticString)
      out.fixed(path.lengthM, 2)
      out.text(",\"duration\":" as StaticString)
      out.fixed(seconds, 3)
      out.text(",\"weight\":" as StaticString)
      out.fixed(seconds, 3)
      out.text(",\"summary\":\"\",\"steps\":[]}" as StaticString)
    }
    out.text("],\"confidence\":" as StaticString)
    out.fixed(trace.confidence, 4)
    // A polyline of five decimals is OSRM's default.
    out.text(",\"geometry\":" as StaticString)
    out.json(EncodedPolyline.encode(whole.shape, decimals: 5))
    out.text(",\"distance\":" as StaticString)
    out.fixed(whole.lengthM, 2)
    out.text(",\"duration\":" as StaticString)
    out.fixed(durationS, 3)
    out.text(",\"weight\":" as StaticString)
    out.fixed(durationS, 3)
    out.text(",\"weight_name\":\"duration\"}" as StaticString)
  }
}
