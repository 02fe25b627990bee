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

/// Calls of the router about a route that it knows by its handle, and that fail.
enum RouterHandleErrors {
  private typealias Bench = RouterErrorBench

  static let all: [FailingCall] = returns + refreshes + prices

  // MARK: route/return

  private static func back(
    _ code: String, _ because: String, field: String? = nil,
    _ request: @escaping @Sendable (DrawnMap, Route) throws -> RouteReturnRequest
  ) -> FailingCall {
    FailingCall("route/return", code, because, field: field) {
      let map = try Bench.roads()
      let harness = Bench.harness(map)
      return harness.end(try request(map, try Bench.route(map, harness)))
    }
  }

  private static func wayBack(
    to route: Route, from place: Coordinate, section: Int64 = 0
  ) -> RouteReturnRequest {
    RouteReturnRequest(
      handle: route.handle, latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg,
      section: section, travelledOnSectionM: 100)
  }

  /// The way back to a route that only a server may answer, after `calls` other calls to it.
  private static func onlineBack(
    _ code: String, _ because: String, calls: Int = 0,
    _ change: @escaping @Sendable (inout Route) -> Void = { _ in }
  ) -> FailingCall {
    FailingCall("route/return", code, because) {
      let map = try Bench.roads()
      var setting = RouterEngineTests.server
      setting.callsPerHour = 1
      let harness = Bench.harness(map, setting, Bench.dead)
      var left = try Bench.route(map, Bench.harness(map))
      left.request.connectivity = .online
      change(&left)
      for _ in 0..<calls {
        let wanted = Bench.request([try Bench.place(map, "a"), try Bench.place(map, "d")])
        _ = harness.end(RouteCalculateRequest(wanted.wire))
      }
      var request = wayBack(to: left, from: try map.coordinate("a", "b", 0.5))
      (request.handle, request.route) = (nil, left.wire)
      return harness.end(request)
    }
  }

  private static let returns: [FailingCall] = [
    back("invalid", "a section that the route does not have") {
      wayBack(to: $1, from: try Bench.place($0, "b"), section: 7)
    },
    back("invalid", "a broken route", field: "route.shape") {
      var wire = $1.wire
      wire.shape = "\u{1}"
      var request = wayBack(to: $1, from: try Bench.place($0, "b"))
      (request.handle, request.route) = (nil, wire)
      return request
    },
    back("could_not_match_origin", "a vehicle far from every road") {
      wayBack(to: $1, from: try Bench.place($0, "b", northM: 5_000))
    },
    back("could_not_match_destination", "a route to a place far from every road") {
      var left = $1
      let far = try Bench.place($0, "d", northM: 15_000)
      left.waypoints[left.waypoints.count - 1].original.place = far
      left.request.waypoints[left.request.waypoints.count - 1].place = far
      var request = wayBack(to: left, from: try Bench.place($0, "b"))
      (request.handle, request.route) = (nil, left.wire)
      return request
    },
    back("no_route_found", "a vehicle on roads that do not lead back") {
      wayBack(to: $1, from: try Bench.place($0, "h"))
    },
    back("no_map_data", "a vehicle beyond the map") { wayBack(to: $1, from: Bench.beyond) },
    back("route_handle_missing", "neither route nor handle") {
      var request = wayBack(to: $1, from: try Bench.place($0, "b"))
      request.handle = nil
      return request
    },
    back("route_handle_outdated", "a handle that is not known") {
      var request = wayBack(to: $1, from: try Bench.place($0, "b"))
      request.handle = "h-99"
      return request
    },
    FailingCall("route/return", "cancelled", "a caller that gave up") {
      let map = try Bench.roads()
      let left = try Bench.route(map, Bench.harness(map))
      var stage = RouterStage(vehicle: "ego", shared: Bench.shared(map))
      var request = wayBack(to: left, from: try map.coordinate("a", "b", 0.5))
      (request.handle, request.route) = (nil, left.wire)
      return try Bench.cancelled(&stage, request)
    },
    onlineBack("unsupported_option", "an option that the server cannot honour") {
      $0.request.optimisation = .shortest
    },
    onlineBack("engine_unavailable", "a server that does not answer"),
    onlineBack("engine_budget_spent", "a second call in the hour", calls: 1),
  ]

  // MARK: route/refresh and route/traffic

  /// A refresh of the route from a to d on a map that was replaced by one with other tags.
  private static func replaced(
    _ code: String, _ because: String, _ tags: [String: String]
  ) -> FailingCall {
    FailingCall("route/refresh", code, because) {
      var bench = RouterStageTests.Bench(try Bench.roads())
      let old = try bench.route("ad")
      _ = bench.stage.receiveMap(RouterShared(graph: try Bench.roads(tags).graph))
      let request = RouteRefreshRequest(
        handle: old.handle ?? "", travelledOnSectionM: 100, better: true)
      return try bench.call(RouteRefreshRequest.call, request.encoded())
    }
  }

  private static func refresh(
    _ code: String, _ because: String, handle: String? = nil, section: Int64 = 0
  ) -> FailingCall {
    FailingCall("route/refresh", code, because) {
      let map = try Bench.roads()
      let harness = Bench.harness(map)
      let known = try Bench.route(map, harness).handle ?? ""
      return harness.end(RouteRefreshRequest(handle: handle ?? known, section: section))
    }
  }

  private static let refreshes: [FailingCall] = [
    refresh("invalid", "a section that the route does not have", section: 7),
    refresh("route_handle_missing", "an empty handle", handle: ""),
    refresh("route_handle_outdated", "a handle that is not known", handle: "h-99"),
    replaced(
      "could_not_match_origin", "roads that are closed to cars now", ["ab": Bench.closedToCars]),
    replaced(
      "could_not_match_destination", "a destination whose roads are closed to cars now",
      ["bc": Bench.closedToCars, "cd": Bench.closedToCars]),
    replaced(
      "no_route_found", "a road on the way that is closed to cars now", ["bc": Bench.closedToCars]),
    FailingCall("route/refresh", "cancelled", "a caller that gave up") {
      var bench = RouterStageTests.Bench(try Bench.roads())
      let old = try bench.route("ad")
      return try Bench.cancelled(&bench.stage, RouteRefreshRequest(handle: old.handle ?? ""))
    },
  ]

  private static func traffic(
    _ code: String, _ because: String, handle: String? = nil, section: Int64 = 0
  ) -> FailingCall {
    FailingCall("route/traffic", code, because) {
      let map = try Bench.roads()
      let harness = Bench.harness(map)
      let known = try Bench.route(map, harness).handle ?? ""
      return harness.end(RouteTrafficRequest(handle: handle ?? known, section: section))
    }
  }

  private static let prices: [FailingCall] = [
    traffic("invalid", "a section that the route does not have", section: 7),
    traffic("route_handle_missing", "an empty handle", handle: ""),
    traffic("route_handle_outdated", "a handle that is not known", handle: "h-99"),
  ]
}
