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

/// Routers on a drawn map, whose calls can be made to fail.
enum RouterErrorBench {
  /// High Street from a to d, 36 km, and another network that no road leads to; `tags` replace those of
  /// a piece of High Street.
  static func roads(_ tags: [String: String] = [:]) throws -> DrawnMap {
    func way(_ letters: String) -> (String, String) {
      (letters, tags[letters] ?? "highway=secondary name=High Street")
    }
    return try DrawnMap(
      "a--b--c--d          g--h--i",
      ways: KeyValuePairs(
        dictionaryLiteral: way("ab"), way("bc"), way("cd"),
        ("ghi", "highway=secondary name=Low Street")),
      cell: 4_000)
  }

  static let closedToCars = "highway=secondary name=High Street motor_vehicle=no"

  /// A router alone in a harness, with a server to ask where `setting` names one.
  static func harness(
    _ map: DrawnMap, _ setting: ExternalEngineSettings = ExternalEngineSettings(),
    _ fetch: EngineFetch? = nil
  ) -> MemoryHarness {
    let harness = MemoryHarness(start: Instant(seconds: 100))
    harness.add(RouterStage.self, name: "router", shared: shared(map, setting, fetch))
    return harness
  }

  static func shared(
    _ map: DrawnMap, _ setting: ExternalEngineSettings = ExternalEngineSettings(),
    _ fetch: EngineFetch? = nil
  ) -> RouterShared {
    RouterShared(
      graph: map.graph, tuning: RoutingTuning(), leaseS: 86_400, leaseCount: 64,
      outside: ExternalEngine(setting, fetch: fetch))
  }

  static let dead: EngineFetch = { (_, _) throws(EngineFailure) in
    throw EngineFailure("refused")
  }
  static let beyond = Coordinate(latitudeDeg: 10, longitudeDeg: 10)

  /// So far to the north of a letter.
  static func place(
    _ map: DrawnMap, _ letter: Character, northM: Double = 0
  ) throws -> Coordinate {
    try map.coordinate(letter).moved(bearingDeg: 0, distanceM: northM)
  }

  static func request(_ places: [Coordinate]) -> RouteRequest {
    RouteRequest(waypoints: places.map { Waypoint(place: $0) })
  }

  /// The route from a to d; its handle is known to the router of the harness.
  static func route(_ map: DrawnMap, _ harness: MemoryHarness) throws -> Route {
    let wanted = request([try place(map, "a"), try place(map, "d")])
    return try route(harness.end(RouteCalculateRequest(wanted.wire)))
  }

  static func route(_ end: EncodedOutcome?) throws -> Route {
    guard case .ok(let payload)? = end,
      let wire = try RouteCalculateReply(decoding: payload).routes.first
    else { throw CallError(code: "internal", message: "no route: \(String(describing: end))") }
    return try Route(wire: wire)
  }

  /// The end of a call that is cancelled before its work begins: by route/cancel where the request
  /// has a name, else because its caller gave up.
  static func cancelled(
    _ stage: inout RouterStage, _ request: some RequestMessage, name: String? = nil
  ) throws -> EncodedOutcome? {
    let call = EncodedCall(
      id: "c-9", name: type(of: request).call, stamp: Instant(seconds: 100),
      payload: request.encoded())
    guard case .work(_, let body)? = try stage.receive(.call(call)).last else { return nil }
    var outputs: [EncodedOutput]
    if let name {
      let cancel = EncodedCall(
        id: "c-10", name: RouteCancelRequest.call, stamp: call.stamp,
        payload: RouteCancelRequest(requestId: name).encoded())
      outputs = try stage.receive(.call(cancel))
      guard case .ok(let payload)? = end(of: cancel.id, in: outputs),
        try RouteCancelReply(decoding: payload).cancelled
      else { return nil }
    } else {
      outputs = try stage.receive(.cancelled(callID: call.id))
    }
    // The work that comes to its thread later has nothing to say any more.
    return end(of: call.id, in: outputs + body())
  }

  private static func end(of callID: String, in outputs: [EncodedOutput]) -> EncodedOutcome? {
    let ends = outputs.compactMap { output -> EncodedOutcome? in
      if case .reply(callID, let outcome) = output { outcome } else { nil }
    }
    return ends.count == 1 ? ends[0] : nil
  }
}
