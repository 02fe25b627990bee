import Foundation
import RoadFile
public import RoadGraph
import Stage
public import Traffic

/// What all vehicles of a traffic node share: the roads that each event lies on, found once.
public struct TrafficShared: Sendable {
  let scenario: TrafficScenario
  /// For each event the edges that it lies on.
  let edges: [[EdgeID]]
  let graph: RoadGraph
  let speeds: [FlowReport]
  let beginsWithRoute: Bool
  /// What to tell the log at the start: events without a road, rows without an edge.
  let complaints: [String]

  /// A scenario over a map that is open already, for tests and embedding.
  public init(graph: RoadGraph, scenario: TrafficScenario, beginsWithRoute: Bool = true) {
    self.init(graph: graph, scenario: scenario, speeds: nil, beginsWithRoute: beginsWithRoute)
  }

  init(
    graph: RoadGraph, scenario: TrafficScenario, speeds table: SpeedTable?, beginsWithRoute: Bool
  ) {
    self.graph = graph
    self.scenario = scenario
    self.beginsWithRoute = beginsWithRoute
    let index = SegmentIndex(graph)
    let edges = scenario.events.map { $0.place.edges(in: graph, index: index) }
    self.edges = edges
    let reports = table?.reports(on: graph)
    speeds = reports?.reports ?? []
    var complaints = edges.indices.filter { edges[$0].isEmpty }.map {
      "event \($0) of the scenario lies on no road of the map"
    }
    if let reports, reports.unknown > 0 {
      complaints.append("\(reports.unknown) rows of the speed table name no edge of the map")
    }
    self.complaints = complaints
  }

  init(_ parameters: Parameters) throws(StageFailure) {
    let graph: RoadGraph
    do {
      graph = try RoadFile.open(path: parameters.string("map") ?? "")
    } catch {
      throw StageFailure("map: \(error)")
    }
    var scenario = TrafficScenario(feed: "scenario", events: [])
    if let path = parameters.string("scenario") { scenario = try ScenarioFile.read(path) }
    var table: SpeedTable?
    if let path = parameters.string("speeds") {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw StageFailure("speeds: \(path) cannot be read")
      }
      do {
        table = try SpeedTable(csv: String(decoding: data, as: UTF8.self))
      } catch {
        throw StageFailure("speeds: \(path): \(error)")
      }
    }
    self.init(
      graph: graph, scenario: scenario, speeds: table,
      beginsWithRoute: parameters.string("begin") == "route")
  }
}
