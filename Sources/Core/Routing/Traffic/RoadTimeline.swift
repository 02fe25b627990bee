public import Foundations
public import RoadGraph
public import Route
public import Traffic

/// The changes on the roads of a map during a span of time: traffic, and time-dependent rules.
public final class RoadTimeline: Sendable {
  public let from: Instant
  public let until: Instant
  let traffic: TrafficTimeline?
  let rules: RuleTimeline?
  /// Edges with changes within the span; ascending.
  public let changing: [EdgeID]
  /// One bit for each edge.
  private let isChanging: [UInt64]
  private let isTrafficChanging: [UInt64]

  /// The changes of one span on a graph with the given number of edges.
  public init(
    from: Instant, until: Instant, traffic: TrafficTimeline?, rules: RuleTimeline? = nil,
    edgeCount: Int
  ) {
    self.from = from
    self.until = until
    self.traffic = traffic
    self.rules = rules
    isTrafficChanging = Self.bits(traffic?.changing ?? [], edgeCount)
    let all = (traffic?.changing ?? []) + (rules?.changing ?? [])
    let bits = Self.bits(all, edgeCount)
    isChanging = bits
    changing = (0..<edgeCount).filter { Self.holds(bits, $0) }.map { EdgeID($0) }
  }

  private static func bits(_ edges: [EdgeID], _ edgeCount: Int) -> [UInt64] {
    var bits = [UInt64](repeating: 0, count: edgeCount / 64 + 1)
    for edge in edges where edge.index < edgeCount {
      bits[edge.index / 64] |= 1 << UInt64(edge.index % 64)
    }
    return bits
  }

  @inline(__always) private static func holds(_ bits: [UInt64], _ edge: Int) -> Bool {
    bits[edge / 64] >> UInt64(edge % 64) & 1 == 1
  }

  @inline(__always) func changes(_ edge: Int) -> Bool { Self.holds(isChanging, edge) }

  /// Returns the state of an edge, and until when it is valid; `before` is the traffic if that does
  /// not change.
  ///
  /// Live values without an end count with the weight `liveShare`.
  func value(
    of edge: EdgeID, at moment: Instant, before: TrafficState?, liveShare: Double
  ) -> TimedRoadState {
    guard changes(edge.index) else {
      return TimedRoadState(state: before.flatMap { $0.faded(to: liveShare) })
    }
    let flow =
      Self.holds(isTrafficChanging, edge.index)
      ? traffic.map { $0.value(of: edge, at: moment, liveShare: liveShare) } : nil
    let rule = rules.flatMap { $0.value(of: edge, at: moment) }
    let ends = [flow?.until, rule?.until].compactMap { $0 }
    return TimedRoadState(
      state: flow.map(\.state) ?? before.flatMap { $0.faded(to: liveShare) }, road: rule?.road,
      until: ends.min())
  }
}

/// The state of an edge at a moment.
struct TimedRoadState {
  /// nil if no traffic is known.
  var state: TrafficState?
  /// nil for the attributes of the map.
  var road: RoadAttributes?
  var until: Instant?
}

/// The departure of a trip, and the changes during it.
///
/// Milliseconds since the departure determine when a road is reached.
public struct TripClock: Sendable {
  public let departure: Instant
  public let timeline: RoadTimeline
  /// How live values without an end fade until their roads are reached.
  public let fading: SpeedFading
  /// Milliseconds after the departure up to which they count in full.
  private let fullMS: UInt64

  public init(departure: Instant, timeline: RoadTimeline, fading: SpeedFading = .none) {
    self.departure = departure
    self.timeline = timeline
    self.fading = fading
    fullMS =
      fading.begin.map { UInt64(Double.maximum(0, $0.seconds(since: departure)) * 1000) } ?? .max
  }

  /// Whether live values without an end count in full up to a time after the departure.
  @inline(__always) func isFull(upToMS timeMS: UInt64) -> Bool { timeMS <= fullMS }

  /// Returns the state of an edge, and until when it is valid; `before` is the traffic at the
  /// departure.
  func value(of edge: EdgeID, at moment: Instant, before: TrafficState?) -> TimedRoadState {
    guard !fading.isNone else {
      return timeline.value(of: edge, at: moment, before: before, liveShare: 1)
    }
    var value = timeline.value(
      of: edge, at: moment, before: before, liveShare: fading.weight(at: moment))
    if value.state?.isOpenEnded ?? false, let end = fading.period(around: moment).until {
      value.until = value.until.map { min($0, end) } ?? end
    }
    return value
  }

  /// The moment at a number of milliseconds after the departure.
  func moment(atMS timeMS: UInt64) -> Instant {
    let (sum, overflow) = departure.nanoseconds.addingReportingOverflow(
      Int64(clamping: timeMS) &* 1_000_000)
    return Instant(nanoseconds: overflow ? .max : sum)
  }
}

