import CallCases
import DrawnMaps
import DrawnRoutes
import DynamicRoutingStage
import Foundations
import Geodesy
import Harness
import LocationStage
import MatcherStage
import Messages
import NavigatorStage
import RendererStage
import Route
import RouteWire
import Stage
import Testing
import VoiceStage

@testable import RouterStage

/// Every error code of every call that a stage serves, produced by that stage.
@Suite struct CallErrorTests {
  static let cases: [FailingCall] = [
    unknownFields, location, matcher, voice, watch, renderer, RegionCallErrors.all,
    RouterCallErrors.all,
    RouterHandleErrors.all,
    NavigatorCallErrors.all,
  ].flatMap { $0 }

  @Test("a call ends with the code that its page declares, RT-22, BUS-5", arguments: cases)
  func ends(_ one: FailingCall) throws {
    guard case .failed(let error)? = try one.end() else {
      Issue.record("\(one.testDescription): the call did not fail")
      return
    }
    #expect(error.code == one.code.code, "\(error.message)")
    #expect(error.field == one.field, "\(error.message)")
    #expect(error.message.contains(" "), "\(error.message)")
  }

  @Test("every error code of every call of a stage has a case, RT-22, BUS-5")
  func complete() {
    for fault in CallCoverage.faults(of: Self.cases.map(\.code), in: "StageTests") {
      Issue.record("\(fault)")
    }
    for stray in CallCoverage.strays { Issue.record("\(stray)") }
  }

