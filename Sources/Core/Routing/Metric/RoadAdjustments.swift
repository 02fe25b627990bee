import Contraction
public import RoadGraph
public import Route

/// The changes on single edges due to the preferences of a request, and due to roads closed at its
/// departure.
struct RoadAdjustments: Sendable {
  struct Change: Hashable, Sendable {
    /// Whether the edge is avoided as part of an area, or as a segment.
    var inArea = false
    var asSegment = false
    var isAvoided: Bool { inArea || asSegment }
    /// Whether it is closed at the departure, and used only if no other road leads on.
    var isClosed = false
    /// Whether the request uses it only if no other road leads on.
    var isLastResort = false
    /// Whether its cost is that of a closed road.
    var costsAsClosed: Bool { isClosed || isLastResort }
    var speedFactor = 1.0
  }

  private(set) var changes: [EdgeID: Change] = [:]

  /// Logarithmic in the map, linear in the roads of the areas.
  init(
    _ wishes: [RoutePreference], closed: [EdgeID] = [], network: RoadNetwork, index: SegmentIndex
  ) {
    let graph = network.graph
    for edge in closed where network.isUsable(edge) {
      changes[edge, default: Change()].isClosed = true
    }
    for wish in wishes {
      if case .segment(let reference) = wish.place {
        if let edge = index.edge(reference), network.isUsable(edge) {
          change(edge, wish, isSegment: true)
        }
        continue
      }
      guard let area = RoadArea(wish.place) else { continue }
      graph.forEachPiece(in: area.bounds) { piece in
        let edge = graph.columns.pieceEdge[piece]
        let both = [edge, graph.twin(edge)].compactMap { $0 }.filter { network.isUsable($0) }
        guard !both.isEmpty, area.meets(edge, of: graph) else { return }
        for edge in both { change(edge, wish, isSegment: false) }
      }
    }
  }

  private mutating func change(_ edge: EdgeID, _ wish: RoutePreference, isSegment: Bool) {
    if wish.isClosed { changes[edge, default: Change()].isLastResort = true }
    if let factor = wish.speedFactor {
      changes[edge, default: Change()].speedFactor *= factor
    } else if isSegment {
      changes[edge, default: Change()].asSegment = true
    } else {
      changes[edge, default: Change()].inArea = true
    }
  }
}

extension RoutingEngine {
  /// The engine for a request with preferences about single roads; this engine if there are none.
  ///
  /// Edges in `closed` are priced as closed roads. The hierarchy guides the searches as long as
  /// nothing becomes cheaper; otherwise they are plain.
  public func adjusted(
    for request: RouteRequest, closed: [EdgeID] = [], index: SegmentIndex
  ) -> RoutingEngine {
    guard !request.wishes.isEmpty || !closed.isEmpty else { return self }
    let adjustments = RoadAdjustments(
      request.wishes, closed: closed, network: metric.network, index: index)
    guard !adjustments.changes.isEmpty else { return self }
    let (changed, isDearer) = metric.adjusted(by: adjustments)
    guard isDearer, let guide else { return RoutingEngine(metric: changed) }
    return RoutingEngine(metric: changed, method: .guided(guide))
  }
}