/// How a part of an edge is driven from the moment at which it is entered.
struct Traversal {
  /// Milliseconds until a closed road opens.
  var waitMS: UInt64 = 0
  var driveMS: Double
  var costMS: UInt64
  var isClosed = false

  /// Milliseconds until the end of the part is reached.
  var timeMS: UInt64 { waitMS + UInt64(Double.maximum(0, driveMS.rounded())) }
}

extension RoadMetric {
  /// The adjustments of a request on an edge.
  private func change(_ edge: Int) -> RoadAdjustments.Change? {
    adjustments?.changes[EdgeID(edge)]
  }

  /// How a share of an edge is driven that is entered at a number of milliseconds after the
  /// departure.
  ///
  /// The result is nil if it may not be entered then. If the speed changes meanwhile, each part is
  /// driven at the speed valid at that moment, so that no vehicle arrives earlier by departing
  /// later: S. Ichoua, M. Gendreau, J.-Y. Potvin, "Vehicle dispatching with time-dependent travel
  /// times", EJOR 144 (2003). Whether the road is closed is decided when it is entered. If waiting
  /// for a closed road to open is allowed, the vehicle waits for half an hour at most, and only if
  /// that costs less than driving on the closed road.
  func traversal(
    of edge: Int, share: Double = 1, atMS timeMS: UInt64, mayWait: Bool
  ) -> Traversal? {
    guard let clock, !isSteady(edge, atMS: timeMS, clock) else {
      // On a road without changes no vehicle waits.
      let cost = Double(costMS[edge]) * share
      return Traversal(
        driveMS: Double(latestMS[edge]) * share, costMS: UInt64(cost.rounded()),
        isClosed: isClosed(EdgeID(edge)))
    }
    let moment = clock.moment(atMS: timeMS)
    let now = value(of: edge, at: moment, clock)
    let isForbidden = isForbidden(edge, now.road)
    let isClosed = flow(edge, now).isClosed
    let driven = driven(edge, share, from: moment, isClosed: isClosed, clock)
    let refused: Traversal? = isForbidden && mayWait ? nil : driven
    guard isClosed || isForbidden, mayWait, let opening = opening(edge, after: now.until, clock)
    else { return refused }
    let waitMS = UInt64((opening.seconds(since: moment) * 1000).rounded(.up))
    guard waitMS <= tuning.waitMS else { return refused }
    var waited = self.driven(edge, share, from: opening, isClosed: false, clock)
    waited.waitMS = waitMS
    waited.costMS += waitMS
    return isForbidden || waited.costMS <= driven.costMS ? waited : driven
  }

  /// Whether the price of an edge depends on when it is reached.
  func changes(_ edge: EdgeID, _ clock: TripClock) -> Bool {
    clock.timeline.changes(edge.index)
      || !clock.fading.isNone && traffic?.isOpenEnded(edge) ?? false
  }

  /// Whether an edge entered at a number of milliseconds after the departure has the price of the
  /// departure.
  @inline(__always) private func isSteady(
    _ edge: Int, atMS timeMS: UInt64, _ clock: TripClock
  ) -> Bool {
    guard !clock.timeline.changes(edge) else { return false }
    // A closed road may open while the vehicle waits for it.
    if clock.isFull(upToMS: timeMS + UInt64(latestMS[edge])), costMS[edge] < tuning.closedMS {
      return true
    }
    return clock.fading.isNone || !(traffic?.isOpenEnded(EdgeID(edge)) ?? false)
  }

  /// Returns the state of an edge at a moment.
  func value(of edge: Int, at moment: Instant, _ clock: TripClock) -> TimedRoadState {
    clock.value(of: EdgeID(edge), at: moment, before: traffic?.state(of: EdgeID(edge)))
  }

  /// Whether the vehicle may not use an edge in the state of its road at a moment: its mode may not,
  /// or the road is for car pools only at that time.
  ///
  /// A road that is always for car pools is refused by its price; see `RoadSuitability`.
  func isForbidden(_ edge: Int, _ road: RoadAttributes?) -> Bool {
    guard let road else { return false }
    if !EdgeTraits(attributes: road, mode: key.mode).isUsable { return true }
    return isClosedToLone(road) && !isClosedToLone(network.graph.attributes(EdgeID(edge)))
  }

  private func isClosedToLone(_ road: RoadAttributes) -> Bool {
    RoadSuitability.isClosedToLone(road, key.mode, isCarPool: key.isCarPool)
  }

  /// When a closed road opens; nil if not within the timeline.
  private func opening(_ edge: Int, after end: Instant?, _ clock: TripClock) -> Instant? {
    var end = end
    while let moment = end {
      let value = value(of: edge, at: moment, clock)
      if !isForbidden(edge, value.road), !flow(edge, value).isClosed { return moment }
      end = value.until
    }
    return nil
  }

