import DrawnMaps
import Geodesy
import RoadGraph
import Route
import Testing

/// Where a route boards what is no road, the router adds a stop.
@Suite struct AddedStopRouteTests {
  private func route(
    _ drawing: String, _ ways: KeyValuePairs<String, String>, through letters: String,
    mode: TravelMode = .car
  ) throws -> (Route, DrawnMap) {
    let map = try DrawnMap(drawing, ways: ways, cell: 200)
    let router = DrawnRouter(map)
    return (try router.route(try router.request(letters, mode: mode)), map)
  }

  @Test(arguments: [TravelMode.car, .bicycle, .pedestrian])
  func `a ferry is boarded at a stop that the router adds, MS-1`(mode: TravelMode) throws {
    let (route, map) = try route(
      "a-b-c-d",
      [
        "ab": "highway=tertiary",
        "bc": "route=ferry duration=00:10 name=Crossing motor_vehicle=yes bicycle=yes foot=yes",
        "cd": "highway=tertiary",
      ], through: "ad", mode: mode)
    let stop = try #require(route.addedStops.first)
    #expect(route.addedStops.count == 1)
    #expect(stop.kind == .ferry)
    #expect(stop.name == "Crossing")
    #expect(stop.place.distanceM(to: try map.coordinate("b")) < 0.1)
    #expect(abs(stop.offsetM - 400) < 2)
    #expect(abs(stop.lengthM - 400) < 2)
    #expect(route.shape[stop.shapeIndex] == stop.place)
    #expect(route.maneuvers.first { $0.action == .ferry }?.offsetM == stop.offsetM)
    // It is no waypoint of the request, and ends no section.
    #expect(route.waypoints.map(\.userIndex) == [0, 1])
    #expect(route.sections.count == 1)
  }

  @Test func `car trains, and crossings one after the other, are stops of their own, MS-1`() throws
  {
    let (route, map) = try route(
      "a-b-c-d-e-f-g",
      [
        "ab": "highway=tertiary", "bc": "route=shuttle_train name=Tunnel duration=00:10",
        "cd": "route=ferry name=Belle duration=00:05", "de": "highway=tertiary",
        "ef": "route=ferry name=Dora duration=00:05", "fg": "highway=tertiary",
      ], through: "ag")
    #expect(route.addedStops.map(\.kind) == [.carTrain, .ferry, .ferry])
    #expect(route.addedStops.map(\.name) == ["Tunnel", "Belle", "Dora"])
    for (stop, letter) in zip(route.addedStops, "bce") {
      #expect(stop.place.distanceM(to: try map.coordinate(letter)) < 0.1)
    }
    let offsets = route.addedStops.map(\.offsetM)
    #expect(offsets == offsets.sorted())
  }

  @Test func `a crossing in pieces is boarded once, in the section where it begins, MS-1`() throws {
    let (route, _) = try route(
      "a-b-c-d-e-f",
      [
        "abc": "highway=tertiary", "cd": "route=ferry name=Belle duration=00:05",
        "de": "route=ferry name=Belle duration=00:05", "ef": "highway=tertiary",
      ], through: "abf")
    #expect(route.addedStops.count == 1)
    #expect(route.addedStops.first?.section == 1)
    #expect(abs((route.addedStops.first?.lengthM ?? 0) - 800) < 4)
  }

  @Test func `without a ferry nothing is added, MS-1`() throws {
    let (route, _) = try route("a-b-c", ["abc": "highway=tertiary"], through: "abc")
    #expect(route.addedStops.isEmpty)
  }
}
