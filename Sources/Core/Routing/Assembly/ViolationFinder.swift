import Foundations
import RoadGraph
import Route
import Traffic

/// Finds the preferences that a route violates, and on which spans.
struct ViolationFinder {
  let metric: RoadMetric
  let edges: [EdgeID]
  /// When each edge is entered; nil if the prices of one moment apply.
  let entered: [Instant?]
  let spans: [RouteSpan]
  /// First segment of each section.
  let sections: [Int]

  func violations() -> [Violation] {
    var all: [Violation] = []
    let graph = metric.network.graph
    for wish in Avoidance.allCases where metric.key.avoid.contains(wish) {
      guard let kind = Violation.Kind(rawValue: wish.rawValue) else { continue }
      let broken =
        TurnKey.avoidances.contains(wish)
        ? turns(wish)
        : edges.indices.filter { wish.applies(to: metric.road(edges[$0], at: entered[$0])) }
      add(kind, broken, &all)
    }
    if !metric.key.avoid.contains(.carPool) { add(.carPool, closedToLone(), &all) }
    add(
      .country,
      edges.indices.filter {
        graph.attributes(edges[$0]).country.map { metric.key.avoidCountries.contains($0) } ?? false
      }, &all)
    add(.vehicle, unsuitable(), &all)
    add(.area, avoided(asSegment: false), &all)
    add(.segment, avoided(asSegment: true), &all)
    add(.turnRestriction, violatedTurnRestrictions(), &all)
    add(.blockedRoad, closedSegments(), &all)
    add(.privateRoad, throughClosedLand(), &all)
    return all
  }

  private func closedToLone() -> [Int] {
    edges.indices.filter { metric.isClosedToLone(edges[$0], at: entered[$0]) }
  }

  /// Roads that a sign bars the vehicle from, and those that do not suit it.
  private func unsuitable() -> [Int] {
    let key = metric.key
    return edges.indices.filter {
      metric.network.graph.attributes(edges[$0]).difficulty(key.mode) > key.difficulty
        || key.vehicle != VehicleSize() && isBarred($0)
    }
  }

  // A sign at a node bars the segment onto which the vehicle passes it.
  private func isBarred(_ index: Int) -> Bool {
    let (key, network) = (metric.key, metric.network)
    func isBarred(by road: RoadAttributes) -> Bool {
      !network.states.signs.permit(key.vehicle, key.mode, on: road)
    }
    let edge = edges[index]
    if isBarred(by: network.graph.attributes(edge)) { return true }
    guard index > 0,
      let barrier = network.barrierAttribute(from: edges[index - 1].index, onto: edge.index)
    else { return false }
    return isBarred(by: network.graph.columns.attributes[barrier])
  }

  private func add(_ kind: Violation.Kind, _ segments: [Int], _ all: inout [Violation]) {
    guard !segments.isEmpty else { return }
    let broken = Set(segments)
    let hit = spans.indices.filter { index in
      spans[index].segments.contains { broken.contains($0) }
    }
    all.append(Violation(kind: kind, spans: hit))
  }

  private func avoided(asSegment isSegment: Bool) -> [Int] {
    guard let changes = metric.adjustments?.changes else { return [] }
    return edges.indices.filter {
      changes[edges[$0]].map { isSegment ? $0.asSegment : $0.inArea } ?? false
    }
  }

  // A turn belongs to the segment that it leads onto.
  private func turns(_ wish: Avoidance) -> [Int] {
    let network = metric.network
    return edges.indices.dropFirst().filter { index in
      let (before, after) = (edges[index - 1], edges[index])
      if wish == .uTurns { return network.graph.twin(before) == after }
      guard network.nodes[network.graph.tail(after).index].contains(.junction) else { return false }
      let units = Int8(
        bitPattern: network.headings.atTail[after.index] &- network.headings.atHead[before.index])
      let isLeftHand = network.traits[before.index].contains(.leftHand)
      let acrossDeg = Double(isLeftHand ? Int(units) : -Int(units)) * 360 / 256
      return acrossDeg >= metric.tuning.difficultTurnDeg && network.graph.twin(before) != after
    }
  }

  // A restriction is violated on the segment that the forbidden turn leads onto.
  private func violatedTurnRestrictions() -> [Int] {
    guard let first = edges.first else { return [] }
    let restrictions = metric.network.restrictions
    var broken: [Int] = []
    var state = first.index
    for index in edges.indices.dropFirst() {
      let isContinued = edges[index] == edges[index - 1] && sections.contains(index)
      if isContinued { continue }
      if sections.contains(index), metric.network.graph.twin(edges[index - 1]) == edges[index] {
        state = edges[index].index
        continue
      }
      let (next, forbidden) = restrictions.step(state, edges[index].index)
      let isForbidden = forbidden.contains(metric.network.mode) || isRestrictedOnEntry(index)
      if isForbidden { broken.append(index) }
      state = next
    }
    return broken
  }

  private func isRestrictedOnEntry(_ index: Int) -> Bool {
    guard let moment = entered[index], let rules = metric.clock?.timeline.rules else {
      return false
    }
    return rules.forbidden(from: edges[index - 1], onto: edges[index], at: moment)
      .contains(metric.network.mode)
  }

  // Roads closed by traffic when they are reached, or by a time-dependent rule at the departure.
  private func closedSegments() -> [Int] {
    edges.indices.filter { index in
      metric.isClosed(edges[index], at: entered[index])
        || metric.isForbidden(edges[index], at: entered[index])
        || metric.adjustments?.changes[edges[index]]?.isClosed ?? false
    }
  }

  // Restricted roads are for trips that begin or end there, so a run in the middle of a section is
  // a violation.
  private func throughClosedLand() -> [Int] {
    var through: [Int] = []
    for (number, first) in sections.enumerated() {
      let end = number + 1 < sections.count ? sections[number + 1] : edges.count
      let isOpen = { (index: Int) in !metric.isRestricted(edges[index], at: entered[index]) }
      guard let firstOpen = (first..<end).first(where: isOpen),
        let lastOpen = (first..<end).last(where: isOpen)
      else { continue }
      through += (firstOpen...lastOpen).filter { !isOpen($0) }
      // A barrier that is not open lies between roads that are.
      through += (firstOpen...lastOpen).dropFirst().filter {
        isOpen($0 - 1) && isOpen($0)
          && metric.network.barrierLevel(from: edges[$0 - 1].index, onto: edges[$0].index) > 0
      }
    }
    return through
  }
}
