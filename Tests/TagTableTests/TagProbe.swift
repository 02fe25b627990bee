import DrawnMaps
import Geodesy
import MapMaking
import RoadGraph
import Route
import Testing

@testable import Routing

/// A tag added to a drawn map whose effect is reported as the difference to the map without it.
struct TagProbe {
  /// Where the tag is: on the way from a to c, on the node b in its middle, or on a restriction
  /// from ab by b to bc.
  enum Place: Hashable {
    case way
    case node
    case area
    case restriction
  }

  var key: String
  var value: String
  /// The other tags of the object, as `DrawnMap` reads them.
  var others: String
  var place: Place

  var tag: String { "\(key)=\(value)" }

  /// The rows of the table: modes and what the tag does to them.
  func effects() throws -> [TagEffect] {
    let before = try map(others)
    let after = try map(others.isEmpty ? tag : "\(others) \(tag)")
    return try MapState(after).difference(to: MapState(before))
  }

  private func map(_ tags: String) throws -> DrawnMap {
    // The street around keeps the probed road from being a dead end.
    let ring = ("axyc", "highway=residential")
    switch place {
    case .way:
      return try DrawnMap(
        "a----c\n\nx----y", ways: [("ac", tags.isEmpty ? "x=y" : tags), ring])
    case .node:
      return try DrawnMap(
        "a--b--c\n\nx-----y", ways: [("abc", "highway=residential"), ring],
        nodes: tags.isEmpty ? [] : [("b", tags)])
    case .area:
      return try DrawnMap(
        "x-a--b\n  |  |\n  d--c-y",
        ways: [
          ("abcda", tags.isEmpty ? "x=y" : tags), ("xa", "highway=residential"),
          ("cy", "highway=residential"),
        ])
    case .restriction:
      return try DrawnMap(
        "a--b--c\n   |\n   d\n\nx-----y",
        ways: [("ab", "highway=residential"), ("bc", ""), ("bd", ""), ring],
        restrictions: tags.isEmpty ? [] : [("ab b bc", tags)])
    }
  }
}

/// What a tag does to some modes; no modes for what concerns the road as such.
struct TagEffect: Hashable {
  var modes: TravelModes
  var text: String

  /// Car, truck, bus, taxi and scooter as `motor`, everything as `all`.
  var modeWords: String {
    if modes.isEmpty { return "-" }
    if modes == .all { return "all" }
    var words: [String] = []
    var rest = modes
    if rest.isSuperset(of: .motorised) {
      words.append("motor")
      rest.subtract(.motorised)
    }
    return (words + TravelMode.allCases.filter { rest.contains($0) }.map(\.word))
      .joined(separator: ", ")
  }
}

/// What a map says of the probed object, mode by mode.
struct MapState {
  /// By mode: what holds along the way, and against it.
  private var along: [[String]]
  private var against: [[String]]
  /// Turns and passages that a mode may not make.
  private var barred: [[String]]
  /// What concerns the road or node itself.
  private var general: [String]

  init(_ map: DrawnMap) throws {
    along = []
    against = []
    barred = TravelMode.allCases.map { BannedTurns.of($0, map) }
    general = []
    let graph = map.graph
    let probed = (0..<graph.edgeCount).map { EdgeID($0) }.filter { graph.columns.way($0) == 1001 }
    let forward = Self.edge(from: "a", among: probed, map)
    let backward =
      Self.edge(from: "c", among: probed, map) ?? probed.first { !Self.isAlong($0, map) }
    for mode in TravelMode.allCases {
      let network = RoadNetwork(graph: graph, mode: mode)
      let request = RouteRequest(
        waypoints: [
          Waypoint(place: try map.coordinate("a")), Waypoint(place: try map.coordinate("c")),
        ],
        mode: mode)
      let metric = RoadMetric(network: network, key: MetricKey(request))
      along.append(RoadWords.mode(mode, forward, metric))
      against.append(RoadWords.mode(mode, backward, metric))
    }
    let roads = [forward, backward].compactMap { $0 }.map { graph.attributes($0) }
    general = RoadWords.general(roads, graph) + RoadWords.node(map) + RoadWords.report(map)
  }

  private static func edge(
    from letter: Character, among edges: [EdgeID], _ map: DrawnMap
  ) -> EdgeID? {
    guard let id = try? map.osmID(letter) else { return nil }
    return edges.first { map.graph.columns.nodeOSM[map.graph.tail($0).index] == id }
  }

  private static func isAlong(_ edge: EdgeID, _ map: DrawnMap) -> Bool {
    map.graph.columns.nodeOSM[map.graph.tail(edge).index]
      < map.graph.columns.nodeOSM[map.graph.head(edge).index]
  }

  /// What is new or other here; modes to which the same happens share a row.
  func difference(to before: MapState) -> [TagEffect] {
    var rows: [TagEffect] = []
    for mode in TravelMode.allCases {
      let k = Int(mode.rawValue)
      let text =
        Self.joined(
          RoadWords.changes(along[k], before.along[k]),
          RoadWords.changes(against[k], before.against[k])
        ) + RoadWords.changes(barred[k], before.barred[k])
      guard !text.isEmpty else { continue }
      let line = text.joined(separator: ", ")
      if let same = rows.firstIndex(where: { $0.text == line }) {
        rows[same].modes.insert(TravelModes(mode))
      } else {
        rows.append(TagEffect(modes: TravelModes(mode), text: line))
      }
    }
    let road = RoadWords.changes(general, before.general)
    if !road.isEmpty { rows.append(TagEffect(modes: [], text: road.joined(separator: ", "))) }
    return rows
  }

  private static func joined(_ along: [String], _ against: [String]) -> [String] {
    if along == against { return along }
    return (along.isEmpty ? [] : ["along: " + along.joined(separator: ", ")])
      + (against.isEmpty ? [] : ["against: " + against.joined(separator: ", ")])
  }
}

/// The turns and passages that a map forbids to a mode.
enum BannedTurns {
  static func of(_ mode: TravelMode, _ map: DrawnMap) -> [String] {
    let graph = map.graph
    let columns = graph.columns
    var words: [String] = []
    for restriction in 0..<columns.restrictionModes.count
    where columns.restrictionModes[restriction].contains(mode) {
      words.append(word(map.letters(graph.restrictedSequence(restriction)), nil))
    }
    for restriction in 0..<columns.timedRestrictionModes.count
    where columns.timedRestrictionModes[restriction].contains(mode) {
      let edges = columns.timedRestrictionEdge.records[
        Int(
          columns.firstTimedRestriction[restriction])..<Int(
            columns.firstTimedRestriction[restriction + 1])]
      words.append(
        word(map.letters(Array(edges)), graph.text(columns.timedRestrictionWhen[restriction])))
    }
    return Set(words).sorted()
  }

  /// Both directions past the node b are one passage; other sequences are turns.
  private static func word(_ letters: String, _ when: String?) -> String {
    let what =
      switch letters {
      case "abc", "cba": "cannot pass"
      case "abd": "cannot turn off"
      case "aba": "cannot turn back"
      default: "cannot drive \(letters)"
      }
    return what + (when.map { " @ \($0)" } ?? "")
  }
}
