import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph

extension MatchReport {
  /// Features in three layers, named by the property `layer`.
  ///
  /// There is a line for each stretch without a gap, a line for each matched way, and a point for
  /// each fix on a road.
  func writeGeoJSON(to out: inout OutputText, _ flush: Flush) throws(MatchCommandFault) {
    var isFirst = true
    func next(_ layer: StaticString, _ out: inout OutputText) {
      out.text(isFirst ? "" as StaticString : ",\n")
      isFirst = false
      out.text("{\"type\":\"Feature\",\"properties\":{\"layer\":\"" as StaticString)
      out.text(layer)
      out.text("\",\"file\":" as StaticString)
      out.json(job.file)
      out.text(",\"trip\":" as StaticString)
      out.json(job.trip)
      out.byte(0x2c)
    }
    let ends = trace.starts.dropFirst() + [trace.shape.count]
    for (stretch, (start, end)) in zip(trace.starts, ends).enumerated() {
      next("path", &out)
      writePath(stretch, start..<end, &out)
      if out.count > Self.flushedBytes { try flush(&out) }
    }
    for way in trace.ways {
      next("way", &out)
      writeMembers(way, &out)
      out.byte(0x7d)
      writeLine(way.points, &out)
      if out.count > Self.flushedBytes { try flush(&out) }
    }
    for (index, match) in trace.matches.enumerated() {
      guard let place = match.place else { continue }
      next("fix", &out)
      out.text("\"fix\":" as StaticString)
      writeMembers(index, match, &out)
      out.text("}},\"geometry\":{\"type\":\"Point\",\"coordinates\":" as StaticString)
      Self.writeLonLat(place.coordinate, &out)
      out.text("}}" as StaticString)
      if out.count > Self.flushedBytes { try flush(&out) }
    }
  }

  private func writePath(_ stretch: Int, _ points: Range<Int>, _ out: inout OutputText) {
    let ways = trace.ways.filter { points.contains($0.points.lowerBound) }
    out.text("\"stretch\":" as StaticString)
    out.integer(stretch)
    out.text(",\"from_time\":" as StaticString)
    if let time = ways.first?.from { out.seconds(time.nanoseconds) } else { out.null() }
    out.text(",\"to_time\":" as StaticString)
    if let time = ways.last?.to { out.seconds(time.nanoseconds) } else { out.null() }
    out.text(",\"length_m\":" as StaticString)
    out.hundredths(
      MatchedTrace.centimetres(fromM: ways.first?.fromM ?? 0, toM: ways.last?.toM ?? 0))
    out.text(",\"confidence\":" as StaticString)
    out.fixed(trace.confidence, 4)
    out.byte(0x7d)
    writeLine(points, &out)
  }

  /// Appends the geometry of a line and closes its feature; a line of one point has it twice.
  private func writeLine(_ points: Range<Int>, _ out: inout OutputText) {
    out.text(",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[" as StaticString)
    for index in points {
      if index > points.lowerBound { out.byte(0x2c) }
      Self.writeLonLat(trace.shape[index], &out)
    }
    if points.count == 1 {
      out.byte(0x2c)
      Self.writeLonLat(trace.shape[points.lowerBound], &out)
    }
    out.text("]}}" as StaticString)
  }
}
