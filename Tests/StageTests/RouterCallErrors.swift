import DrawnMaps
import ExternalRouting
import Foundations
import Geodesy
import Harness
import Messages
import RoadGraph
import Route
import RouteWire
import Routing
import Stage

@testable import RouterStage

/// Calls of the router that need no handle, and fail.
enum RouterCallErrors {
  private typealias Bench = RouterErrorBench

  static let all: [FailingCall] = calculations + imports + searches

  // MARK: route/calculate

  private static func calculate(
    _ code: String, _ because: String,
    _ places: @escaping @Sendable (DrawnMap) throws -> [Coordinate]
  ) -> FailingCall {
    FailingCall("route/calculate", code, because) {
      let map = try Bench.roads()
      return Bench.harness(map).end(RouteCalculateRequest(Bench.request(try places(map)).wire))
    }
  }

  /// A calculation that only a server may answer, `times` over.
  private static func online(
    _ code: String, _ because: String, _ fetch: EngineFetch? = nil, times: Int = 1,
    _ change: @escaping @Sendable (inout RouteRequest) -> Void = { _ in }
  ) -> FailingCall {
    FailingCall("route/calculate", code, because) {
      let map = try Bench.roads()
      var setting = RouterEngineTests.server
      setting.callsPerHour = 1
      let harness = Bench.harness(map, setting, fetch)
      var wanted = Bench.request([try Bench.place(map, "a"), try Bench.place(map, "d")])
      change(&wanted)
      var end: EncodedOutcome?
      for _ in 0..<times { end = harness.end(RouteCalculateRequest(wanted.wire)) }
      return end
    }
  }

  private static let calculations: [FailingCall] = [
    calculate("invalid", "one waypoint") { [try Bench.place($0, "a")] },
    calculate("could_not_match_origin", "an origin far from every road") {
      [try Bench.place($0, "a", northM: 5_000), try Bench.place($0, "d")]
    },
    calculate("could_not_match_destination", "a destination far from every road") {
      [try Bench.place($0, "a"), try Bench.place($0, "d", northM: 15_000)]
    },
    calculate("no_route_found", "roads that do not meet") {
      [try Bench.place($0, "a"), try Bench.place($0, "h")]
    },
    calculate("no_map_data", "a destination beyond the map") {
      [try Bench.place($0, "a"), Bench.beyond]
    },
    FailingCall("route/calculate", "cancelled", "route/cancel") {
      let map = try Bench.roads()
      var stage = RouterStage(vehicle: "ego", shared: Bench.shared(map))
      var wire = Bench.request([try Bench.place(map, "a"), try Bench.place(map, "d")]).wire
      wire.requestId = "q-1"
      return try Bench.cancelled(&stage, RouteCalculateRequest(wire), name: "q-1")
    },
    online("unsupported_option", "an option that the server cannot honour", Bench.dead) {
      $0.optimisation = .shortest
    },
    online("engine_unavailable", "a server that does not answer", Bench.dead),
    online("engine_budget_spent", "a second call in the hour", Bench.dead, times: 2),
  ]

  // MARK: route/import

  private static func importing(
    _ code: String, _ because: String,
    _ change: @escaping @Sendable (inout RouteImportRequest, DrawnMap) throws -> Void
  ) -> FailingCall {
    FailingCall("route/import", code, because) {
      let map = try Bench.roads()
      var request = RouteImportRequest()
      try change(&request, map)
      return Bench.harness(map).end(request)
    }
  }

  private static let imports: [FailingCall] = [
    importing("invalid", "a request without a way") { _, _ in },
    importing("no_match", "a line far from every road") { request, map in
      request.line = EncodedPolyline.encode([
        try Bench.place(map, "a", northM: 5_000), try Bench.place(map, "b", northM: 5_000),
      ])
    },
    importing("no_map_data", "a line beyond the map") { request, _ in
      request.line = EncodedPolyline.encode([
        Bench.beyond, Bench.beyond.moved(bearingDeg: 0, distanceM: 500),
      ])
    },
    importing("no_route_found", "pieces of road that do not meet") { request, map in
      request.segments = try (map.edges("ab") + map.edges("gi")).map {
        map.graph.reference($0).wire
      }
    },
    FailingCall("route/import", "cancelled", "route/cancel") {
      let map = try Bench.roads()
      var stage = RouterStage(vehicle: "ego", shared: Bench.shared(map))
      let line = EncodedPolyline.encode([try Bench.place(map, "a"), try Bench.place(map, "b")])
      return try Bench.cancelled(
        &stage, RouteImportRequest(line: line, requestId: "q-1"), name: "q-1")
    },
  ]

  // MARK: place/find and map/segment

  private static func find(
    _ code: String, _ because: String, field: String, _ request: PlaceFindRequest
  ) -> FailingCall {
    FailingCall("place/find", code, because, field: field) {
      Bench.harness(try Bench.roads()).end(request)
    }
  }

  private static let searches: [FailingCall] = [
    find(
      "invalid", "a latitude without a longitude", field: "lon_deg",
      PlaceFindRequest(text: "High Street", latDeg: 1)),
    find(
      "invalid", "a search along a line without a category", field: "line",
      PlaceFindRequest(text: "High Street", line: "_izlhA~rlgdF_seK~hsB")),
    find(
      "invalid", "a line that breaks off", field: "line",
      PlaceFindRequest(category: .fuel, line: "_izlhA~")),
    find(
      "invalid", "a line of one point", field: "line",
      PlaceFindRequest(category: .fuel, line: "_izlhA~rlgdF")),
    find(
      "invalid", "more kinds than a search may have", field: "kinds",
      PlaceFindRequest(kinds: Array(repeating: "fuel", count: 65))),
    find(
      "not_found", "a category that the map does not have", field: "category",
      PlaceFindRequest(category: .fuel)),
    find(
      "not_found", "a name that the map does not have", field: "text",
      PlaceFindRequest(text: "Nowhere")),
    find(
      "no_map_data", "a place to search near beyond the map", field: "lat_deg",
      PlaceFindRequest(text: "Nowhere", latDeg: 10, lonDeg: 10)),
    FailingCall("map/segment", "not_found", "a piece that the map does not have", field: "segment")
    {
      let segment = SegmentReference(way: 1, from: 2, to: 3).wire
      return Bench.harness(try Bench.roads()).end(MapSegmentRequest(segment: segment))
    },
  ]
}
