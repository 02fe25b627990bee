import Contraction
import Foundations
import RoadGraph
import Route
import Testing
import Traffic

@testable import Routing

/// All paths, one after the other, each priced road by road for the moment at which it is reached.
///
/// Shares nothing with the engine but the costs of turns and of entering, without the wait for
/// ferries, and the speeds of a state of traffic: no labels, no dominance, no lower bound from a
/// hierarchy, and traffic and rules from views of each moment of a change.
private struct TimedOracle {
  let metric: RoadMetric
  let traffic: TrafficReports
  let index: SegmentIndex
  let departure: Instant
  let restrictions: [[EdgeID]]
  /// Moments at which the traffic or a rule changes, ascending, in milliseconds since the
  /// departure.
  let changesMS: [Double]
  /// The traffic from each of them on; the first from the departure on.
  let views: [TrafficView]
  /// The map as rules have it from each of them on.
  let graphs: [RoadGraph]

  private func period(_ timeMS: Double) -> Int {
    changesMS.lastIndex { $0 <= timeMS }.map { $0 + 1 } ?? 0
  }

  private func state(_ edge: EdgeID, _ timeMS: Double) -> TrafficState? {
    views[period(timeMS)].state(of: edge)
  }

  private func isForbidden(_ edge: EdgeID, _ timeMS: Double) -> Bool {
    graphs[period(timeMS)].attributes(edge).access(.car) == .no
  }

  /// Milliseconds that a whole edge takes at a moment, and what it costs more if it is entered
  /// while closed.
  private func wholeMS(_ edge: EdgeID, _ timeMS: Double) -> Double {
    let graph = metric.network.graph
    // On a road that closes one drives on.
    let here = isForbidden(edge, timeMS) ? graph : graphs[period(timeMS)]
    let free = here.attributes(edge).freeFlowMps(.car)
    var mps = free
    if let state = state(edge, timeMS), !state.isClosed {
      mps = state.speedMps(freeFlowMps: free, mode: .car)
    }
    return Double(EdgeCosting.ms(graph.lengthM(edge) / mps))
  }

  /// Milliseconds of waiting for a ferry to leave at a moment, between one edge and the next.
  private func boardingMS(_ edge: EdgeID, _ next: EdgeID, _ timeMS: UInt64) -> UInt64 {
    let graph = metric.network.graph
    guard graph.attributes(next).flags.contains(.ferry),
      !graph.attributes(edge).flags.contains(.ferry)
    else { return 0 }
    func waitMS(_ at: Double) -> Double {
      graphs[period(at)].attributes(next).boardingS * 1000
    }
    let arrival = Double(timeMS)
    var from = arrival
    if isForbidden(next, arrival) {
      guard let open = changesMS.first(where: { $0 > arrival && !isForbidden(next, $0) }),
        open - arrival <= 1_800_000
      else { return 0 }
      from = open
    }
    let end = changesMS.first { $0 > from && isForbidden(next, $0) } ?? .infinity
    let least = ([from] + changesMS.filter { $0 > from && $0 < end }).map { $0 + waitMS($0) }.min()
    let aboard = Double.minimum(least ?? from, Double.maximum(from, end - 1))
    return UInt64((aboard - arrival).rounded())
  }

  private func isClosed(_ edge: EdgeID, _ timeMS: Double) -> Bool {
    state(edge, timeMS)?.isClosed ?? false
  }

