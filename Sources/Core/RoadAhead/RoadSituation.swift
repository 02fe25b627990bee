public import RoadGraph
public import Route

/// What a driver finds around him on a road, beside its name and kind.
public struct RoadSituation: Codable, Hashable, Sendable {
  /// Only by ramps.
  public var hasControlledAccess = false
  /// The directions are apart.
  public var isDivided = false
  public var isPrivate = false
  /// Leads nowhere else.
  public var isNoThrough = false
  /// Lanes in the direction of travel; nil unknown.
  public var laneCount: Int?
  /// What the map tells of each lane, from left to right; empty where it tells nothing.
  public var lanes: [Lane] = []

  public init() {}

  /// The situation on an edge for one who travels by `mode`.
  public init(_ graph: RoadGraph, _ edge: EdgeID, mode: TravelMode) {
    let road = graph.attributes(edge)
    hasControlledAccess = road.flags.contains(.controlledAccess) || road.roadClass == .motorway
    isDivided = road.flags.contains(.divided)
    isPrivate = road.access(mode) == .private
    isNoThrough = road.flags.contains(.noThrough)
    laneCount = road.laneCount > 0 ? Int(road.laneCount) : nil
    let arrows = LaneArrows.words(graph.text(road.turnLanes))
    let count = arrows.isEmpty && !road.laneDetails.isEmpty ? Int(road.laneCount) : arrows.count
    let access = LaneAccess.words(road, graph, count: count)
    lanes = (0..<count).map {
      Lane(
        directions: $0 < arrows.count ? arrows[$0] : [], recommendation: .notRecommended,
        access: access[$0])
    }
  }
}
