public import Foundations
import Geodesy
public import OpeningHours

/// The changes that time-dependent rules make to the roads of a map during a span of time.
///
/// Rules are evaluated at the start of the span and every quarter of an hour. Rules with hours that
/// contain none of these moments are evaluated every minute. If two evaluations differ, the minute
/// of the change is found by bisection. An interruption of less than a quarter of an hour may be
/// missed.
public struct RuleTimeline: Sendable {
  /// The map with each road as open and as fast as at the best moment of the span, for lower
  /// bounds.
  ///
  /// Turns whose restriction begins or ends within the span are allowed in it; see `restrictions`.
  public let best: RuleBook.Moment
  /// Edges whose road changes within the span; ascending.
  public let changing: [EdgeID]
  /// By edge, an index into `roads`.
  fileprivate let group: [EdgeID: Int]
  /// The attributes of the roads of a group, and since when they are valid.
  fileprivate let roads: [[(since: Instant, road: RoadAttributes)]]
  /// Two edges whose turn is forbidden only part of the span, and since when it is forbidden or
  /// not.
  fileprivate let restrictions: [Turn: [(since: Instant, modes: TravelModes)]]

  fileprivate struct Turn: Hashable {
    var from: EdgeID
    var onto: EdgeID
  }

  /// Whether nothing changes within the span.
  public var isConstant: Bool { changing.isEmpty && restrictions.isEmpty }

  /// Returns the attributes of an edge at a moment, and when they end; nil if they do not change
  /// within the span.
  public func value(
    of edge: EdgeID, at moment: Instant
  ) -> (road: RoadAttributes, until: Instant?)? {
    guard let number = group[edge] else { return nil }
    let steps = roads[number]
    let place = steps.lastIndex { $0.since <= moment } ?? 0
    return (steps[place].road, place + 1 < steps.count ? steps[place + 1].since : nil)
  }

  /// The modes that may not turn from one edge onto another at a moment, by turn restrictions that
  /// do not always apply.
  public func forbidden(from edge: EdgeID, onto next: EdgeID, at moment: Instant) -> TravelModes {
    guard !restrictions.isEmpty, let steps = restrictions[Turn(from: edge, onto: next)] else {
      return []
    }
    return steps.last { $0.since <= moment }?.modes ?? steps.first?.modes ?? []
  }
}

extension RuleBook {
  /// Returns the changes that rules make to the map from one moment to another.
  ///
  /// Linear in the edges with rules. The number of evaluations is that of the kinds of road in
  /// tiles of 0.05 degrees, times the quarters of an hour. Turn restrictions over more than two
  /// edges apply for the whole span if they apply at its start.
  public func timeline(
    from: Instant, until: Instant, _ circumstances: Circumstances = Circumstances()
  ) -> RuleTimeline {
    var best = moment(at: from, circumstances)
    let index = graph.columns.attributeIndex
    var groups: [Kind: [EdgeID]] = [:]
    for edge in edges {
      let place = graph.coordinate(graph.tail(edge))
      let kind = Kind(
        attributes: index[edge.index], row: Int((place.latitudeDeg * 20).rounded(.down)),
        column: Int((place.longitudeDeg * 20).rounded(.down)))
      groups[kind, default: []].append(edge)
    }
    var group: [EdgeID: Int] = [:]
    var roads: [[(since: Instant, road: RoadAttributes)]] = []
    var opened: [EdgeID: RoadAttributes] = [:]
    for (_, edges) in groups {
      guard let first = edges.first else { continue }
      let usual = graph.attributes(first)
      let everyMin = Self.everyMin(rules(first).map(\.condition))
      let steps = Self.steps(from: from, until: until, everyMin: everyMin) {
        road(first, usual, local($0, at: first, circumstances))
      }
      guard steps.count > 1 else { continue }
      for edge in edges {
        group[edge] = roads.count
        opened[edge] = Self.best(steps.map(\.value))
      }
      roads.append(steps.map { (since: $0.since, road: $0.value) })
    }
    if !opened.isEmpty {
      for (edge, road) in zip(best.edges, best.roads) where opened[edge] == nil {
        opened[edge] = road
      }
      let changed = opened.filter { $0.value != graph.attributes($0.key) }
        .sorted { $0.key < $1.key }
      (best.edges, best.roads) = (changed.map(\.key), changed.map(\.value))
    }
    let restrictions = restrictions(from: from, until: until, circumstances, &best)
    return RuleTimeline(
      best: best, changing: group.keys.sorted(), group: group, roads: roads,
      restrictions: restrictions)
  }

