public import Foundations
import Geodesy
import OpeningHours
public import RoadGraph

/// The typical speeds of roads by the time of the week.
///
/// A text with two kinds of lines; empty ones and those that begin with `#` are skipped:
///
///     profile,NAME,PERCENT,HOURS      at these hours, so much of the free-flow speed
///     WAY,FROM,TO,NAME                a piece of road by OSM ids, and its profile
///
/// A piece may begin and end between junctions. The values of several pieces of one edge are
/// combined, and the rest of the edge keeps the free-flow speed of cars. Of two profiles on one
/// piece, the first one in the text counts.
///
/// HOURS are in the format of OSM's `opening_hours`. They are evaluated in local time at the
/// beginning of each quarter of an hour, for all of it; times between two such beginnings are
/// rejected. Of several lines of one profile, the first one that applies decides; if none does, the
/// road is free.
public struct TypicalSpeeds: Sendable {
  /// One line of a profile.
  struct Clause: Sendable {
    var share: Double
    var hours: OpeningHours
  }

  /// A piece of road of a profile.
  public struct Row: Hashable, Sendable {
    public var segment: SegmentReference
    /// Line of the text, from 1.
    public var line: Int
  }

  private(set) var profiles: [[Clause]] = []
  /// The roads of each profile.
  private var roads: [[Row]] = []

  public var isEmpty: Bool { roads.allSatisfy(\.isEmpty) }

  /// Reads a text.
  ///
  /// - Throws: `TypicalSpeedsFault` for the first invalid line.
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
      else { throw TypicalSpeedsFault(line: index + 1, problem: "must be WAY,FROM,TO,PROFILE") }
      guard let place = number[fields[3]] else {
        throw TypicalSpeedsFault(
          line: index + 1,
          problem: "refers to the profile \"\(fields[3])\", which is not defined by an earlier line"
        )
      }
      roads[place].append(
        Row(segment: SegmentReference(way: way, from: from, to: to), line: index + 1))
    }
  }

  private static func clause(
    _ fields: [Substring], line: Int
  ) throws(TypicalSpeedsFault) -> Clause {
    guard let percent = Double(fields[2]), (1...300).contains(percent) else {
      throw TypicalSpeedsFault(
        line: line, problem: "must have 1 to 300 percent, not \"\(fields[2])\"")
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
        problem: "hours: no quarter of an hour begins in \(span), so it would never apply")
    }
    return Clause(share: percent / 100, hours: hours)
  }

  /// The same speeds on the edges of a map; linear in the lines and in the points of their ways.
  public func placed(on graph: RoadGraph, index: SegmentIndex) -> PlacedSpeeds {
    var finder = EdgePartFinder(index, in: graph)
    var unused: [Row] = []
    let parts = roads.map { rows in
      rows.flatMap { row -> [EdgePart] in
        let found = finder.parts(row.segment)
        if found.isEmpty { unused.append(row) }
        return found
      }
    }
    unused.sort { $0.line < $1.line }
    return PlacedSpeeds(graph: graph, profiles: profiles, parts: parts, unused: unused)
  }
}

