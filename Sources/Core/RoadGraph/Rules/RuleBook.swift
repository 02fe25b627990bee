public import Foundations
import Geodesy
public import OpeningHours

/// All time-dependent rules of a map, ready for queries about a moment.
///
/// Creating it is linear in the kinds of road, and in the edges if any kind has rules.
public final class RuleBook: Sendable {
  public let graph: RoadGraph
  /// Indexed by the graph's attributes.
  private let rules: [UInt32: [RoadRule]]
  /// Edges that have rules, ascending.
  public let edges: [EdgeID]
  /// Conditions of the graph's timed turn restrictions; nil if one cannot be read.
  private let restrictions: [Condition?]

  public init(_ graph: RoadGraph) {
    self.graph = graph
    var rules: [UInt32: [RoadRule]] = [:]
    for (index, road) in graph.columns.attributes.records.enumerated() where !road.rules.isEmpty {
      let own = Self.parse(graph.text(road.rules))
      if !own.isEmpty { rules[UInt32(index)] = own }
    }
    let index = graph.columns.attributeIndex
    edges =
      rules.isEmpty
      ? [] : (0..<graph.edgeCount).filter { rules[index[$0]] != nil }.map { EdgeID($0) }
    self.rules = rules
    restrictions = graph.columns.timedRestrictionWhen.records.map { try? Condition(graph.text($0)) }
  }

  private static func parse(_ text: String) -> [RoadRule] {
    text.split(separator: "\n").compactMap { RoadRule(line: $0) }
  }

  /// Whether the map has no such rules at all.
  public var isEmpty: Bool { edges.isEmpty && restrictions.isEmpty }

  /// The rules of an edge, the most specific last.
  public func rules(_ edge: EdgeID) -> [RoadRule] {
    rules[graph.columns.attributeIndex[edge.index]] ?? []
  }

  /// The circumstances with the local time where an edge begins; nil if the time is not known.
  public func local(
    _ instant: Instant?, at edge: EdgeID, _ circumstances: Circumstances = Circumstances()
  ) -> Circumstances {
    let place = graph.coordinate(graph.tail(edge))
    var local = circumstances
    local.moment = instant.map {
      LocalMoment(
        $0, latitudeDeg: place.latitudeDeg, longitudeDeg: place.longitudeDeg,
        country: graph.attributes(edge).country)
    }
    return local
  }

  /// The access of a mode to an edge at a moment.
  public func access(
    _ edge: EdgeID, _ mode: TravelMode, at instant: Instant,
    _ circumstances: Circumstances = Circumstances()
  ) -> Access {
    let rules = rules(edge)
    let road = graph.attributes(edge)
    guard !rules.isEmpty else { return road.access(mode) }
    return road.access(mode, rules: rules, local(instant, at: edge, circumstances))
  }

  /// The edges on which a mode's access at a moment differs from the usual one; linear in the edges
  /// with rules.
  public func changes(
    for mode: TravelMode, at instant: Instant, _ circumstances: Circumstances = Circumstances()
  ) -> [(edge: EdgeID, access: Access)] {
    edges.compactMap { edge in
      let access = access(edge, mode, at: instant, circumstances)
      return access == graph.attributes(edge).access(mode) ? nil : (edge, access)
    }
  }

  /// Sequences of edges that a mode must not drive at a moment, in addition to the permanent turn
  /// restrictions.
  public func restrictions(
    for mode: TravelMode, at instant: Instant, _ circumstances: Circumstances = Circumstances()
  ) -> [[EdgeID]] {
    heldRestrictions(at: instant, circumstances).filter {
      graph.columns.timedRestrictionModes[$0].contains(mode)
    }
    .map { sequence($0) }
  }

  /// The indices of the timed turn restrictions that apply at a moment.
  func heldRestrictions(at instant: Instant?, _ circumstances: Circumstances) -> [Int] {
    restrictions.indices.filter { index in
      guard let condition = restrictions[index], let first = sequence(index).first else {
        return false
      }
      return condition.holds(local(instant, at: first, circumstances)) == true
    }
  }

  /// Whether a timed turn restriction applies at a moment.
  func isHeld(_ restriction: Int, at instant: Instant, _ circumstances: Circumstances) -> Bool {
    guard let condition = restrictions[restriction], let first = sequence(restriction).first else {
      return false
    }
    return condition.holds(local(instant, at: first, circumstances)) == true
  }

  /// The condition of a timed turn restriction; nil if it cannot be read.
  func condition(ofRestriction restriction: Int) -> Condition? { restrictions[restriction] }

  /// The number of timed turn restrictions.
  var timedRestrictionCount: Int { restrictions.count }

  /// Those of `edges` with a rule for a mode that depends on an unknown time or on the weather.
  public func undecided(
    _ edges: [EdgeID], _ mode: TravelMode, at instant: Instant?, _ circumstances: Circumstances
  ) -> [EdgeID] {
    edges.filter { edge in
      let own = rules(edge)
      guard own.contains(where: { $0.modes.contains(mode) }) else { return false }
      let here = local(instant, at: edge, circumstances)
      return own.contains { $0.modes.contains(mode) && $0.condition.holds(here) == nil }
    }
  }

  /// The number of turns on a path that a restriction forbids to a mode at an unknown time, or in
  /// unknown weather; linear in the path and in the timed turn restrictions.
  public func undecidedTurns(
    _ path: [EdgeID], _ mode: TravelMode, at instant: Instant?, _ circumstances: Circumstances
  ) -> Int {
    var starting: [EdgeID: [[EdgeID]]] = [:]
    for restriction in restrictions.indices
    where graph.columns.timedRestrictionModes[restriction].contains(mode) {
      let sequence = sequence(restriction)
      guard let first = sequence.first, let condition = restrictions[restriction],
        condition.holds(local(instant, at: first, circumstances)) == nil
      else { continue }
      starting[first, default: []].append(sequence)
    }
    return path.indices.reduce(0) { count, index in
      count
        + (starting[path[index], default: []].contains { path[index...].starts(with: $0) } ? 1 : 0)
    }
  }

  func sequence(_ restriction: Int) -> [EdgeID] { graph.timedRestrictedSequence(restriction) }

  /// A time-dependent limit, and whether it applies now.
  public struct TimedLimit: Hashable, Sendable {
    /// km/h; nil for no limit.
    public var kmh: Double?
    public var when: String
    /// nil if that depends on something unknown, such as the weather.
    public var holds: Bool?
  }

  /// The time-dependent limits of an edge.
  public func limits(
    _ edge: EdgeID, _ mode: TravelMode, at instant: Instant,
    _ circumstances: Circumstances = Circumstances()
  ) -> [TimedLimit] {
    let own = rules(edge)
    guard !own.isEmpty else { return [] }
    let here = local(instant, at: edge, circumstances)
    return own.compactMap { rule in
      guard rule.modes.contains(mode), case .limit(let kmh) = rule.effect else { return nil }
      return TimedLimit(kmh: kmh, when: rule.when, holds: rule.condition.holds(here))
    }
  }
}
