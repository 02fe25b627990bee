import Geodesy
import Maneuvers
import OSRM
import RoadGraph
import Route

/// What we say along one path, and what lies at its junctions.
struct ManeuverAnswer: Encodable {
  struct Told: Encodable {
    var at: Int
    /// The node at which the road begins that it leads onto.
    var until: Int
    var action: String
    var type: String
    var modifier: String?
    var exit: Int?
    var angle: Int?
    var text: String
  }

  /// A place where one could have gone elsewhere.
  struct Choice: Encodable {
    var at: Int
    var node: Int64
    var angle: Int
    var from: String
    var onto: String
    var others: [String]
    /// One-way roads that come from there.
    var barred: [String]
  }

  var id: Int
  /// False where our map has no such way.
  var found: Bool
  var maneuvers: [Told] = []
  var choices: [Choice] = []

  init(_ given: GivenPath, tracer: NodePath.Tracer, finder: ManeuverFinder) {
    id = given.id
    guard let node = tracer.path(given) else {
      found = false
      return
    }
    found = true
    let graph = tracer.graph
    let section = SectionPath(path: node.path, mode: .car)
    func head(_ segment: Int) -> Int { segment == 0 ? 0 : node.headAt[segment - 1] }
    for maneuver in finder.maneuvers(along: section) {
      var exit: Int?
      if case .roundabout(let number) = maneuver.action { exit = number }
      maneuvers.append(
        Told(
          at: maneuver.action == .arrive ? given.nodes.count - 1 : head(maneuver.segment),
          until: head(maneuver.lastSegment), action: maneuver.actionWord, type: maneuver.osrmType,
          modifier: maneuver.osrmModifier, exit: exit,
          angle: maneuver.turnAngleDeg.map { Int($0) }, text: maneuver.text))
    }
    let edges = node.path.edges
    for index in edges.indices.dropFirst() {
      let (before, after) = (edges[index - 1], edges[index])
      let bearing = graph.bearingDeg(before, reachM: 15, atHead: true)
      func angle(_ edge: EdgeID) -> Int {
        Int(Angle.turnDeg(from: bearing, to: graph.bearingDeg(edge, reachM: 15)))
      }
      let others = graph.edges(leaving: graph.head(before)).filter { edge in
        edge != after && edge != graph.twin(before) && graph.attributes(edge).access(.car).isUsable
      }
      let barred = graph.edges(entering: graph.head(before)).filter { edge in
        guard edge != before, edge != graph.twin(after),
          graph.attributes(edge).access(.car).isUsable
        else { return false }
        return graph.twin(edge).map { !graph.attributes($0).access(.car).isUsable } ?? true
      }
      guard !others.isEmpty || !barred.isEmpty || graph.twin(before) == after else { continue }
      choices.append(
        Choice(
          at: node.headAt[index - 1], node: given.nodes[node.headAt[index - 1]],
          angle: angle(after), from: Self.word(graph, before), onto: Self.word(graph, after),
          others: others.map { "\(angle($0))° \(Self.word(graph, $0))" },
          barred: barred.map {
            let back = graph.bearingDeg($0, reachM: 15, atHead: true) + 180
            return "\(Int(Angle.turnDeg(from: bearing, to: back)))° \(Self.word(graph, $0))"
          }))
    }
  }

  // `residential High Street oneway, 12 m`
  private static func word(_ graph: RoadGraph, _ edge: EdgeID) -> String {
    let road = graph.attributes(edge)
    var words = ["\(road.roadClass)"]
    if !road.name.isEmpty { words.append(graph.text(road.name)) }
    if !road.number.isEmpty { words.append(graph.text(road.number)) }
    if road.flags.contains(.link) { words.append("link") }
    if road.flags.contains(.oneWay) { words.append("oneway") }
    if road.flags.contains(.roundabout) { words.append("roundabout") }
    if road.flags.contains(.circular) { words.append("circular") }
    if road.flags.contains(.driveway) { words.append("driveway") }
    if road.flags.contains(.parkingAisle) { words.append("parking aisle") }
    words.append("w\(graph.columns.way(edge)) \(Int(graph.lengthM(edge))) m")
    return words.joined(separator: " ")
  }
}
