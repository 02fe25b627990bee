public import RoadGraph
public import Route

/// Properties of a road that matter to a driver, in addition to its name and kind.
public struct RoadSituation: Codable, Hashable, Sendable {
  /// Accessible only by ramps.
  public var hasControlledAccess = false
  /// The two directions are separated.
  public var isDivided = false
  public var isPrivate = false
  /// Leads nowhere else.
  public var isNoThrough = false
  /// Lanes in the direction of travel; nil if unknown.
  public var laneCount: Int?
  /// The details of each lane on the map, from left to right; empty if it has none.
  public var lanes: [Lane] = []

  public init() {}

  /// The situation on an edge for a traveller by `mode`.
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
