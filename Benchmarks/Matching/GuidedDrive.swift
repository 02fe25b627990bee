import Foundations
import Geodesy
import MapMatching
import MatcherStage
import Messages
import NavigatorStage
import Positioning
import RoadGraph
import Route
import RouteWire
import RouterStage
import Stage

/// The router, the matcher and the navigator of one map, wired as on the bus.
struct GuidedDrive {
  /// What a fix led to.
  struct Answer {
    /// The last one told.
    var deviation: GuidanceDeviation?
    var isMatched = false
    /// Where it was put.
    var matched: LocationMatched?
    /// How far along the route that is, where guidance says so.
    var progress: GuidanceProgress?
    /// The destination was reached, which ends the guidance.
    var hasArrived = false
  }

  private let router: RouterShared
  private let matcher: MatcherShared
  private let navigator: NavigatorSettings

  init(graph: RoadGraph, tuning: MatcherTuning) throws {
    router = RouterShared(graph: graph)
    matcher = MatcherShared(graph: graph, mode: .car, tuning: tuning)
    navigator = try NavigatorStage.load(
      Parameters([:], declared: NavigatorStage.manifest.parameters))
  }

  /// The route over pieces of road, by the call `route/import`.
  func imported(_ segments: [SegmentReference]) throws -> Route {
    var stage = RouterStage(vehicle: "ego", shared: router)
    let request = RouteImportRequest(
      segments: segments.map(\.wire), mode: .car, language: "en-US")
    let call = EncodedCall(
      id: "c-1", name: RouteImportRequest.call, stamp: Instant(seconds: 0),
      payload: request.encoded())
    let reply = try RouteImportReply(decoding: Self.reply(try stage.receive(.call(call))))
    return try Route(wire: reply.route)
  }

  private static func reply(_ outputs: [EncodedOutput]) throws -> [UInt8] {
    for output in outputs {
      switch output {
      case .reply(_, .ok(let payload)): return payload
      case .reply(_, .failed(let error)): throw error
      case .work(_, let body): return try reply(body())
      default: continue
      }
    }
    throw CallError(code: "internal", message: "no reply")
  }

  /// A vehicle that follows `route`: gives what each of its fixes leads to.
  func follow(_ route: Route, at now: Instant) throws -> Vehicle {
    var vehicle = Vehicle(
      matcher: MatcherStage(vehicle: "ego", shared: matcher),
      navigator: NavigatorStage(vehicle: "ego", shared: navigator))
    try vehicle.start(route, at: now)
    return vehicle
  }

  struct Vehicle {
    fileprivate var matcher: MatcherStage
    fileprivate var navigator: NavigatorStage
    private var sequence: UInt64 = 0

    fileprivate init(matcher: MatcherStage, navigator: NavigatorStage) {
      self.matcher = matcher
      self.navigator = navigator
    }

    fileprivate mutating func start(_ route: Route, at now: Instant) throws {
      let call = EncodedCall(
        id: "c-2", name: NavigateSetRouteRequest.call, stamp: now,
        payload: NavigateSetRouteRequest(route: route.wire).encoded())
      for output in try navigator.receive(.call(call)) {
        guard case .publish(RouteActive.topic, let stamp, let payload, _, _, _) = output else {
          continue
        }
        _ = try matcher.receive(message(RouteActive.topic, stamp, payload))
      }
    }

    mutating func ingest(_ fix: Fix, at now: Instant) throws -> Answer {
      let raw = LocationRaw(
        latDeg: fix.place.latitudeDeg, lonDeg: fix.place.longitudeDeg,
        timeNs: now.nanoseconds, bearingDeg: fix.bearingDeg, speedMps: fix.speedMps,
        accuracyM: fix.accuracyM, bearingAccuracyDeg: fix.bearingAccuracyDeg,
        speedAccuracyMps: fix.speedAccuracyMps, provider: "gps")
      var answer = Answer()
      for output in try matcher.receive(message(LocationRaw.topic, now, raw.encoded())) {
        guard case .publish(LocationMatched.topic, let stamp, let payload, _, _, _) = output else {
          continue
        }
        let matched = try LocationMatched(decoding: payload)
        answer.isMatched = matched.state == .matched
        answer.matched = matched
        for reported in try navigator.receive(message(LocationMatched.topic, stamp, payload)) {
          if case .publish(GuidanceDeviation.topic, _, let payload, _, _, _) = reported {
            answer.deviation = try GuidanceDeviation(decoding: payload)
          }
          if case .publish(GuidanceProgress.topic, _, let payload, _, _, _) = reported {
            answer.progress = try GuidanceProgress(decoding: payload)
          }
          if case .publish(GuidanceArrival.topic, _, let payload, _, _, _) = reported {
            answer.hasArrived =
              try GuidanceArrival(decoding: payload).event == .destinationReached
          }
        }
      }
      return answer
    }

    private mutating func message(_ topic: String, _ stamp: Instant, _ payload: [UInt8])
      -> EncodedEvent
    {
      sequence += 1
      return .message(
        EncodedMessage(
          topic: topic, stamp: stamp, source: "bench", run: 1, sequence: sequence,
          payload: payload))
    }
  }
}
