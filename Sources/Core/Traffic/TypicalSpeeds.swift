public import EventTime
import Geodesy
import OpeningHours
public import RoadGraph

/// How fast roads usually are at which time of the week.
///
/// A text of two kinds of lines; empty ones and those that begin with `#` are skipped:
///
///     profile,NAME,PERCENT,HOURS      at these hours, so much of the free-flow speed
///     WAY,FROM,TO,NAME                a piece of road by OSM ids, and its profile
///
/// HOURS are written as OSM's `opening_hours` and judged by the clock of the place at the beginning of each quarter of an
/// hour, for all of it; times between two such beginnings are refused. Of several lines of one profile the first that
/// holds decides; where none does the road is free.
public struct TypicalSpeeds: Sendable {
  /// One line of a profile.
  struct Clause: Sendable {
    var share: Double
    var hours: OpeningHours
  }

  private(set) var profiles: [[Clause]] = []
  /// The roads of each profile.
  private var roads: [[SegmentReference]] = []

  public var isEmpty: Bool { roads.allSatisfy(\.isEmpty) }

  /// Reads a text.
  ///
  /// - Throws: `TypicalSpeedsFault` for the first line that is none.
  public init(csv text: String) throws(TypicalSpeedsFault) {
    var number: [Substring: Int] = [:]
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = raw.last == "\r" ? raw.dropLast() : raw
      guard !line.isEmpty, line.first != "#" else { continue }
      let fields = line.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count == 4 else {
        throw TypicalSpeedsFault(line: index + 1, problem: "has \(fields.count) fields, not four")
      }
      if fields[0] == "profile" {
        let clause = try Self.clause(fields, line: index + 1)
        let place = number[fields[1]] ?? profiles.count
        if place == profiles.count {
          profiles.append([])
          roads.append([])
          number[fields[1]] = place
        }
        profiles[place].append(clause)
        continue
      }
      guard let way = Int64(fields[0]), let from = Int64(fields[1]), let to = Int64(fields[2])
      else { throw TypicalSpeedsFault(line: index + 1, problem: "wants WAY,FROM,TO,PROFILE") }
      guard let place = number[fields[3]] else {
        throw TypicalSpeedsFault(
          line: index + 1,
          problem: "names the profile \"\(fields[3])\", of which no line came before")
      }
      roads[place].append(SegmentReference(way: way, from: from, to: to))
    }
  }

  private static func clause(
    _ fields: [Substring], line: Int
  ) throws(TypicalSpeedsFault) -> Clause {
    guard let percent = Double(fields[2]), (1...300).contains(percent) else {
      throw TypicalSpeedsFault(line: line, problem: "wants 1 to 300 percent, not \"\(fields[2])\"")
    }
    let hours: OpeningHours
    do throws(HoursFault) {
      hours = try OpeningHours(String(fields[3]))
    } catch {
      throw TypicalSpeedsFault(line: line, problem: "hours: \(error)")
    }
    if let span = hours.spanUnseen(everyMin: Int(PlacedSpeeds.slotS / 60)) {
      throw TypicalSpeedsFault(
        line: line,
        problem: "hours: no quarter of an hour begins in \(span), so that it would never hold")
    }
    return Clause(share: percent / 100, hours: hours)
  }

  /// The same speeds on the edges of a map; linear in the lines.
  public func placed(on graph: RoadGraph, index: SegmentIndex) -> PlacedSpeeds {
    var unknown = 0
    let edges = roads.map { references in
      references.flatMap { reference -> [EdgeID] in
        let found = index.edges(along: reference, in: graph)
        if found.isEmpty { unknown += 1 }
        return found
      }
    }
    return PlacedSpeeds(graph: graph, profiles: profiles, edges: edges, unknown: unknown)
  }
}

/// A line of typical speeds that is none.
public struct TypicalSpeedsFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  public var line: Int
  public var problem: String

  public var description: String { "line \(line) \(problem)" }
}

/// Typical speeds on the edges of one map.
public struct PlacedSpeeds: Sendable {
  private let graph: RoadGraph
  private let profiles: [[TypicalSpeeds.Clause]]
  private let edges: [[EdgeID]]
  /// Pieces of road that the map has not.
  public let unknown: Int

  /// What slots speeds hold in: what holds when one begins holds for all of it.
  public static let slotS = 900.0

  init(
    graph: RoadGraph, profiles: [[TypicalSpeeds.Clause]], edges: [[EdgeID]], unknown: Int
  ) {
    self.graph = graph
    self.profiles = profiles
    self.edges = edges
    self.unknown = unknown
  }

  public var isEmpty: Bool { edges.allSatisfy(\.isEmpty) }

  /// The quarter of an hour in which a moment lies; speeds are the same within one.
  public static func slot(_ moment: Instant) -> Int {
    Int((moment.seconds / slotS).rounded(.down))
  }

  /// When a quarter of an hour begins; the ends of the clock for what lies beyond them.
  private static func start(of slot: Int) -> Instant { Instant(seconds: Double(slot) * slotS) }

  /// Fills in what is typical in a moment's quarter of an hour on the edges of which nothing newer is known.
  ///
  /// What holds when the quarter begins holds for all of it, so that who asks first in it does not matter.
  ///
  /// Linear in the edges with profiles; each profile is judged once, by the clock where its first edge lies.
  public func fill(_ view: inout TrafficView, at moment: Instant) {
    let slot = Self.slot(moment)
    let (start, end) = (Self.start(of: slot), Self.start(of: slot + 1))
    for (number, profile) in profiles.enumerated() {
      guard let first = edges[number].first else { continue }
      let place = graph.coordinate(graph.tail(first))
      let local = LocalMoment(
        start, latitudeDeg: place.latitudeDeg, longitudeDeg: place.longitudeDeg,
        country: graph.attributes(first).country)
      guard let clause = profile.first(where: { $0.hours.state(at: local) == .open }) else {
        continue
      }
      for edge in edges[number] {
        let mps = graph.attributes(edge).freeFlowMps(.car) * clause.share
        guard mps > 0 else { continue }
        guard var known = view.state(of: edge) else {
          view.set(
            TrafficState(measuredSpeedMps: mps, source: .typical, until: end), on: edge)
          continue
        }
        // What fades goes over to what is typical, unless a forecast has its place.
        guard known.fallbackMps == nil, !known.isClosed else { continue }
        known.fallbackMps = mps
        view.set(known, on: edge)
      }
    }
  }
}
