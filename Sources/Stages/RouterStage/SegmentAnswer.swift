import Geodesy
import Messages
import RoadGraph
import Route
import RouteWire
import Stage

/// The attributes of a road segment, MM-14.
struct SegmentAnswer {
  let shared: RouterShared

  init(_ shared: RouterShared) { self.shared = shared }

  func outcome(_ wire: MapSegmentRequest) -> CallOutcome {
    let reference = SegmentReference(wire: wire.segment)
    guard let edge = shared.index.edge(reference) else {
      return .failed(
        CallError(
          code: "not_found",
          message:
            "The map contains no segment of way \(reference.way) from node \(reference.from) to \(reference.to).",
          field: "segment"))
    }
    let graph = shared.graph
    let road = graph.attributes(edge)
    let freeFlowMps = road.freeFlowMps(.car)
    let modes = TravelMode.allCases.filter { road.access($0).isUsable }
    let reply = MapSegmentReply(
      road: RoadFacts(graph, edge).wire, shape: EncodedPolyline.encode(graph.shape(edge)),
      lengthM: graph.lengthM(edge), freeFlowMps: freeFlowMps > 0 ? freeFlowMps : nil,
      lanes: road.laneCount > 0 ? Int64(road.laneCount) : nil,
      surface: Self.word(road.surface), access: modes.map(\.wire),
      oneWay: road.flags.contains(.oneWay), zLevel: Int64(max(-10, min(10, road.layer))))
    return .ok(.mapSegment(reply))
  }

  private static func word(_ surface: Surface) -> String? {
    switch surface {
    case .unknown: nil
    case .paved: "paved"
    case .cobbles: "cobblestone"
    case .compacted: "compacted"
    case .gravel: "gravel"
    case .dirt: "dirt"
    }
  }
}