  /// Seconds and cost of a share of an edge; nil where it may not be driven.
  func driven(
    _ edge: EdgeID, _ share: Double, _ timeMS: UInt64, mayWait: Bool
  ) -> (costMS: UInt64, timeMS: UInt64)? {
    let start = Double(timeMS)
    func drive(from start: Double, isClosed: Bool) -> (costMS: UInt64, timeMS: Double) {
      var (at, rest) = (start, share)
      while true {
        let whole = wholeMS(edge, at)
        let next = changesMS.first { $0 > at } ?? .infinity
        if at + rest * whole <= next {
          at += rest * whole
          break
        }
        rest -= (next - at) / whole
        at = next
      }
      let wholeMS = share > 0 ? ((at - start) / share).rounded() : 0
      let closedMS = isClosed ? 100 * wholeMS + 7_200_000 : Double.maximum(1, wholeMS)
      return (UInt64((closedMS * share).rounded()), at - start)
    }
    let bad = isForbidden(edge, start)
    let now = drive(from: start, isClosed: isClosed(edge, start))
    guard mayWait, bad || isClosed(edge, start) else {
      return (now.costMS, UInt64(now.timeMS.rounded()))
    }
    let open = changesMS.first { $0 > start && !isForbidden(edge, $0) && !isClosed(edge, $0) }
    guard let open else { return bad ? nil : (now.costMS, UInt64(now.timeMS.rounded())) }
    let waitMS = UInt64((open - start).rounded(.up))
    let later = drive(from: open, isClosed: false)
    guard waitMS <= 1_800_000 else {
      return bad ? nil : (now.costMS, UInt64(now.timeMS.rounded()))
    }
    if bad || later.costMS + waitMS <= now.costMS {
      return (later.costMS + waitMS, waitMS + UInt64(later.timeMS.rounded()))
    }
    return (now.costMS, UInt64(now.timeMS.rounded()))
  }

  /// The least cost of any path; looks at no path that costs more than `limitMS`.
  func costMS(
    from source: (edge: EdgeID, offsetM: Double), to target: (edge: EdgeID, offsetM: Double),
    limitMS: UInt64
  ) -> UInt64? {
    let graph = metric.network.graph
    let plain = Oracle(metric: metric, restrictions: restrictions)
    var best: UInt64?
    func share(_ edge: EdgeID, _ offsetM: Double) -> Double { offsetM / graph.lengthM(edge) }
    if source.edge == target.edge, source.offsetM <= target.offsetM {
      let part = share(target.edge, target.offsetM) - share(source.edge, source.offsetM)
      best = driven(source.edge, part, 0, mayWait: false)?.costMS
    }
    func go(_ path: [EdgeID], _ costMS: UInt64, _ timeMS: UInt64) {
      for next in graph.edges(leaving: graph.head(path[path.count - 1]))
      where metric.network.isUsable(next) {
        guard let turn = plain.turnMS(path[path.count - 1], next) else { continue }
        let path = path + [next]
        guard !restrictions.contains(where: { path.suffix($0.count).elementsEqual($0) }) else {
          continue
        }
        let last = path[path.count - 2]
        let boardingMS = boardingMS(last, next, timeMS)
        let entered =
          costMS + turn - metric.boardingMS(from: last.index, onto: next.index) + boardingMS
        let at = timeMS + metric.angleMS(from: last.index, onto: next.index) + boardingMS
        guard entered <= min(limitMS, best ?? .max) else { continue }
        if next == target.edge,
          let end = driven(next, share(next, target.offsetM), at, mayWait: true)
        {
          best = min(best ?? .max, entered + end.costMS)
        }
        guard let whole = driven(next, 1, at, mayWait: true),
          entered + whole.costMS < min(limitMS, best ?? .max),
          path.count(where: { $0 == next }) < 3
        else { continue }
        go(path, entered + whole.costMS, at + whole.timeMS)
      }
    }
    guard let start = driven(source.edge, 1 - share(source.edge, source.offsetM), 0, mayWait: false)
    else { return best }
    go([source.edge], start.costMS, start.timeMS)
    return best
  }
}

/// Traffic and rules that begin and end while a trip is under way.
@Suite struct TimedOracleTests {
  private static let departure = Instant(seconds: 1_767_600_000)

