import RoadGraph

/// Ramps that lead from a motorway or trunk road to streets, and those that lead from streets to
/// it.
///
/// A turn from the end of an exit onto the start of an entry leaves such a road only to join it
/// again. Linear in the ramps of the map.
struct MotorwayRamps {
  private var marked: [EdgeID] = []

  init(_ graph: RoadGraph, _ nodes: [NodeTraits], _ traits: [EdgeTraits]) {
    func road(_ edge: EdgeID) -> RoadAttributes { graph.attributes(edge) }
    func isRamp(_ edge: EdgeID) -> Bool {
      traits[edge.index].isUsable && road(edge).flags.contains(.link)
        && road(edge).roadClass <= .trunk
    }
    func isStreet(_ node: NodeID) -> Bool { nodes[node.index].contains(.street) }
    var exits: [EdgeID] = []
    var entries: [EdgeID] = []
    for index in 0..<graph.edgeCount {
      let edge = EdgeID(index)
      guard traits[index].isUsable, road(edge).roadClass <= .trunk,
        !road(edge).flags.contains(.link)
      else { continue }
      let (tail, head) = (graph.tail(edge), graph.head(edge))
      if !isStreet(head) { exits += graph.edges(leaving: head).filter(isRamp) }
      if !isStreet(tail) { entries += graph.edges(entering: tail).filter(isRamp) }
    }
    var seen: Set<EdgeID> = []
    while let edge = exits.popLast() {
      guard seen.insert(edge).inserted else { continue }
      let head = graph.head(edge)
      if isStreet(head) {
        marked.append(edge)
      } else {
        exits += graph.edges(leaving: head).filter(isRamp)
      }
    }
    seen = []
    while let edge = entries.popLast() {
      guard seen.insert(edge).inserted else { continue }
      let tail = graph.tail(edge)
      if isStreet(tail) {
        marked.append(edge)
      } else {
        entries += graph.edges(entering: tail).filter(isRamp)
      }
    }
  }

  /// Marks the ramps that were found.
  func mark(_ traits: inout [EdgeTraits]) {
    for edge in marked { traits[edge.index].insert(.ramp) }
  }
}
