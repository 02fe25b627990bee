import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph

extension MatchReport {
  /// The whole answer as one line of JSON.
  func writeJSON(to out: inout OutputText, _ flush: Flush) throws(MatchCommandFault) {
    out.byte(0x7b)
    Self.write(origin, &out)
    out.text(",\"file\":" as StaticString)
    out.json(job.file)
    out.text(",\"trip\":" as StaticString)
    out.json(job.trip)
    out.text(",\"trip_number\":" as StaticString)
    out.integer(job.number)
    out.text(",\"confidence\":" as StaticString)
    out.fixed(trace.confidence, 4)
    out.text(",\"length_m\":" as StaticString)
    out.fixed(trace.lengthM, 2)
    out.text(",\"fixes\":[" as StaticString)
    var explained = explanations[...]
    for (index, match) in trace.matches.enumerated() {
      if index > 0 { out.byte(0x2c) }
      writeMembers(index, match, &out)
      if index < live.count { Self.writeLive(live[index], &out) }
      if let explanation = explained.first, explanation.index == index {
        explained.removeFirst()
        out.text(",\"explanation\":" as StaticString)
        Self.write(explanation, &out)
      }
      out.byte(0x7d)
      if out.count > Self.flushedBytes { try flush(&out) }
    }
    out.text("],\"path\":[" as StaticString)
    for (index, place) in trace.shape.enumerated() {
      if index > 0 { out.byte(0x2c) }
      Self.writeLonLat(place, &out)
      if out.count > Self.flushedBytes { try flush(&out) }
    }
    out.text("],\"starts\":[" as StaticString)
    for (index, start) in trace.starts.enumerated() {
      if index > 0 { out.byte(0x2c) }
      out.integer(start)
    }
    // The ids alone, in addition to what `matched_ways` reports.
    out.text("],\"ways\":[" as StaticString)
    var last: Int64?
    for state in trace.path {
      let way = network.graph.columns.way(state.edge)
      guard way != last else { continue }
      if last != nil { out.byte(0x2c) }
      out.integer(way)
      last = way
    }
    out.text("],\"matched_ways\":[" as StaticString)
    for (index, way) in trace.ways.enumerated() {
      if index > 0 { out.byte(0x2c) }
      out.byte(0x7b)
      writeMembers(way, &out)
      out.byte(0x7d)
      if out.count > Self.flushedBytes { try flush(&out) }
    }
    out.text("]}\n" as StaticString)
  }

  static func writeLonLat(_ place: Coordinate, _ out: inout OutputText) {
    out.byte(0x5b)
    out.fixed(place.longitudeDeg, 7)
    out.byte(0x2c)
    out.fixed(place.latitudeDeg, 7)
    out.byte(0x5d)
  }

  static func write(_ reference: SegmentReference, _ out: inout OutputText) {
    out.text("{\"way\":" as StaticString)
    out.integer(reference.way)
    out.text(",\"from\":" as StaticString)
    out.integer(reference.from)
    out.text(",\"to\":" as StaticString)
    out.integer(reference.to)
    out.byte(0x7d)
  }

  /// Appends an object with the members of a fix, without closing it; unknown values are null.
  func writeMembers(_ index: Int, _ match: Match, _ out: inout OutputText) {
    out.text("{\"index\":" as StaticString)
    out.integer(index)
    out.text(",\"time\":" as StaticString)
    if let time = match.fix.time { out.seconds(time.nanoseconds) } else { out.null() }
    out.text(",\"lat\":" as StaticString)
    out.json(match.fix.place.latitudeDeg, 7)
    out.text(",\"lon\":" as StaticString)
    out.json(match.fix.place.longitudeDeg, 7)
    if let place = match.place {
      out.text(",\"matched_lat\":" as StaticString)
      out.fixed(place.coordinate.latitudeDeg, 7)
      out.text(",\"matched_lon\":" as StaticString)
      out.fixed(place.coordinate.longitudeDeg, 7)
      out.text(",\"bearing_deg\":" as StaticString)
      out.fixed(place.bearingDeg, 1)
      out.text(",\"way\":" as StaticString)
      out.integer(place.segment.way)
      out.text(",\"segment\":" as StaticString)
      Self.write(place.segment, &out)
      out.text(",\"offset_m\":" as StaticString)
      out.fixed(place.offsetM, 2)
      out.text(",\"distance_m\":" as StaticString)
      out.fixed(place.distanceM, 2)
      out.text(",\"probability\":" as StaticString)
      out.fixed(place.probability, 4)
    } else {
      out.text(
        ",\"matched_lat\":null,\"matched_lon\":null,\"bearing_deg\":null,\"way\":null,\"segment\":null"
          as StaticString)
      out.text(",\"offset_m\":null,\"distance_m\":null,\"probability\":null" as StaticString)
    }
    out.text(",\"off_road_probability\":" as StaticString)
    out.json(match.offRoadProbability, 4)
    if let place = match.place {
      out.text(",\"state\":\"matched\",\"reason\":null,\"wrong_way\":" as StaticString)
      out.json(place.isWrongWay)
      out.text(",\"in_tunnel\":" as StaticString)
      out.json(place.isInTunnel)
      out.text(",\"z_level\":" as StaticString)
      out.integer(place.zLevel)
    } else {
      out.text(",\"state\":\"no_match\",\"reason\":" as StaticString)
      if let reason = match.reason { out.json(reason.rawValue) } else { out.null() }
      out.text(",\"wrong_way\":false,\"in_tunnel\":false,\"z_level\":null" as StaticString)
    }
    out.text(",\"teleport\":" as StaticString)
    out.json(match.isTeleport)
    out.text(",\"candidates\":" as StaticString)
    out.integer(match.candidateCount)
  }

  private static func writeLive(_ live: Match, _ out: inout OutputText) {
    out.text(",\"live_lat\":" as StaticString)
    out.json(live.place?.coordinate.latitudeDeg, 7)
    out.text(",\"live_lon\":" as StaticString)
    out.json(live.place?.coordinate.longitudeDeg, 7)
    out.text(",\"live_way\":" as StaticString)
    if let way = live.place?.segment.way { out.integer(way) } else { out.null() }
    out.text(",\"live_probability\":" as StaticString)
    out.json(live.place?.probability, 4)
    out.text(",\"live_state\":" as StaticString)
    out.text(live.place == nil ? "\"no_match\"" as StaticString : "\"matched\"")
  }

  /// Appends the members of a matched way.
  func writeMembers(_ way: MatchedWay, _ out: inout OutputText) {
    out.text("\"way\":" as StaticString)
    out.integer(way.way)
    out.text(",\"name\":" as StaticString)
    out.json(network.graph.name(way.state.edge) ?? "")
    out.text(",\"from_time\":" as StaticString)
    if let time = way.from { out.seconds(time.nanoseconds) } else { out.null() }
    out.text(",\"to_time\":" as StaticString)
    if let time = way.to { out.seconds(time.nanoseconds) } else { out.null() }
    out.text(",\"length_m\":" as StaticString)
    out.hundredths(MatchedTrace.centimetres(fromM: way.fromM, toM: way.toM))
  }
}