  /// `isOpenEnded` adds forecasts, and leaves feed b without an end on half of the boards.
  private static func traffic(
    _ graph: RoadGraph, _ random: inout SplitMix64, isOpenEnded: Bool = false
  ) -> TrafficReports {
    var traffic = TrafficReports()
    traffic.ages.liveHorizonS = 90
    func later() -> Instant {
      departure.advanced(bySeconds: Double(Int.random(in: -20...160, using: &random)))
    }
    for feed in ["a", "b"] {
      var reports: [FlowReport] = []
      for edge in 0..<graph.edgeCount where Int.random(in: 0..<3, using: &random) > 0 {
        let jam = Double(Int.random(in: 0...40, using: &random)) / 4
        reports.append(
          FlowReport(
            segment: graph.reference(EdgeID(edge)),
            state: TrafficState(
              measuredJamFactor: jam, until: Bool.random(using: &random) ? later() : nil)))
      }
      traffic.set(
        FlowSnapshot(
          feed: feed, observed: departure.advanced(bySeconds: feed == "a" ? -60 : -30),
          until: feed == "b" && !(isOpenEnded && Bool.random(using: &random)) ? later() : nil,
          reports: reports))
    }
    if isOpenEnded {
      let reports = (0..<graph.edgeCount).filter { _ in Bool.random(using: &random) }.map { edge in
        FlowReport(
          segment: graph.reference(EdgeID(edge)),
          state: TrafficState(
            measuredJamFactor: Double(Int.random(in: 0...40, using: &random)) / 4,
            source: .predicted, until: Bool.random(using: &random) ? later() : nil))
      }
      traffic.set(
        FlowSnapshot(feed: "p", observed: departure.advanced(bySeconds: -45), reports: reports))
    }
    var incidents: [Incident] = []
    for number in 0..<(graph.edgeCount / 8) {
      let edge = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      var incident = Incident(
        id: "\(number)", kind: "construction", segments: [graph.reference(edge)], isClosed: true)
      if Bool.random(using: &random) { incident.from = later() }
      if Bool.random(using: &random) { incident.until = later() }
      incidents.append(incident)
    }
    traffic.set(IncidentList(feed: "c", observed: departure, incidents: incidents))
    return traffic
  }

  /// Moments at which something on a traffic changes.
  private static func changes(_ traffic: TrafficReports) -> [Instant] {
    var moments: Set<Instant> = []
    var now = departure
    while let next = traffic.nextChange(after: now) {
      moments.insert(next)
      now = next
    }
    return moments.sorted()
  }

  @Test(arguments: UInt64(1)...12)
  func
    `each road is priced for the moment at which it is reached, as all paths one by one say, TR-10`(
      seed: UInt64
    ) throws
  {
    let (graph, restrictions) = try EngineTests.grid(seed: seed, side: 4)
    try check(graph, restrictions, seed: seed)
  }

  /// The reports whose live values without an end are replaced by speeds that count as they do at a
  /// moment of the trip.
  private static func mixed(
    _ traffic: TrafficReports, share: Double, at moment: Instant, _ graph: RoadGraph
  ) -> TrafficReports {
    func holds(_ flow: FlowSnapshot, _ report: FlowReport) -> Bool {
      [flow.until, report.state.until].allSatisfy { $0.map { moment < $0 } ?? true }
    }
    func isOpenEnded(_ flow: FlowSnapshot, _ report: FlowReport) -> Bool {
      report.state.source == .live && flow.until == nil && report.state.until == nil
    }
    func mps(_ report: FlowReport, _ free: Double) -> Double {
      report.state.speedMps(freeFlowMps: free, mode: .car)
    }
    var under: [SegmentReference: (rank: Int, observed: Instant, report: FlowReport)] = [:]
    for flow in traffic.flows.values {
      for report in flow.reports where holds(flow, report) && !isOpenEnded(flow, report) {
        let rank = report.state.source.rank
        let known = under[report.segment]
        if let known, (known.rank, flow.observed) < (rank, known.observed) { continue }
        under[report.segment] = (rank, flow.observed, report)
      }
    }
    var free: [SegmentReference: Double] = [:]
    for edge in 0..<graph.edgeCount {
      free[graph.reference(EdgeID(edge))] = graph.attributes(EdgeID(edge)).freeFlowMps(.car)
    }
    var mixed = traffic
    let farAway = departure.advanced(bySeconds: 1e6)
    for var flow in traffic.flows.values {
      flow.reports = flow.reports.compactMap { report in
        guard isOpenEnded(flow, report), let free = free[report.segment] else { return report }
        guard share > 0 else { return nil }
        var counted = report
        counted.state.until = farAway
        guard share < 1, !report.state.isClosed else { return counted }
        var below = free
        if let other = under[report.segment]?.report, !other.state.isClosed {
          below = mps(other, free)
        }
        let jam = report.state.measuredJamFactor ?? 0
        let speed = share * (free * (1 - jam / 10)) + (1 - share) * below
        counted.state = TrafficState(measuredSpeedMps: speed, until: farAway)
        return counted
      }
      mixed.set(flow)
    }
    return mixed
  }

