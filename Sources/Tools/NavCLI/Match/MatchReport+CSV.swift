import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph

extension MatchReport {
  static let fixColumns: StaticString =
    """
    index,time,lat,lon,matched_lat,matched_lon,way,from,to,offset_m,distance_m,bearing_deg,\
    probability,state,reason,confidence,file,trip

    """
  static let wayColumns: StaticString =
    """
    index,way,name,from_time,to_time,length_m,confidence,file,trip

    """

  /// A row for each fix.
  func writeFixRows(to out: inout OutputText, _ flush: Flush) throws(MatchCommandFault) {
    let end = endOfRow
    for (index, match) in trace.matches.enumerated() {
      out.integer(index)
      out.byte(0x2c)
      if let time = match.fix.time { out.seconds(time.nanoseconds) }
      out.byte(0x2c)
      if match.fix.place.isValid {
        out.fixed(match.fix.place.latitudeDeg, 7)
        out.byte(0x2c)
        out.fixed(match.fix.place.longitudeDeg, 7)
      } else {
        out.byte(0x2c)
      }
      out.byte(0x2c)
      if let place = match.place {
        out.fixed(place.coordinate.latitudeDeg, 7)
        out.byte(0x2c)
        out.fixed(place.coordinate.longitudeDeg, 7)
        out.byte(0x2c)
        out.integer(place.segment.way)
        out.byte(0x2c)
        out.integer(place.segment.from)
        out.byte(0x2c)
        out.integer(place.segment.to)
        out.byte(0x2c)
        out.fixed(place.offsetM, 2)
        out.byte(0x2c)
        out.fixed(place.distanceM, 2)
        out.byte(0x2c)
        out.fixed(place.bearingDeg, 1)
        out.byte(0x2c)
        out.fixed(place.probability, 4)
        out.text(",matched," as StaticString)
      } else {
        out.text(",,,,,,,,,no_match," as StaticString)
        if let reason = match.reason { out.text(reason.rawValue) }
      }
      out.text(end)
      if out.count > Self.flushedBytes { try flush(&out) }
    }
  }

  /// A row for each matched way.
  func writeWayRows(to out: inout OutputText) {
    let end = endOfRow
    for (index, way) in trace.ways.enumerated() {
      out.integer(index)
      out.byte(0x2c)
      out.integer(way.way)
      out.byte(0x2c)
      out.text(Self.cell(network.graph.name(way.state.edge) ?? ""))
      out.byte(0x2c)
      if let time = way.from { out.seconds(time.nanoseconds) }
      out.byte(0x2c)
      if let time = way.to { out.seconds(time.nanoseconds) }
      out.byte(0x2c)
      out.hundredths(MatchedTrace.centimetres(fromM: way.fromM, toM: way.toM))
      out.text(end)
    }
  }

  /// The cells at the end of all rows of a trace.
  private var endOfRow: [UInt8] {
    var end = OutputText(capacity: 256)
    end.byte(0x2c)
    end.fixed(trace.confidence, 4)
    end.byte(0x2c)
    end.text(Self.cell(job.file))
    end.byte(0x2c)
    end.text(Self.cell(job.trip))
    end.byte(0x0a)
    return end.bytes
  }

  /// A cell in the format of RFC 4180.
  private static func cell(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { $0 == 0x2c || $0 == 0x22 || $0 == 0x0a || $0 == 0x0d }
    guard needsQuotes else { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
