import Geodesy
public import RoadGraph

/// The roads that a simulated driver can stray onto.
public struct StreetNetwork: Sendable {
  public let graph: RoadGraph
  public let index: SegmentIndex
  public let mode: TravelMode

  public init(graph: RoadGraph, index: SegmentIndex, mode: TravelMode) {
    self.graph = graph
    self.index = index
    self.mode = mode
  }

  /// The legs of a wrong turn after `leg`, where the plan would continue with `next`.
  ///
  /// The result is nil if no other road leads on. The straightest other road is taken, and then the
  /// straightest one at each junction, never back and never twice, for `lengthM` metres. A road
  /// that ends within a quarter of that distance is not used.
  func wrongTurn(
    after leg: DriveLeg, insteadOf next: DriveLeg, lengthM: Double, driving: DrivingStyle
  ) -> [DriveLeg]? {
    guard let reference = leg.reference, let edge = index.edge(reference),
      let planned = next.reference.flatMap({ index.edge($0) }),
      graph.head(edge) == graph.tail(planned)
    else { return nil }
    for first in continuations(of: edge) where first != planned {
      let walk = walk(from: first, passed: edge, lengthM: lengthM)
      if walk.lengthM >= lengthM / 4 { return walk.edges.map { self.leg($0, driving: driving) } }
    }
    return nil
  }

  /// The legs of a wrong turn from a position on it onwards; nil if the map does not have the piece
  /// of road.
  func onward(
    from reference: SegmentReference, offsetM: Double, lengthM: Double, driving: DrivingStyle
  ) -> [DriveLeg]? {
    guard let edge = index.edge(reference) else { return nil }
    let walk = walk(from: edge, passed: edge, lengthM: offsetM + lengthM)
    var legs = walk.edges.map { leg($0, driving: driving) }
    let line = Polyline(legs[0].points)
    let startM = Double.minimum(offsetM, line.lengthM)
    legs[0].points = line.slice(fromM: startM, toM: line.lengthM)
    legs[0].entryOffsetM = startM
    if legs[0].points.count < 2 { legs.removeFirst() }
    return legs.isEmpty ? nil : legs
  }

  /// The straightest path from the start of `first`, at least `lengthM` long if there is one.
  private func walk(
    from first: EdgeID, passed: EdgeID, lengthM: Double
  ) -> (edges: [EdgeID], lengthM: Double) {
    var edges = [first]
    var visited: Set<EdgeID> = [passed, first]
    var walkedM = graph.lengthM(first)
    // Lengths are summed in more than one way, so half a missing metre does not justify another
    // road.
    while walkedM < lengthM - 0.5, let last = edges.last,
      let next = continuations(of: last).first(where: { !visited.contains($0) })
    {
      visited.insert(next)
      edges.append(next)
      walkedM += graph.lengthM(next)
    }
    return (edges, walkedM)
  }

  /// Usable edges after `edge`, the straightest first; without turning back and forbidden turns.
  private func continuations(of edge: EdgeID) -> [EdgeID] {
    let end = graph.bearingDeg(RoadPosition(edge: edge, offsetM: graph.lengthM(edge)))
    let forbidden = graph.restrictions(startingAt: edge).filter {
      graph.columns.restrictionModes[$0].contains(mode)
    }.map { graph.restrictedSequence($0) }.filter { $0.count == 2 }.map { $0[1] }
    let twin = graph.twin(edge)
    return graph.edges(leaving: graph.head(edge)).filter { next in
      next != twin && !forbidden.contains(next)
        && graph.attributes(next).access(mode).allowsThrough
        && graph.attributes(next).freeFlowMps(mode) > 0
    }.map { next in
      (
        next,
        Angle.differenceDeg(end, graph.bearingDeg(RoadPosition(edge: next, offsetM: 0)))
      )
    }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  private func leg(_ edge: EdgeID, driving: DrivingStyle) -> DriveLeg {
    let attributes = graph.attributes(edge)
    let freeMps = Double.maximum(1, attributes.freeFlowMps(mode) * driving.speedFactor)
    return DriveLeg(
      reference: graph.reference(edge), points: graph.shape(edge), entryOffsetM: 0,
      cruiseMps: freeMps, freeMps: freeMps, calmMps: freeMps,
      isTunnel: attributes.flags.contains(.tunnel), stopS: nil)
  }
}