  private struct Kind: Hashable {
    var attributes: UInt32
    var row: Int
    var column: Int
  }

  private func restrictions(
    from: Instant, until: Instant, _ circumstances: Circumstances, _ best: inout Moment
  ) -> [RuleTimeline.Turn: [(since: Instant, modes: TravelModes)]] {
    var turns: [RuleTimeline.Turn: [Int: [(since: Instant, value: Bool)]]] = [:]
    for restriction in 0..<timedRestrictionCount {
      let path = sequence(restriction)
      guard path.count == 2 else { continue }
      let everyMin = Self.everyMin(condition(ofRestriction: restriction).map { [$0] } ?? [])
      let steps = Self.steps(from: from, until: until, everyMin: everyMin) {
        isHeld(restriction, at: $0, circumstances)
      }
      guard steps.count > 1 else { continue }
      turns[RuleTimeline.Turn(from: path[0], onto: path[1]), default: [:]][restriction] = steps
      best.restrictions.removeAll { $0 == restriction }
    }
    return turns.mapValues { restrictions in
      let moments = Set(restrictions.values.flatMap { $0.map(\.since) }).sorted()
      return moments.map { moment in
        let held = restrictions.filter { _, steps in
          steps.last { $0.since <= moment }?.value ?? false
        }
        let modes = held.keys.reduce(into: TravelModes()) {
          $0.formUnion(graph.columns.timedRestrictionModes[$1])
        }
        return (since: moment, modes: modes)
      }
    }
  }

  /// Maximum number of minutes between two evaluations of the given conditions.
  private static func everyMin(_ conditions: [Condition]) -> Int {
    let isShort = conditions.flatMap(\.terms).contains { term in
      term.openingHours?.spanUnseen(everyMin: 15) != nil
    }
    return isShort ? 1 : 15
  }

  /// The values of an evaluation within a span, and since when they hold; the first since the start
  /// of the span.
  private static func steps<Value: Equatable>(
    from: Instant, until: Instant, everyMin: Int, _ judge: (Instant) -> Value
  ) -> [(since: Instant, value: Value)] {
    var steps = [(since: from, value: judge(from))]
    var minute = Int((from.seconds / 60).rounded(.down))
    let last = Int((until.seconds / 60).rounded(.down))
    while minute < last, let before = steps.last?.value {
      let next = min(last, (minute / everyMin + 1) * everyMin)
      let value = judge(Instant(seconds: Double(next) * 60))
      if value != before {
        var (low, high) = (minute, next)
        while high - low > 1 {
          let middle = (low + high) / 2
          if judge(Instant(seconds: Double(middle) * 60)) == before {
            low = middle
          } else {
            high = middle
          }
        }
        let since = Instant(seconds: Double(high) * 60)
        steps.append((since, judge(since)))
        if high < next {
          minute = high
          continue
        }
      }
      minute = next
    }
    return steps
  }

  /// The road as open and as fast as in any of its states.
  private static func best(_ roads: [RoadAttributes]) -> RoadAttributes {
    guard var best = roads.first else { return RoadAttributes() }
    for road in roads.dropFirst() {
      if road.crossingS > 0 { best.crossingS = min(best.crossingS, road.crossingS) }
      best.boardingS = Double.minimum(best.boardingS, road.boardingS)
      if !road.flags.contains(.carPool) { best.flags.remove(.carPool) }
      for mode in TravelMode.allCases
      where openness(road.access(mode)) > openness(best.access(mode)) {
        best.setAccess(road.access(mode), for: mode)
      }
      best.carSpeedKmh = max(best.carSpeedKmh, road.carSpeedKmh)
      best.truckSpeedKmh = max(best.truckSpeedKmh, road.truckSpeedKmh)
      best.bicycleSpeedKmh = max(best.bicycleSpeedKmh, road.bicycleSpeedKmh)
      best.pedestrianSpeedKmh = max(best.pedestrianSpeedKmh, road.pedestrianSpeedKmh)
    }
    // Shortly before the last departure the wait is shorter than the mean.
    if roads.contains(where: { !$0.hasAccess(of: best) }) { best.boardingS = 0 }
    return best
  }

  private static func openness(_ access: Access) -> Int {
    switch access {
    case .yes, .dismount: 3
    case .destination, .customers, .delivery: 2
    case .private: 1
    case .no: 0
    }
  }
}
