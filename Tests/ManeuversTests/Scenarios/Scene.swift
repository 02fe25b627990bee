import DrawnMaps
import Maneuvers
import MapMaking
import RoadGraph
import Route
import Testing

/// A drawn map, ways through it, and what a driver must be told on each.
///
/// A way is its letters, what is told a list of words: `left, roundabout 2`; nothing where nothing is to be said.
struct Scene: Sendable {
  var title: String
  var drawing: String
  var ways: [(String, String)]
  var nodes: [(String, String)] = []
  var cell = 50.0
  var country: String?
  var mode = TravelMode.car
  var reported: [(way: String, words: String)]

  var rows: [SceneRow] { reported.map { SceneRow(scene: self, way: $0.way, words: $0.words) } }

  /// The map, drawn for one of its ways: a scene is drawn anew for each.
  func map() throws -> DrawnMap {
    var options = MapOptions()
    options.country = country
    return try DrawnMap(drawing, ways: ways, nodes: nodes, cell: cell, options: options)
  }
}

/// One way through a scene.
struct SceneRow: CustomTestStringConvertible, Sendable {
  var scene: Scene
  var way: String
  var words: String

  var testDescription: String { "\(scene.title): \(way)" }

  func check() throws {
    let map = try scene.map()
    let found = try said(map, way, mode: scene.mode).map { Self.words($0.action) }
    #expect(found.joined(separator: ", ") == words, "\(scene.title): \(way)")
  }

  static func words(_ action: ManeuverAction) -> String {
    switch action {
    case .depart: "depart"
    case .arrive: "arrive"
    case .continueOn: "continue"
    case .turn(let grade): grade.rawValue
    case .uTurn(let side): "u_turn \(side.rawValue)"
    case .fork(let side): "fork \(side.rawValue)"
    case .exit(let side): "exit \(side.rawValue)"
    case .ramp(let side): "ramp \(side.rawValue)"
    case .merge(let side): "merge \(side.rawValue)"
    case .roundabout(let exit): "roundabout \(exit)"
    case .ferry: "ferry"
    }
  }
}

@Suite struct ScenarioTests {
  @Test(arguments: CrossingScenes.all.flatMap(\.rows))
  func `crossings and ends of roads, RT-11`(row: SceneRow) throws { try row.check() }

  @Test(arguments: StarScenes.all.flatMap(\.rows))
  func `turns in seven grades, RT-11`(row: SceneRow) throws { try row.check() }

  @Test(arguments: RoundaboutScenes.all.flatMap(\.rows))
  func `roundabouts, RT-11`(row: SceneRow) throws { try row.check() }

  @Test(arguments: DividedRoadScenes.all.flatMap(\.rows))
  func `dual carriageways and staggered crossings, RT-11`(row: SceneRow) throws { try row.check() }

  @Test(arguments: HighwayScenes.all.flatMap(\.rows))
  func `motorways, ramps, forks and merges, RT-11`(row: SceneRow) throws { try row.check() }

  @Test(arguments: EngineComparisonScenes.all.flatMap(\.rows))
  func `junctions at which two engines agree, RT-11`(row: SceneRow) throws { try row.check() }

  @Test(arguments: ContinuationScenes.all.flatMap(\.rows))
  func `plain ways on, and ways that part, RT-11`(row: SceneRow) throws { try row.check() }

  @Test(arguments: OtherScenes.all.flatMap(\.rows))
  func `names, by-ways, ferries and paths, RT-11`(row: SceneRow) throws { try row.check() }

  @Test func `there are three hundred scenes at least, RT-11`() {
    let all =
      CrossingScenes.all + StarScenes.all + RoundaboutScenes.all + DividedRoadScenes.all
      + HighwayScenes.all + OtherScenes.all
    #expect(all.flatMap(\.rows).count >= 300)
  }
}
