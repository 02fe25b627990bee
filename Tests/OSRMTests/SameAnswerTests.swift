import DrawnMaps
import Foundation
import Foundations
import Geodesy
import OSRM
import OSRMService
import RoadGraph
import Route
import RouterStage
import Routing
import Testing

@testable import NavCLI

/// The same route has the same bytes, from the command line and over HTTP.
@Suite struct SameAnswerTests {
  /// A journey on a drawn map between the middles of two roads.
  struct Journey: CustomTestStringConvertible {
    var testDescription: String
    var drawing: String
    var ways: [(String, String)]
    var nodes: [(String, String)] = []
    var from: (Character, Character)
    var to: (Character, Character)
    var cell = 60.0
    /// `type modifier` of each step.
    var steps: [String]
  }

  static let ring = """
         n
       a b c
    w--d   e--x
       f g h
         s
    """

  static func ring(
    _ name: String, leftHand: Bool, to end: (Character, Character), _ steps: [String]
  ) -> Journey {
    let side = leftHand ? " driving_side=left" : ""
    return Journey(
      testDescription: name, drawing: ring,
      ways: [
        ("wd", "highway=secondary name=West Road" + side),
        ("ex", "highway=secondary name=East Road" + side),
        ("nb", "highway=secondary name=North Road" + side),
        ("gs", "highway=secondary name=South Road" + side),
        (
          leftHand ? "dabcehgfd" : "dfghecbad",
          "highway=secondary junction=roundabout oneway=yes" + side
        ),
      ], from: ("w", "d"), to: end, cell: 20, steps: steps)
  }

  static let journeys = [
    ring(
      "roundabout, right-hand, straight on", leftHand: false, to: ("e", "x"),
      ["depart", "roundabout straight", "exit roundabout straight", "arrive"]),
    ring(
      "roundabout, left-hand, first exit", leftHand: true, to: ("b", "n"),
      ["depart", "roundabout left", "exit roundabout left", "arrive"]),
    ring(
      "roundabout, left-hand, third exit", leftHand: true, to: ("g", "s"),
      ["depart", "roundabout right", "exit roundabout right", "arrive"]),
    Journey(
      testDescription: "motorway exit",
      drawing: """
        a-----b--------c
                  d
                      e-f
        """,
      ways: [
        ("ab", "highway=motorway ref=A 1 oneway=yes"),
        ("bc", "highway=motorway ref=A 1 oneway=yes"),
        ("bde", "highway=motorway_link oneway=yes destination=Harbour destination:ref=B 12"),
        ("ef", "highway=secondary name=Harbour Road"),
      ], nodes: [("b", "highway=motorway_junction ref=7b name=Harbour")], from: ("a", "b"),
      to: ("e", "f"), steps: ["depart", "off ramp slight right", "arrive"]),
    Journey(
      testDescription: "a turn, and a bend in which the road keeps its name",
      drawing: """
        a---b---c
            |   |
            d   e---f
                |
                g
        """,
      ways: [
        ("abd", "highway=residential name=Mill Lane"),
        ("bcef", "highway=residential name=High Street"),
        ("eg", "highway=residential name=Low Street"),
      ], from: ("d", "b"), to: ("e", "f"),
      steps: ["depart", "turn right", "continue left", "arrive"]),
  ]

  @Test(arguments: journeys)
  func `command line and HTTP give the same bytes, RT-19`(journey: Journey) throws {
    let map = try DrawnMap(
      journey.drawing, ways: journey.ways, nodes: journey.nodes, cell: journey.cell)
    let from = try map.coordinate(journey.from.0, journey.from.1, 0.5)
    let to = try map.coordinate(journey.to.0, journey.to.1, 0.5)
    for geometry in [OSRMGeometry.polyline, .polyline6, .geojson] {
      let handler = OSRMRequestHandler(shared: RouterShared(graph: map.graph), vehicle: "ego")
      let target =
        "/route/v1/driving/\(from.longitudeDeg),\(from.latitudeDeg);"
        + "\(to.longitudeDeg),\(to.latitudeDeg)"
        + "?steps=true&overview=full&geometries=\(geometry.rawValue)"
      let (status, http) = handler.response(to: Array(target.utf8), now: Instant(seconds: 100))
      #expect(status == 200)
      let request = RouteRequest(waypoints: [Waypoint(place: from), Waypoint(place: to)])
      let found = try RouteCommand.compute(request, on: map.graph)
      let line = RouteJSON.osrm(found.routes, found.paths, of: request, geometry, on: map.graph)
      #expect(line == String(decoding: http, as: UTF8.self))
      #expect(try Self.steps(http) == journey.steps)
    }
  }

  private static func steps(_ json: [UInt8]) throws -> [String] {
    let answer = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
    let routes = answer?["routes"] as? [[String: Any]]
    let legs = try #require(routes?.first?["legs"] as? [[String: Any]])
    return legs.flatMap { $0["steps"] as? [[String: Any]] ?? [] }.map { step in
      let maneuver = step["maneuver"] as? [String: Any] ?? [:]
      return [maneuver["type"], maneuver["modifier"]].compactMap { $0 as? String }
        .joined(separator: " ")
    }
  }
}
