public import RoadGraph

/// The states of a path through the network for all modes of travel.
///
/// There is one for each edge, and further ones for the edges driven so far of a restriction over
/// several edges. Built once for a map, linear in the edges; contains nothing about a single mode
/// or traffic.
public final class RoadStates: Sendable {
  public let graph: RoadGraph
  let restrictions: TurnRestrictionAutomaton
  /// Shape `[edgeCount]`: the modes that may turn back at an edge's end.
  let turnBack: Column<TravelModes>
  let barriers: Barriers
  /// The signs that apply only to some modes or loads.
  let signs: VehicleSigns
  /// Shape `[attributes]`: access level of the roads for each mode, two bits each as in
  /// `EdgeTraits`.
  private let levels: [UInt16]

  public init(_ graph: RoadGraph) {
    self.graph = graph
    let restrictions = TurnRestrictionAutomaton(graph: graph)
    let barriers = Barriers(graph)
    self.barriers = barriers
    signs = VehicleSigns(graph)
    self.restrictions = restrictions
    let levels = graph.columns.attributes.records.map { road in
      TravelMode.allCases.reduce(UInt16(0)) {
        $0 | UInt16(EdgeTraits(attributes: road, mode: $1).level) << (2 * UInt16($1.rawValue))
      }
    }
    self.levels = levels
    let ends = DeadEnds(
      graph: graph, restrictions: restrictions, barriers: barriers, levels: levels)
    turnBack = Column((0..<graph.edgeCount).map { ends.modes(at: EdgeID($0)) })
  }

  /// The modes that may use an edge.
  func modes(on edge: Int) -> TravelModes {
    DeadEnds(graph: graph, restrictions: restrictions, barriers: barriers, levels: levels).modes(
      on: edge)
  }
}

/// Where vehicles may turn back: a road ends, or continues only as one that is not open to through
/// traffic.
private struct DeadEnds {
  let graph: RoadGraph
  let restrictions: TurnRestrictionAutomaton
  let barriers: Barriers
  let levels: [UInt16]

  func modes(on edge: Int) -> TravelModes {
    let packed = levels[Int(graph.columns.attributeIndex[edge])]
    var modes: UInt8 = 0
    for mode in UInt16(0)..<7 where packed >> (2 * mode) & 3 < 3 { modes |= 1 << UInt8(mode) }
    return TravelModes(rawValue: modes)
  }

  func modes(at edge: EdgeID) -> TravelModes {
    guard let back = graph.twin(edge) else { return [] }
    var open = modes(on: edge.index).intersection(modes(on: back.index))
    let head = graph.head(edge)
    if open.isEmpty || graph.columns.nodeFlags[head.index].contains(.turningCircle) { return open }
    let barrier = barriers.isEmpty ? 0 : barriers.levels(at: head)
    let here = levels[Int(graph.columns.attributeIndex[edge.index])]
    for next in graph.edges(leaving: head) where next != back {
      let there = levels[Int(graph.columns.attributeIndex[next.index])]
      let forbidden = restrictions.step(edge.index, next.index).forbidden
      for mode in UInt16(0)..<7 {
        let bit = TravelModes(rawValue: 1 << UInt8(mode))
        let old = here >> (2 * mode) & 3
        let new = max(there >> (2 * mode) & 3, barrier >> (2 * mode) & 3)
        if new < 3, new <= old, forbidden.isDisjoint(with: bit) { open.subtract(bit) }
      }
      if open.isEmpty { break }
    }
    return open
  }
}
