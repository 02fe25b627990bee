import Geodesy
import RoadGraph
import Route

extension RouteCommand {
  /// The preferences for areas and segments from the options.
  func wishes() throws(RouteCommandFault) -> [RoutePreference] {
    var all: [RoutePreference] = []
    for text in avoidBox {
      guard let degrees = NegativeArguments.numbers(text), degrees.count == 4 else {
        throw RouteCommandFault("--avoid-box \(text) is not SOUTH,WEST,NORTH,EAST in degrees")
      }
      all.append(
        RoutePreference(
          .box(
            BoundingBox(
              southDeg: degrees[0], westDeg: degrees[1], northDeg: degrees[2],
              eastDeg: degrees[3]))))
    }
    for text in avoidPolygon {
      guard let corners = try? EncodedPolyline.decode(text) else {
        throw RouteCommandFault("--avoid-polygon \(text) is not a polyline with six decimals")
      }
      all.append(RoutePreference(.polygon(corners)))
    }
    for text in avoidSegment {
      let ids = text.split(separator: ",").compactMap { part in
        Int64(part.drop { $0 == " " })
      }
      guard ids.count == 3 else {
        throw RouteCommandFault("--avoid-segment \(text) is not WAY,FROM,TO by OSM ids")
      }
      all.append(RoutePreference(.segment(SegmentReference(way: ids[0], from: ids[1], to: ids[2]))))
    }
    return all
  }
}
