public import EventTime
public import OpeningHours

extension RuleBook {
  /// What rules make of the map at a moment: equal at two moments where the map is the same at both.
  public struct Moment: Hashable, Sendable {
    /// Edges whose road is another than always, ascending, and what it is then.
    var edges: [EdgeID] = []
    var roads: [RoadAttributes] = []
    /// Timed bans that hold.
    var bans: [Int] = []

    /// Whether the map is what it always is.
    public var isUsual: Bool { edges.isEmpty && bans.isEmpty }
  }

  /// What holds at a moment; linear in the edges that have rules and in the timed bans.
  ///
  /// What needs something that is not known, such as the weather, or without a moment the time, does not hold.
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
    moment.bans = heldBans(at: instant, circumstances)
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
        // Drivers keep a little below the sign, as on roads whose limit always holds.
        let speed = UInt8(Double.maximum(1, Double.minimum(254, kmh * 0.9)))
        if rule.modes.contains(.car) {
          road.carSpeedKmh = Self.speed(road.carSpeedKmh, limit: usual.speedLimitKmh, now: speed)
        }
        if rule.modes.contains(.truck) {
          let limit = usual.truckSpeedLimitKmh > 0 ? usual.truckSpeedLimitKmh : usual.speedLimitKmh
          road.truckSpeedKmh = Self.speed(road.truckSpeedKmh, limit: limit, now: speed)
        }
      case .boarding(let seconds): road.boardingS = seconds
      case .crossing(let factor):
        guard usual.crossingS > 0 else { continue }
        let seconds = (Double(usual.crossingS) * factor).rounded()
        road.crossingS = UInt16(Double.maximum(1, Double.minimum(65_535, seconds)))
      }
    }
    return road
  }

  /// A moment with the roads open that a mode may use at other times only, and these roads.
  ///
  /// Not among them are roads that stay closed whatever the time, such as those closed for a vehicle of this weight, and
  /// the direction of a road against which it leads at the moment. Linear in the edges that have rules.
  public func opened(
    _ moment: Moment, for mode: TravelMode, _ circumstances: Circumstances = Circumstances()
  ) -> (moment: Moment, edges: [EdgeID]) {
    let changed = Dictionary(zip(moment.edges, moment.roads)) { first, _ in first }
    var result = Moment()
    result.bans = moment.bans
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

  /// What a mode may do on an edge at the best of times; nil for nothing at all.
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

  /// The speed under another limit: it may rise where the usual limit was what held it down.
  private static func speed(_ usual: UInt8, limit: UInt8, now: UInt8) -> UInt8 {
    let isHeldDown = limit > 0 && abs(Double(usual) - Double(limit) * 0.9) < 1.5
    return isHeldDown ? now : min(usual, now)
  }

  /// The map as it is at a moment, with the same nodes, edges and numbers.
  ///
  /// Linear in the edges; what does not differ is shared.
  ///
  /// - Throws: `GraphFault` never for a moment of this book.
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
    if !moment.bans.isEmpty { addBans(moment.bans, to: &columns) }
    return try RoadGraph(columns: columns, hash: graph.hash, order: graph.order)
  }

  private func addBans(_ held: [Int], to columns: inout RoadColumns) {
    var bans = columns.banModes.records.indices.map {
      (edges: graph.bannedSequence($0), modes: columns.banModes[$0])
    }
    bans += held.map { (sequence($0), columns.timedBanModes[$0]) }
    let order = bans.indices.sorted {
      bans[$0].edges == bans[$1].edges
        ? $0 < $1 : bans[$0].edges.lexicographicallyPrecedes(bans[$1].edges)
    }
    var first: [UInt32] = [0]
    var edges: [EdgeID] = []
    for ban in order {
      edges += bans[ban].edges
      first.append(UInt32(edges.count))
    }
    columns.firstBan = Column(first)
    columns.banEdge = Column(edges)
    columns.banModes = Column(order.map { bans[$0].modes })
  }
}