/// An invalid line of typical speeds.
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
  /// The edges of each profile, covered wholly or in part, each once.
  fileprivate let edges: [[EdgeID]]
  /// The edges of each profile without partial pieces.
  private let wholeEdges: [[EdgeID]]
  /// The pieces of all partly covered edges in order of precedence: the first overrides all others.
  private let pieces: [EdgeID: [Piece]]
  /// The profiles of each edge, ascending by edge and then by profile.
  private let profilesOfEdges: [(edge: UInt32, profile: UInt32)]
  /// Rows whose piece of road is not in the map, by line.
  public let unused: [TypicalSpeeds.Row]

  private struct Piece: Sendable {
    var profile: Int
    var part: EdgePart
  }

  /// The number of rows whose piece of road is not in the map.
  public var unknown: Int { unused.count }

  /// A sentence about unused rows with the first of them and their lines; nil if there are none.
  public var unusedSentence: String? {
    guard !unused.isEmpty else { return nil }
    let first = unused.prefix(3).map {
      "line \($0.line): \($0.segment.way),\($0.segment.from),\($0.segment.to)"
    }
    return
      "\(unused.count) rows refer to segments that are not in the map: \(first.joined(separator: "; "))"
      + (unused.count > first.count ? " …" : "")
  }

  /// Length of the slots for which speeds are valid: the state at the start of a slot applies to
  /// all of it.
  public static let slotS = 900.0

  init(
    graph: RoadGraph, profiles: [[TypicalSpeeds.Clause]], parts: [[EdgePart]],
    unused: [TypicalSpeeds.Row]
  ) {
    self.graph = graph
    self.profiles = profiles
    self.unused = unused
    var isPieced: Set<EdgeID> = []
    for part in parts.joined() where part.fromM > 0 || part.toM < graph.lengthM(part.edge) {
      isPieced.insert(part.edge)
    }
    var pieces: [EdgeID: [Piece]] = [:]
    var named: Set<UInt64> = []
    var edges: [[EdgeID]] = []
    for (profile, parts) in parts.enumerated() {
      edges.append([])
      for part in parts {
        let isNew = named.insert(UInt64(profile) << 32 | UInt64(part.edge.rawValue)).inserted
        if isNew { edges[profile].append(part.edge) }
        if isPieced.contains(part.edge) {
          pieces[part.edge, default: []].append(Piece(profile: profile, part: part))
        }
      }
    }
    self.edges = edges
    self.pieces = pieces
    wholeEdges = edges.map { own in own.filter { !isPieced.contains($0) } }
    profilesOfEdges = edges.indices.flatMap { profile in
      edges[profile].map { (edge: $0.rawValue, profile: UInt32(profile)) }
    }.sorted { $0 < $1 }
  }

  public var isEmpty: Bool { profilesOfEdges.isEmpty }

  /// The quarter of an hour that contains a moment; speeds are the same within one.
  public static func slot(_ moment: Instant) -> Int {
    Int((moment.seconds / slotS).rounded(.down))
  }

  /// When a quarter of an hour begins; limited to the range of the clock.
  fileprivate static func start(of slot: Int) -> Instant { Instant(seconds: Double(slot) * slotS) }

  /// Fills in the typical speeds of a moment's quarter of an hour on edges without newer data.
  ///
  /// The state at the start of the quarter applies to all of it, so that the result does not depend
  /// on the first query.
  ///
  /// Linear in the edges with profiles; each profile is evaluated once, in the local time of its
  /// first edge.
  public func fill(_ view: inout TrafficView, at moment: Instant) {
    let slot = Self.slot(moment)
    let (start, end) = (Self.start(of: slot), Self.start(of: slot + 1))
    let shares = profiles.indices.map { share(of: $0, at: start) }
    for number in profiles.indices {
      guard let share = shares[number] else { continue }
      for edge in wholeEdges[number] {
        if let typical = state(of: edge, share: share, until: end) {
          fill(&view, typical, on: edge)
        }
      }
    }
    for edge in pieces.keys {
      if let typical = state(ofPieces: edge, until: end, { shares[$0] }) {
        fill(&view, typical, on: edge)
      }
    }
  }

  private func fill(_ view: inout TrafficView, _ typical: TrafficState, on edge: EdgeID) {
    guard var known = view.state(of: edge) else { return view.set(typical, on: edge) }
    // A fading speed approaches the typical one, unless there is a forecast.
    guard known.fallbackMps == nil, !known.isClosed else { return }
    known.fallbackMps = typical.measuredSpeedMps
    view.set(known, on: edge)
  }

  /// The share of the free-flow speed in a profile at a moment; nil if there is none.
  private func share(of profile: Int, at moment: Instant) -> Double? {
    guard let first = edges[profile].first else { return nil }
    let place = graph.coordinate(graph.tail(first))
    let local = LocalMoment(
      moment, latitudeDeg: place.latitudeDeg, longitudeDeg: place.longitudeDeg,
      country: graph.attributes(first).country)
    return profiles[profile].first { $0.hours.state(at: local) == .open }?.share
  }

  fileprivate func state(of edge: EdgeID, share: Double, until: Instant) -> TrafficState? {
    let mps = graph.attributes(edge).freeFlowMps(.car) * share
    return mps > 0 ? TrafficState(measuredSpeedMps: mps, source: .typical, until: until) : nil
  }

  /// Whether the pieces of an edge have their own profiles.
  fileprivate func isPieced(_ edge: EdgeID) -> Bool { pieces[edge] != nil }

  /// The state of an edge whose pieces have profiles: their times and that of the free rest; nil if
  /// all is free.
  fileprivate func state(
    ofPieces edge: EdgeID, until: Instant, _ share: (Int) -> Double?
  ) -> TrafficState? {
    let freeFlowMps = graph.attributes(edge).freeFlowMps(.car)
    guard freeFlowMps > 0 else { return nil }
    var reported = EdgePieces()
    // Later pieces override earlier ones.
    for piece in (pieces[edge] ?? []).reversed() {
      guard let share = share(piece.profile) else { continue }
      reported.add(piece.part, TrafficState(measuredSpeedMps: freeFlowMps * share))
    }
    let combined = reported.combined(
      over: nil, lengthM: graph.lengthM(edge), freeFlowMps: freeFlowMps)
    guard let mps = combined?.speedMps(freeFlowMps: freeFlowMps, mode: .car) else { return nil }
    return TrafficState(measuredSpeedMps: mps, source: .typical, until: until)
  }
}

