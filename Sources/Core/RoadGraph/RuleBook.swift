public import EventTime
import Geodesy
public import OpeningHours

/// All rules of a map that hold at times only, ready to be asked about a moment.
///
/// Linear in the kinds of road to make, and in the edges where any kind has rules.
public final class RuleBook: Sendable {
  public let graph: RoadGraph
  /// By index into the graph's attributes.
  private let rules: [UInt32: [RoadRule]]
  /// Edges that have rules, ascending.
  public let edges: [EdgeID]
  /// Conditions of the graph's timed bans; nil where one cannot be read.
  private let bans: [Condition?]

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
    bans = graph.columns.timedBanWhen.records.map { try? Condition(graph.text($0)) }
  }

  private static func parse(_ text: String) -> [RoadRule] {
    text.split(separator: "\n").compactMap { RoadRule(line: $0) }
  }

  /// Whether the map has no such rules at all.
  public var isEmpty: Bool { edges.isEmpty && bans.isEmpty }

  /// The rules of an edge, the most particular last.
  public func rules(_ edge: EdgeID) -> [RoadRule] {
    rules[graph.columns.attributeIndex[edge.index]] ?? []
  }

  /// The circumstances with the clock of the place where an edge begins; nil where it is not known what time it is.
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

  /// What a mode may do on an edge at a moment.
  public func access(
    _ edge: EdgeID, _ mode: TravelMode, at instant: Instant,
    _ circumstances: Circumstances = Circumstances()
  ) -> Access {
    let rules = rules(edge)
    let road = graph.attributes(edge)
    guard !rules.isEmpty else { return road.access(mode) }
    return road.access(mode, rules: rules, local(instant, at: edge, circumstances))
  }

  /// The edges on which a mode's access is at a moment another than always; linear in the edges with rules.
  public func changes(
    for mode: TravelMode, at instant: Instant, _ circumstances: Circumstances = Circumstances()
  ) -> [(edge: EdgeID, access: Access)] {
    edges.compactMap { edge in
      let access = access(edge, mode, at: instant, circumstances)
      return access == graph.attributes(edge).access(mode) ? nil : (edge, access)
    }
  }

  /// Sequences of edges that a mode must not drive at a moment, beside those that always hold.
  public func bans(
    for mode: TravelMode, at instant: Instant, _ circumstances: Circumstances = Circumstances()
  ) -> [[EdgeID]] {
    heldBans(at: instant, circumstances).filter { graph.columns.timedBanModes[$0].contains(mode) }
      .map { sequence($0) }
  }

  /// The timed bans that hold at a moment, by number.
  func heldBans(at instant: Instant?, _ circumstances: Circumstances) -> [Int] {
    bans.indices.filter { index in
      guard let condition = bans[index], let first = sequence(index).first else { return false }
      return condition.holds(local(instant, at: first, circumstances)) == true
    }
  }

  /// Whether a timed ban holds at a moment.
  func isHeld(_ ban: Int, at instant: Instant, _ circumstances: Circumstances) -> Bool {
    guard let condition = bans[ban], let first = sequence(ban).first else { return false }
    return condition.holds(local(instant, at: first, circumstances)) == true
  }

  /// The condition of a timed ban; nil where it cannot be read.
  func condition(ofBan ban: Int) -> Condition? { bans[ban] }

  /// The number of timed bans.
  var timedBanCount: Int { bans.count }

  /// Those of `edges` with a rule for a mode of which one has to know the time, or the weather, to say whether it holds.
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

  func sequence(_ ban: Int) -> [EdgeID] {
    let columns = graph.columns
    return Array(
      columns.timedBanEdge.records[
        Int(columns.firstTimedBan[ban])..<Int(columns.firstTimedBan[ban + 1])])
  }

  /// A limit that holds at times only, and whether it does now.
  public struct TimedLimit: Hashable, Sendable {
    /// km/h; nil for no limit.
    public var kmh: Double?
    public var when: String
    /// nil where that needs something that is not known, such as the weather.
    public var holds: Bool?
  }

  /// The limits of an edge that hold at times only.
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
