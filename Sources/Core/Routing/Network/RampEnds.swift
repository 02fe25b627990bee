import RoadGraph

/// Where ramps lead from a motorway, trunk or primary road to lesser streets, and from those to it.
///
/// A turn from the end of an exit onto the start of an entry leaves such a road only to join it
/// again. Linear in the roads of these classes.
struct RampEnds {
  /// Roads that ramps of their own class lead to and from.
  private static let classes: [ClosedRange<RoadClass>] = [
    .motorway ... .trunk, .primary ... .primary,
  ]

  private let graph: RoadGraph
  private let traits: [EdgeTraits]
  /// Exits that end at a street, and entries that begin at one.
  private var marked: [EdgeID] = []

  init(_ graph: RoadGraph, _ traits: [EdgeTraits]) {
    self.graph = graph
    self.traits = traits
    for classes in Self.classes { find(classes) }
  }

  private mutating func find(_ classes: ClosedRange<RoadClass>) {
    var exits: [EdgeID] = []
    var entries: [EdgeID] = []
    for index in 0..<graph.edgeCount {
      let edge = EdgeID(index)
      guard isRoad(edge, classes, isLink: false) else { continue }
      let (tail, head) = (graph.tail(edge), graph.head(edge))
      let leaving = graph.edges(leaving: head).filter { isRoad($0, classes, isLink: true) }
      if !leaving.isEmpty, !isStreet(head, below: classes) { exits += leaving }
      let entering = graph.edges(entering: tail).filter { isRoad($0, classes, isLink: true) }
      if !entering.isEmpty, !isStreet(tail, below: classes) { entries += entering }
    }
    var seen: Set<EdgeID> = []
    while let edge = exits.popLast() {
      guard seen.insert(edge).inserted else { continue }
      let head = graph.head(edge)
      if isStreet(head, below: classes) {
        marked.append(edge)
      } else {
        exits += graph.edges(leaving: head).filter { isRoad($0, classes, isLink: true) }
      }
    }
    seen = []
    while let edge = entries.popLast() {
      guard seen.insert(edge).inserted else { continue }
      let tail = graph.tail(edge)
      if isStreet(tail, below: classes) {
        marked.append(edge)
      } else {
        entries += graph.edges(entering: tail).filter { isRoad($0, classes, isLink: true) }
      }
    }
  }

  private func isRoad(_ edge: EdgeID, _ classes: ClosedRange<RoadClass>, isLink: Bool) -> Bool {
    let road = graph.attributes(edge)
    return classes.contains(road.roadClass) && road.flags.contains(.link) == isLink
      && traits[edge.index].isUsable
  }

  /// Whether a usable road of a lower class meets others at a node.
  private func isStreet(_ node: NodeID, below classes: ClosedRange<RoadClass>) -> Bool {
    func isLower(_ edge: EdgeID) -> Bool {
      let road = graph.attributes(edge)
      return road.roadClass > classes.upperBound && !road.flags.contains(.link)
        && traits[edge.index].isUsable
    }
    return graph.edges(leaving: node).contains(where: isLower)
      || graph.edges(entering: node).contains(where: isLower)
  }

  /// Marks the ramps that were found.
  func mark(_ traits: inout [EdgeTraits]) {
    for edge in marked { traits[edge.index].insert(.ramp) }
  }
}