  @Test(arguments: UInt64(1)...24)
  func `live speeds without an end fade along the trip, as all paths say, TR-10`(
    seed: UInt64
  ) throws {
    let (graph, restrictions) = try EngineTests.grid(seed: seed, side: 4)
    try check(graph, restrictions, seed: seed, isOpenEnded: true)
  }

  @Test(arguments: UInt64(1)...12)
  func `rules that begin and end during the trip count where they are met, TR-10, RT-21`(
    seed: UInt64
  ) throws {
    let rules = Self.hours.flatMap { ["access 7f 0 @ \($0)", "limit 7f 10 @ \($0)"] }
    let (graph, restrictions) = try EngineTests.grid(seed: seed, side: 4, rules: rules)
    #expect(!RuleBook(graph).isEmpty)
    try check(graph, restrictions, seed: seed)
  }

  /// Minutes of every hour, whatever the time zone.
  private static let hours: [String] = [(0, 1), (1, 2), (1, 5), (2, 4), (-3, 2)].map { from, to in
    func clock(_ hour: Int, _ minute: Int) -> String {
      let all = (hour * 60 + minute + 1440) % 1440
      return "\(all / 600)\(all / 60 % 10):\(all % 60 / 10)\(all % 10)"
    }
    return (0..<24).map { "\(clock($0, from))-\(clock($0, to))" }.joined(separator: ",")
  }

  @Test(arguments: UInt64(1)...16)
  func `ferries are waited for by the timetable of the moment, as all paths say, TR-10, RT-21`(
    seed: UInt64
  ) throws {
    let rules = Self.hours.flatMap { ["closed 7f 0 @ \($0)", "boarding 7f 90 @ \($0)"] }
    let (graph, restrictions) = try EngineTests.grid(
      seed: seed, side: 4, rules: rules, hasFerries: true)
    #expect(!RuleBook(graph).isEmpty)
    try check(graph, restrictions, seed: seed)
  }

  /// Lower bounds for trips of any length, and for short ones.
  private static func guides(
    _ plain: RoadMetric, _ timeline: RoadTimeline, isOpenEnded: Bool
  ) throws -> [SearchBound] {
    let least = RoadMetric(least: plain, over: timeline, liveShare: isOpenEnded ? 0 : 1)
    var guides = [SearchBound(try HierarchyOracleTests.customized(least))]
    guard isOpenEnded else { return guides }
    let base = try HierarchyOracleTests.customized(plain)
    for (liveShare, seconds) in [(0.95, 35.0), (0.45, 60), (0, .infinity)] {
      var bound = SearchBound.make(
        least: RoadMetric(least: plain, over: timeline, liveShare: liveShare), base: base,
        before: nil, on: base.roads, turns: TurnTable(base.roads, metric: plain))
      if seconds < .infinity { bound.untilMS = UInt64(seconds * 1000) }
      guides.append(bound)
    }
    return guides
  }