/// The typical speeds in a span of time: the share of the free-flow speed of each profile in each quarter of an hour.
public struct TypicalShares: Sendable {
  fileprivate let speeds: PlacedSpeeds
  fileprivate let firstSlot: Int
  /// By profile and slot; nil if the road is free.
  fileprivate let shares: [[Double?]]

  /// Edges with a change of the share within the span.
  public var changing: [EdgeID] {
    shares.indices.filter { profile in shares[profile].contains { $0 != shares[profile][0] } }
      .flatMap { speeds.edges[$0] }
  }

  /// Whether no share changes within the span.
  public var isConstant: Bool { shares.allSatisfy { all in all.allSatisfy { $0 == all[0] } } }

  /// Returns the typical state of an edge at a moment of the span, and when it changes; nil if not within the span.
  ///
  /// Logarithmic in the edges with profiles.
  func value(of edge: EdgeID, at moment: Instant) -> (state: TrafficState?, until: Instant?) {
    let slot = min(max(0, PlacedSpeeds.slot(moment) - firstSlot), (shares.first?.count ?? 1) - 1)
    var until: Instant?
    let profiles = speeds.profiles(of: edge)
    if speeds.isPieced(edge) {
      let ends = profiles.compactMap { profile in
        shares[profile][slot...].firstIndex { $0 != shares[profile][slot] }
      }
      let end = ends.min().map { PlacedSpeeds.start(of: firstSlot + $0) }
      let holds = end ?? PlacedSpeeds.start(of: firstSlot + (shares.first?.count ?? 1))
      return (speeds.state(ofPieces: edge, until: holds) { shares[$0][slot] }, end)
    }
    for profile in profiles {
      let own = shares[profile]
      let end = own[slot...].firstIndex { $0 != own[slot] }.map {
        PlacedSpeeds.start(of: firstSlot + $0)
      }
      until = [until, end].compactMap { $0 }.min()
      guard let share = own[slot] else { continue }
      let holds = end ?? PlacedSpeeds.start(of: firstSlot + own.count)
      if let state = speeds.state(of: edge, share: share, until: holds) { return (state, until) }
    }
    return (nil, until)
  }
}

extension PlacedSpeeds {
  /// Returns the typical speeds from one moment to another; evaluates each profile once for each quarter of an hour.
  public func shares(from: Instant, until: Instant) -> TypicalShares {
    let slots = Self.slot(from)...max(Self.slot(from), Self.slot(until))
    return TypicalShares(
      speeds: self, firstSlot: slots.lowerBound,
      shares: profiles.indices.map { profile in
        slots.map { share(of: profile, at: Self.start(of: $0)) }
      })
  }

  /// The profiles of an edge, ascending.
  fileprivate func profiles(of edge: EdgeID) -> [Int] {
    var low = 0
    var high = profilesOfEdges.count
    while low < high {
      let middle = (low + high) / 2
      if profilesOfEdges[middle].edge < edge.rawValue { low = middle + 1 } else { high = middle }
    }
    var found: [Int] = []
    while low < profilesOfEdges.count, profilesOfEdges[low].edge == edge.rawValue {
      found.append(Int(profilesOfEdges[low].profile))
      low += 1
    }
    return found
  }
}
