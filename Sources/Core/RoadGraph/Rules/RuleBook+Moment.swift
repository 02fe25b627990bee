public import Foundations
public import OpeningHours

extension RuleBook {
  /// The effect of the rules on the map at a moment: equal at two moments if the map is the same at
  /// both.
  public struct Moment: Hashable, Sendable {
    /// Edges whose road differs from the usual one, ascending, and its attributes then.
    var edges: [EdgeID] = []
    var roads: [RoadAttributes] = []
    /// Timed turn restrictions that apply.
    var restrictions: [Int] = []

    /// Whether the map is in its usual state.
    public var isUsual: Bool { edges.isEmpty && restrictions.isEmpty }
  }

  /// The rules that apply at a moment; linear in the edges that have rules and in the timed turn
  /// restrictions.
  ///
  /// A condition counts as not fulfilled if it depends on something unknown, such as the weather,
  /// or the time without a moment.
  public func moment(
    at instant: Instant?, _ circumstances: Circumstances = Circumstances()
  ) -> Moment {
    var moment = Moment()
    for edge in edges {
      let usual = graph.attributes(edge)
      let now = road(edge, usual, local(instant, at: edge, circumstances))
      guard now != usual else { continue }
      moment.edges.append(edge)
      moment.roads.append(now)
    }
    moment.restrictions = heldRestrictions(at: instant, circumstances)
    return moment
  }

  func road(
    _ edge: EdgeID, _ usual: RoadAttributes, _ here: Circumstances
  ) -> RoadAttributes {
    var road = usual
    for rule in rules(edge) where rule.condition.holds(here) == true {
      switch rule.effect {
      case .access(let access):
        for mode in TravelMode.allCases where rule.modes.contains(mode) {
          road.setAccess(access, for: mode)
        }
      case .limit(let kmh):
        guard let kmh else { continue }
        // Drivers stay a little below the sign, as on roads with a permanent limit.
        let speed = UInt8(Double.maximum(1, Double.minimum(254, kmh * 0.9)))
        if rule.modes.contains(.car) {
          road.carSpeedKmh = Self.speed(road.carSpeedKmh, limit: usual.speedLimitKmh, now: speed)
        }
        if rule.modes.contains(.truck) {
          let limit = usual.truckSpeedLimitKmh > 0 ? usual.truckSpeedLimitKmh : usual.speedLimitKmh
          road.truckSpeedKmh = Self.speed(road.truckSpeedKmh, limit: limit, now: speed)
        }
      case .carPool(true): road.flags.insert(.carPool)
      case .carPool(false): road.flags.remove(.carPool)
      case .boarding(let seconds): road.boardingS = seconds
      case .crossing(let factor):
        guard usual.crossingS > 0 else { continue }
        let seconds = (Double(usual.crossingS) * factor).rounded()
        road.crossingS = UInt16(Double.maximum(1, Double.minimum(65_535, seconds)))
      }
    }
    return road
  }

  /// A moment with the roads opened that a mode may use only at other times, and these roads.
  ///
  /// Roads that stay closed at any time are not included, such as those closed for a vehicle of
  /// this weight. Neither is the direction against which a road leads at the moment. Linear in the
  /// edges that have rules.
  public func opened(
    _ moment: Moment, for mode: TravelMode, _ circumstances: Circumstances = Circumstances()
  ) -> (moment: Moment, edges: [EdgeID]) {
    let changed = Dictionary(zip(moment.edges, moment.roads)) { first, _ in first }
    var result = Moment()
    result.restrictions = moment.restrictions
    var opened: [EdgeID] = []
    for edge in edges {
      let usual = graph.attributes(edge)
      var road = changed[edge] ?? usual
      let back = graph.twin(edge).map { changed[$0] ?? graph.attributes($0) }
      if road.access(mode) == .no, back.map({ $0.access(mode) == .no }) ?? true,
        let access = widestAccess(edge, mode, circumstances)
      {
        road.setAccess(access, for: mode)
        if road.freeFlowMps(mode) > 0 || road.crossingS > 0 { opened.append(edge) }
      }
      guard road != usual else { continue }
      result.edges.append(edge)
      result.roads.append(road)
    }
    return (result, opened)
  }

  /// The access of a mode to an edge at the best time; nil for none at all.
  private func widestAccess(
    _ edge: EdgeID, _ mode: TravelMode, _ circumstances: Circumstances
  ) -> Access? {
    let timeless = local(nil, at: edge, circumstances)
    var possible = [graph.attributes(edge).access(mode)]
    for rule in rules(edge) where rule.modes.contains(mode) {
      guard case .access(let access) = rule.effect else { continue }
      let others = Condition(terms: rule.condition.terms.filter { !$0.isHours })
      guard others.holds(timeless) == true else { continue }
      possible = others == rule.condition ? [access] : possible + [access]
    }
    return possible.first(where: \.allowsThrough) ?? possible.first(where: \.isUsable)
  }

  /// The speed under another limit: it may rise if the usual limit determined the usual speed.
  private static func speed(_ usual: UInt8, limit: UInt8, now: UInt8) -> UInt8 {
    let isHeldDown = limit > 0 && abs(Double(usual) - Double(limit) * 0.9) < 1.5
    return isHeldDown ? now : min(usual, now)
  }

  /// The map in its state at a moment, with the same nodes, edges and numbers.
  ///
  /// Linear in the edges; everything that does not differ is shared.
  ///
  /// - Throws: never `GraphFault` for a moment of this book.
  public func graph(at moment: Moment) throws(GraphFault) -> RoadGraph {
    var columns = graph.columns
    var roads = Array(columns.attributes.records)
    var index = Array(columns.attributeIndex.records)
    var known: [RoadAttributes: UInt32] = [:]
    for (edge, road) in zip(moment.edges, moment.roads) {
      if let old = known[road] {
        index[edge.index] = old
      } else {
        known[road] = UInt32(roads.count)
        index[edge.index] = UInt32(roads.count)
        roads.append(road)
      }
    }
    columns.attributes = Column(roads)
    columns.attributeIndex = Column(index)
    if !moment.restrictions.isEmpty { addRestrictions(moment.restrictions, to: &columns) }
    return try RoadGraph(columns: columns, hash: graph.hash, order: graph.order)
  }

  private func addRestrictions(_ held: [Int], to columns: inout RoadColumns) {
    var restrictions = columns.restrictionModes.records.indices.map {
      (edges: graph.restrictedSequence($0), modes: columns.restrictionModes[$0])
    }
    restrictions += held.map { (sequence($0), columns.timedRestrictionModes[$0]) }
    let order = restrictions.indices.sorted {
      restrictions[$0].edges == restrictions[$1].edges
        ? $0 < $1 : restrictions[$0].edges.lexicographicallyPrecedes(restrictions[$1].edges)
    }
    var first: [UInt32] = [0]
    var edges: [EdgeID] = []
    for restriction in order {
      edges += restrictions[restriction].edges
      first.append(UInt32(edges.count))
    }
    columns.firstRestriction = Column(first)
    columns.restrictionEdge = Column(edges)
    columns.restrictionModes = Column(order.map { restrictions[$0].modes })
  }
}