  private func check(
    _ graph: RoadGraph, _ restrictions: [[EdgeID]], seed: UInt64, isOpenEnded: Bool = false
  ) throws {
    var random = SplitMix64(seed: seed &* 9001)
    let traffic = Self.traffic(graph, &random, isOpenEnded: isOpenEnded)
    let fading = isOpenEnded ? traffic.ages.alongTrip(from: Self.departure) : .none
    let index = SegmentIndex(graph)
    let book = RuleBook(graph)
    let until = Self.departure.advanced(bySeconds: 14_400)
    let rules = book.timeline(from: Self.departure, until: until)
    #expect(rules.isConstant == book.isEmpty)
    let timeline = RoadTimeline(
      from: Self.departure, until: until,
      traffic: traffic.timeline(from: Self.departure, until: until, index: index, graph: graph),
      rules: rules, edgeCount: graph.edgeCount)
    let network = RoadNetwork(graph: try book.graph(at: rules.best), mode: .car)
    let plain = RoadMetric(
      network: network, key: MetricKey(RouteRequest(waypoints: [])),
      traffic: traffic.view(at: Self.departure, index: index, graph: graph))
    let metric = RoadMetric(
      plain, clock: TripClock(departure: Self.departure, timeline: timeline, fading: fading))
    let guides = try Self.guides(plain, timeline, isOpenEnded: isOpenEnded)
    let minutes =
      book.isEmpty ? [] : (1...10).map { Self.departure.advanced(bySeconds: Double(60 * $0)) }
    // The full share ends after 30 s, and a step takes 6 s.
    let steps =
      isOpenEnded
      ? (0...10).map { Self.departure.advanced(bySeconds: 30 + 6 * Double($0)) } : []
    let changes = Set(Self.changes(traffic) + minutes + steps).sorted()
    let oracle = TimedOracle(
      metric: plain, traffic: traffic, index: index, departure: Self.departure,
      restrictions: restrictions,
      changesMS: changes.map { $0.seconds(since: Self.departure) * 1000 },
      views: ([Self.departure] + changes).map { moment in
        let holding =
          isOpenEnded
          ? Self.mixed(traffic, share: fading.weight(at: moment), at: moment, graph) : traffic
        return holding.view(at: moment, index: index, graph: graph)
      },
      graphs: try ([Self.departure] + changes).map { try book.graph(at: book.moment(at: $0)) })
    var space = SearchSpace()
    for _ in 0..<4 {
      let a = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      let b = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      let from = Double.random(in: 0...graph.lengthM(a), using: &random)
      let to = Double.random(in: 0...graph.lengthM(b), using: &random)
      let sources = [SearchSource(state: a.index, offsetM: from, costMS: 0)]
      let targets = network.restrictions.states(on: b.index).map {
        SearchTarget(state: $0, offsetM: to, costMS: 0)
      }
      let found = EdgeSearch(metric: metric).run(from: sources, to: targets, in: &space)
      for guide in guides {
        let guided = EdgeSearch(metric: metric, guide: guide)
          .run(from: sources, to: targets, in: &space)
        #expect(guided?.costMS == found?.costMS)
      }
      let expected = oracle.costMS(
        from: (a, from), to: (b, to), limitMS: (found?.costMS ?? 1 << 40) + 1)
      #expect(found?.costMS == expected)
      guard let found else { continue }
      // The path is priced alike where its times are worked out.
      let edges =
        (found.isDirect ? [] : [a]) + found.states.map { EdgeID(network.restrictions.edge(of: $0)) }
      let path = FoundPath(
        stops: [], legs: [RoadPath(edges: edges, startOffsetM: from, endOffsetM: to)], costMS: 0,
        breaksRestrictions: false)
      let priced = metric.timedCost(of: path)
      #expect(priced.costMS == found.costMS && priced.timeMS == found.timeMS)
      var clockMS: UInt64 = 0
      let times = metric.times(along: path.legs[0], clockMS: &clockMS)
      #expect(clockMS == found.timeMS)
      let sumS = times.reduce(0) { $0 + $1.turnS + $1.latestS }
      #expect(abs(sumS - Double(found.timeMS) / 1000) < 0.001 * Double(times.count + 1))
    }
  }
}
