public import Geodesy
public import Positioning
public import RoadGraph

/// Traces that lie completely outside the map: the extents of the map and of the traces, and the
/// distance between them.
public struct TraceOutsideMap: Hashable, Sendable {
  /// The box of the map; nil for a map without roads.
  public private(set) var map: BoundingBox?
  /// The box of the fixes.
  public private(set) var fixes: BoundingBox
  /// Metres from the map's box to the nearest fix; nil for a map without roads.
  public private(set) var distanceM: Double?
  /// Number of traces.
  public private(set) var traces = 1

  /// A fix within this distance in metres from the map's box may still lie on a road of the map.
  private static let marginM = 200.0

  /// Returns nil if some fix lies in the map's box or near it, or if there is no fix.
  public init?(_ trace: some Sequence<Fix>, on graph: RoadGraph) {
    let places = trace.lazy.map(\.place).filter(\.isValid)
    guard let box = BoundingBox(around: places) else { return nil }
    fixes = box
    map = graph.boundingBox
    guard let map else { return }
    let near = map.expanded(byM: Self.marginM)
    guard !places.contains(where: near.contains) else { return nil }
    distanceM = places.map { place in
      place.distanceM(
        to: Coordinate(
          latitudeDeg: min(max(place.latitudeDeg, map.southDeg), map.northDeg),
          longitudeDeg: min(max(place.longitudeDeg, map.westDeg), map.eastDeg)))
    }.min()
  }

  /// Adds other traces that lie outside the same map.
  public mutating func add(_ other: TraceOutsideMap) {
    traces += other.traces
    fixes = BoundingBox(
      southDeg: min(fixes.southDeg, other.fixes.southDeg),
      westDeg: min(fixes.westDeg, other.fixes.westDeg),
      northDeg: max(fixes.northDeg, other.fixes.northDeg),
      eastDeg: max(fixes.eastDeg, other.fixes.eastDeg))
    distanceM = [distanceM, other.distanceM].compactMap { $0 }.min()
  }

  /// Returns a sentence without a full stop; `count` is the number of all traces.
  public func sentence(ofTraces count: Int = 1) -> String {
    let subject =
      count == 1 ? "the trace lies" : "\(traces) of \(count) traces lie"
    guard let map, let distanceM else { return "\(subject) outside the map, which has no roads" }
    let distance =
      distanceM < 10_000
      ? "\((distanceM / 100).rounded() / 10) km" : "\(Int((distanceM / 1_000).rounded())) km"
    return
      "\(subject) outside the map, \(distance) away: the map has \(Self.text(map)); the fixes have \(Self.text(fixes))"
  }

  private static func text(_ box: BoundingBox) -> String {
    "latitude \(degrees(box.southDeg)) to \(degrees(box.northDeg)) and longitude "
      + "\(degrees(box.westDeg)) to \(degrees(box.eastDeg))"
  }

  private static func degrees(_ value: Double) -> String {
    "\((value * 10_000).rounded() / 10_000)"
  }
}