  /// Milliseconds that a whole edge takes, and whether traffic has closed it.
  ///
  /// If a road closes while a vehicle is on it, the vehicle continues as if it were open.
  private func flow(
    _ edge: Int, _ value: TimedRoadState, speedFactor: Double = 1
  ) -> (timeMS: UInt32, isClosed: Bool) {
    var road = value.road
    if isForbidden(edge, road) { road?.setAccess(.yes, for: key.mode) }
    return pricing.flow(of: edge, under: value.state, road: road, speedFactor: speedFactor)
  }

  private func driven(
    _ edge: Int, _ share: Double, from start: Instant, isClosed: Bool, _ clock: TripClock
  ) -> Traversal {
    let change = change(edge)
    let first = value(of: edge, at: start, clock)
    var (moment, value, rest, driveMS) = (start, first, share, 0.0)
    while true {
      let wholeMS = Double(flow(edge, value, speedFactor: change?.speedFactor ?? 1).timeMS)
      let leftMS = value.until.map { $0.seconds(since: moment) * 1000 } ?? .infinity
      guard rest * wholeMS > leftMS, let end = value.until else {
        driveMS += rest * wholeMS
        break
      }
      driveMS += leftMS
      rest -= leftMS / wholeMS
      moment = end
      value = self.value(of: edge, at: moment, clock)
    }
    let isClosed = isClosed || change?.costsAsClosed ?? false
    let wholeMS = share > 0 ? driveMS / share : 0
    let cost = pricing.cost(
      of: edge, road: first.road, timeMS: UInt64(Double.maximum(1, wholeMS.rounded())),
      isAvoided: change?.isAvoided ?? false, isClosed: isClosed)
    return Traversal(
      driveMS: driveMS, costMS: UInt64((Double(cost) * share).rounded()), isClosed: isClosed)
  }

  /// Seconds that a path takes, including the rests of `request`; linear in its edges.
  public func durationS(of path: FoundPath, _ request: RouteRequest) -> Double {
    if clock != nil { return Double(timedCost(of: path, request).timeMS) / 1000 }
    var sumS = 0.0
    var last: EdgeID?
    for (number, leg) in path.legs.enumerated() {
      if number > 0, request.waypoints.indices.contains(number) {
        sumS += request.waypoints[number].restS ?? 0
      }
      for time in times(along: leg, after: last) { sumS += time.turnS + time.latestS }
      last = leg.edges.last
    }
    return sumS
  }

  /// Returns the cost of a path in milliseconds, and its time, without the cost of choosing
  /// candidates.
  ///
  /// Each road is priced for the moment at which it is reached, after the rests of `request`.
  func timedCost(
    of path: FoundPath, _ request: RouteRequest? = nil
  ) -> (costMS: UInt64, timeMS: UInt64) {
    var (totalMS, clockMS) = (UInt64(0), UInt64(0))
    for (number, leg) in path.legs.enumerated() {
      if number > 0, let request, request.waypoints.indices.contains(number) {
        clockMS += UInt64((request.waypoints[number].restS ?? 0) * 1000)
      }
      for (index, edge) in leg.edges.enumerated() {
        if index > 0 {
          let before = leg.edges[index - 1].index
          let turnMS =
            angleMS(from: before, onto: edge.index)
            + boardingMS(from: before, onto: edge.index, atMS: clockMS)
          totalMS += turnMS + entryMS(from: before, onto: edge.index, atMS: clockMS)
          clockMS += turnMS
        }
        let part = leg.part(index, network.graph)
        let lengthM = network.graph.lengthM(edge)
        let share = lengthM > 0 ? (part.toM - part.fromM) / lengthM : 0
        guard
          let driven = traversal(of: edge.index, share: share, atMS: clockMS, mayWait: index > 0)
        else {
          // A road that may not be entered then costs as much as a closed one.
          totalMS += tuning.closedMS + UInt64(costMS[edge.index])
          clockMS += UInt64(latestMS[edge.index])
          continue
        }
        totalMS += driven.costMS
        clockMS += driven.timeMS
      }
    }
    return (totalMS, clockMS)
  }

  /// The minimum cost of an edge at any moment of a timeline.
  ///
  /// Live values without an end count with a weight of at least `liveShare`.
  func leastMS(of edge: EdgeID, over timeline: RoadTimeline, liveShare: Double) -> UInt32 {
    let before = traffic?.state(of: edge)
    let shares = SpeedFading.weights.filter { $0 >= liveShare }
    var least = UInt64(UInt32.max - 1)
    var next: Instant? = timeline.from
    while let moment = next {
      for share in shares {
        let value = timeline.value(of: edge, at: moment, before: before, liveShare: share)
        let flow = flow(edge.index, value)
        least = min(
          least,
          pricing.cost(of: edge.index, road: value.road, timeMS: UInt64(flow.timeMS)))
        next = value.until
        guard value.state?.isOpenEnded ?? false else { break }
      }
    }
    return UInt32(clamping: least)
  }
}