  @Test("a code without a case and a case without a code are reported")
  func gaps() {
    let all = Self.cases.map(\.code)
    let less = all.filter { $0 != CallCode("place/find", "not_found") }
    #expect(
      CallCoverage.faults(of: less, in: "StageTests") == ["no test produces place/find: not_found"])
    let more = all + [CallCode("place/find", "no_such_code"), CallCode("place/lose", "invalid")]
    #expect(
      CallCoverage.faults(of: more, in: "StageTests") == [
        "place/find: no_such_code is produced, but not declared in Protocols/",
        "place/lose: invalid: the contract has no such call",
      ])
  }

  // MARK: Cases

  private static func shared<S: Stage>(
    _ stage: S.Type, _ given: [String: ParameterValue] = [:]
  ) throws -> S.Shared {
    try S.load(try Parameters(given, declared: S.manifest.parameters))
  }

  private static let unknownFields: [FailingCall] = [
    FailingCall.unknownFields(LocationStage.self) {
      try shared(LocationStage.self, ["start_at": "1,2"])
    },
    FailingCall.unknownFields(MatcherStage.self) { MatcherShared(graph: try town().graph) },
    FailingCall.unknownFields(RouterStage.self) { RouterShared(graph: try town().graph) },
    FailingCall.unknownFields(NavigatorStage.self) { try shared(NavigatorStage.self) },
    FailingCall.unknownFields(VoiceStage.self) { try shared(VoiceStage.self, ["sink": "none"]) },
    FailingCall.unknownFields(DynamicRoutingStage.self) { try shared(DynamicRoutingStage.self) },
    FailingCall.unknownFields(RendererStage.self) {
      try shared(RendererStage.self, ["map": "town.navmap"])
    },
  ].flatMap { $0 }

  private static func town() throws -> DrawnMap {
    try DrawnMap("a----b----c", ways: ["abc": "highway=primary"])
  }

  private static func control(
    _ code: String, _ because: String, field: String? = nil, source: String = "simulator",
    _ requests: LocationControlRequest...
  ) -> FailingCall {
    FailingCall("location/control", code, because, field: field) {
      let harness = try MemoryHarness(
        LocationStage.self, ["source": .string(source), "start_at": "1,2"])
      return requests.map { harness.end($0) }.last ?? nil
    }
  }

  private static let location: [FailingCall] = [
    control(
      "invalid", "a rate without a number", field: "rate", LocationControlRequest(command: .rate)),
    control("invalid", "a step of a running clock", LocationControlRequest(command: .step)),
    control(
      "not_supported", "a rate that no clock has", field: "rate",
      LocationControlRequest(command: .rate, rate: 2_000)),
    control(
      "not_supported", "a simulator that is to seek",
      LocationControlRequest(command: .seek, toS: 5)),
    control(
      "not_supported", "an outside source that is to step", source: "external",
      LocationControlRequest(command: .pause), LocationControlRequest(command: .step)),
    control(
      "not_supported", "an outside source that is to leave the route", source: "external",
      LocationControlRequest(command: .leaveRoute)),
  ]

  private static func trace(
    _ code: String, _ because: String, field: String? = nil,
    _ fixes: @escaping @Sendable (DrawnMap) throws -> [LocationRaw]
  ) -> FailingCall {
    FailingCall("match/trace", code, because, field: field) {
      let map = try town()
      let harness = MemoryHarness()
      harness.add(MatcherStage.self, name: "matcher", shared: MatcherShared(graph: map.graph))
      return harness.end(MatchTraceRequest(fixes: try fixes(map), mode: .car))
    }
  }

  private static func fix(
    _ map: DrawnMap, second: Double?, northM: Double = 0
  ) throws -> LocationRaw {
    let place = try map.coordinate("a", "c", 0.5).moved(bearingDeg: 0, distanceM: northM)
    return LocationRaw(
      latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg,
      timeNs: second.map { Instant(seconds: 1_790_000_000 + $0).nanoseconds })
  }

  private static let matcher: [FailingCall] = [
    FailingCall("location/interpolate", "invalid", "a time out of range", field: "for_s") {
      let harness = MemoryHarness()
      harness.add(
        MatcherStage.self, name: "matcher", shared: MatcherShared(graph: try town().graph))
      return harness.end(LocationInterpolateRequest(forS: -1))
    },
    trace("invalid", "no fixes", field: "fixes") { _ in [] },
    trace("invalid", "a time that goes back", field: "fixes[1]") {
      [try fix($0, second: 5), try fix($0, second: 4)]
    },
    trace("no_time", "fixes without a time", field: "fixes") { [try fix($0, second: nil)] },
    trace("no_match", "fixes beside every road") { [try fix($0, second: 1, northM: 500)] },
    trace("no_map_data", "fixes beyond the map") { [try fix($0, second: 1, northM: 500_000)] },
  ]

  private static let voice: [FailingCall] = [
    FailingCall("voice/repeat", "nothing_to_repeat", "silence so far") {
      try MemoryHarness(VoiceStage.self, ["sink": "none"]).end(VoiceRepeatRequest())
    }
  ]

  private static func shield(
    _ code: String, _ because: String, field: String? = nil, _ request: SceneShieldRequest
  ) -> FailingCall {
    FailingCall("scene/shield", code, because, field: field) {
      try MemoryHarness(RendererStage.self, ["map": "town.navmap"]).end(request)
    }
  }

  private static let renderer: [FailingCall] = [
    shield(
      "invalid", "a span where no route is followed", field: "span", SceneShieldRequest(span: 0)),
    shield(
      "no_number", "a road without a number", field: "number", SceneShieldRequest(country: "DE")),
    shield(
      "no_country", "a number without a country", field: "country",
      SceneShieldRequest(number: "B 3")),
  ]

  private static let watch: [FailingCall] = [
    FailingCall(
      "route/watch", "route_handle_missing", "a route without a handle", field: "route.handle"
    ) {
      let wire = drawn("abcd", handle: nil).wire
      return try MemoryHarness(DynamicRoutingStage.self).end(RouteWatchRequest(route: wire))
    },
    FailingCall("route/watch", "invalid", "a broken route", field: "route.shape") {
      var wire = drawn("abcd").wire
      wire.shape = "\u{1}"
      return try MemoryHarness(DynamicRoutingStage.self).end(RouteWatchRequest(route: wire))
    },
    FailingCall("route/watch", "busy", "a route that is being followed") {
      let harness = try MemoryHarness(DynamicRoutingStage.self)
      let active = RouteActive(reason: .new, route: drawn("abcd").wire)
      harness.publish(
        topic: RouteActive.topic, stamp: Instant(seconds: 1), payload: active.encoded(),
        vehicle: "ego")
      return harness.end(RouteWatchRequest(route: drawn("efgh").wire))
    },
  ]
}
