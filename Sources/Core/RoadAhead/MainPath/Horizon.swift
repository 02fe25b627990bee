public import RoadGraph

/// The road tree ahead (electronic horizon): the main path, and the side roads one level down.
public struct Horizon: Hashable, Sendable {
  public struct Piece: Hashable, Sendable {
    public var edge: EdgeID
    /// Index of the preceding piece; nil for the first.
    public var parent: Int?
    /// 0 for the main path, 1 for a side road.
    public var level: Int
    /// Metres from the vehicle to the start of the piece along the tree; negative behind the
    /// vehicle.
    public var startM: Double
    public var lengthM: Double
    /// Probability that the vehicle will drive it, 0 to 1; determined by the route if there is one.
    public var probability: Double
    /// Angle of the turn into it; right is positive.
    public var angleDeg: Double?
  }

  public var pieces: [Piece]
  /// Index of the piece that the vehicle is on.
  public var current: Int
  /// Distance of the vehicle from the start of that piece, in metres.
  public var offsetM: Double
}

extension MainPath {
  /// Everything that determines the edges of the tree: positions with equal windows have equal
  /// trees.
  struct Window: Codable, Hashable, Sendable {
    /// Numbers of the main path's edges.
    var main: [UInt32]
    /// Index in `main` of the edge that the vehicle is on.
    var current: Int
    /// The path is not known beyond the window, so its last edge has side roads too.
    var isWhole: Bool
    var mode: TravelMode
    var sideM: Double
  }

  func window(mode: TravelMode, aheadM: Double, sideM: Double, trailM: Double) -> Window {
    let first = edges.indices.first { startsM[$0 + 1] >= positionM - trailM } ?? current
    let last = edges.indices.last { startsM[$0] <= positionM + aheadM } ?? current
    return Window(
      main: edges[min(first, last)...last].map(\.rawValue), current: current - first,
      isWhole: reachM <= positionM + aheadM, mode: mode, sideM: sideM)
  }

  /// The tree around the vehicle: `aheadM` of the main path, `sideM` of side roads, `trailM`
  /// behind.
  ///
  /// Linear in the edges of the tree.
  func horizon(
    _ graph: RoadGraph, mode: TravelMode, aheadM: Double, sideM: Double, trailM: Double
  ) -> Horizon {
    var pieces: [Horizon.Piece] = []
    var main: [(index: Int, piece: Int)] = []
    var probability = 1.0
    for index in edges.indices where startsM[index + 1] >= positionM - trailM {
      guard startsM[index] <= positionM + aheadM else { break }
      var angle: Double?
      // The first piece has no angle, whatever is known of the path before it.
      if !pieces.isEmpty, graph.head(edges[index - 1]) == graph.tail(edges[index]) {
        let branches = LikelyRoad.branches(after: edges[index - 1], graph, mode: mode)
        let own = branches.first { $0.edge == edges[index] }
        angle = own?.angleDeg
        if index > current, routeStart == nil { probability *= own?.probability ?? 1 }
      }
      main.append((index, pieces.count))
      pieces.append(
        Horizon.Piece(
          edge: edges[index], parent: pieces.isEmpty ? nil : pieces.count - 1, level: 0,
          startM: startsM[index] - positionM, lengthM: graph.lengthM(edges[index]),
          probability: index <= current ? 1 : probability, angleDeg: angle))
    }
    for (index, piece) in main where index >= current && startsM[index + 1] <= positionM + aheadM {
      addSides(
        &pieces, after: piece, next: index + 1 < edges.count ? edges[index + 1] : nil, graph, mode,
        sideM)
    }
    let here = main.first { $0.index == current }?.piece ?? 0
    return Horizon(pieces: pieces, current: here, offsetM: positionM - startsM[current])
  }

  private func addSides(
    _ pieces: inout [Horizon.Piece], after piece: Int, next: EdgeID?, _ graph: RoadGraph,
    _ mode: TravelMode, _ sideM: Double
  ) {
    let from = pieces[piece]
    for branch in LikelyRoad.branches(after: from.edge, graph, mode: mode)
    where branch.edge != next {
      var (edge, angle, parent) = (branch.edge, branch.angleDeg, piece)
      var probability = from.probability * (routeStart == nil ? branch.probability : 0)
      var startM = from.startM + from.lengthM
      let endM = startM + sideM
      var seen: Set<EdgeID> = []
      while startM < endM, seen.insert(edge).inserted {
        pieces.append(
          Horizon.Piece(
            edge: edge, parent: parent, level: 1, startM: startM, lengthM: graph.lengthM(edge),
            probability: probability, angleDeg: angle))
        parent = pieces.count - 1
        startM += graph.lengthM(edge)
        guard let on = LikelyRoad.branches(after: edge, graph, mode: mode).first else { break }
        (edge, angle) = (on.edge, on.angleDeg)
        probability *= on.probability
      }
    }
  }
}
