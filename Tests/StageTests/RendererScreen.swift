import Foundations
import Geodesy
import Messages
import RendererStage
import Stage

/// A renderer with a route of three points, and the messages of a drive along it.
struct Screen {
  var stage: RendererStage
  private var sequence: UInt64 = 0
  static let shape = [(47.0, 9.0), (47.0, 9.01), (47.01, 9.01)].map {
    Coordinate(latitudeDeg: $0.0, longitudeDeg: $0.1)
  }

  init(_ given: [String: ParameterValue] = [:]) throws {
    stage = try Self.stage(given)
  }

  mutating func send(
    _ topic: String, _ payload: [UInt8], seconds: Double
  ) throws -> [EncodedOutput] {
    sequence += 1
    return try stage.receive(
      .message(
        EncodedMessage(
          topic: topic, stamp: Instant(seconds: 1_790_000_000 + seconds), source: "test", run: 1,
          sequence: sequence, payload: payload)))
  }

  mutating func send(_ message: some TopicMessage, seconds: Double) throws -> [EncodedOutput] {
    try send(type(of: message).topic, message.encoded(), seconds: seconds)
  }

  static func frames(_ outputs: [EncodedOutput]) throws -> [SceneFrame] {
    try outputs.compactMap {
      guard case .publish(SceneFrame.topic, _, let payload, _, _, _) = $0 else { return nil }
      return try SceneFrame(decoding: payload)
    }
  }

  static func settings(_ outputs: [EncodedOutput]) throws -> [WireSceneSettings] {
    try outputs.compactMap {
      guard case .publish(SceneSettings.topic, _, let payload, _, _, _) = $0 else { return nil }
      return try SceneSettings(decoding: payload).body
    }
  }

  /// Calls `scene/control`.
  mutating func control(
    _ request: SceneControlRequest, seconds: Double
  ) throws -> [EncodedOutput] {
    try stage.receive(
      .call(
        EncodedCall(
          id: "c", name: SceneControlRequest.call, stamp: Instant(seconds: 1_790_000_000 + seconds),
          payload: request.encoded())))
  }

  /// The error of the only reply.
  static func error(_ outputs: [EncodedOutput]) -> CallError? {
    guard outputs.count == 1, case .reply("c", .failed(let error))? = outputs.first else {
      return nil
    }
    return error
  }

  /// A stage with other parameters.
  static func stage(_ given: [String: ParameterValue] = [:]) throws -> RendererStage {
    let parameters = try Parameters(
      ["map": "none.navmap"].merging(given) { $1 },
      declared: RendererStage.manifest.parameters)
    return RendererStage(vehicle: "ego", shared: try RendererStage.load(parameters))
  }

  static func road(_ name: String) -> WireRoad { WireRoad(name: name) }

  static var route: WireRoute {
    let turn = WireManeuver(
      action: .turn, grade: .left, latDeg: 47, lonDeg: 9.01, offsetM: 758, section: 0, segment: 1,
      shapeIndex: 1, bearingBeforeDeg: 90, bearingAfterDeg: 0, fromRoad: road("Long Road"),
      ontoRoad: road("Mill Lane"), lanes: [], lengthM: 1112, durationS: 90,
      text: "Turn left onto Mill Lane.")
    var depart = turn
    depart.action = .depart
    depart.grade = nil
    depart.offsetM = 0
    return WireRoute(
      id: "r-1", request: WireRouteRequest(waypoints: [], mode: .bicycle), waypoints: [],
      lengthM: 1870, durationFreeFlowS: 190, durationTrafficS: 190, durationLatestS: 190,
      southDeg: 47, westDeg: 9, northDeg: 47.01, eastDeg: 9.01,
      shape: EncodedPolyline.encode(shape), segments: .none, sections: [], roads: [],
      spans: .none, maneuvers: [depart, turn], violations: [], computedNs: 0)
  }

  static func location(_ longitude: Double) -> LocationMatched {
    LocationMatched(
      state: .matched, latDeg: 47, lonDeg: longitude, bearingDeg: 90, path: [], speedMps: 10)
  }

  static func progress(
    fraction: Double, remainingM: Double, speedMps: Double? = 10, isEstimated: Bool = false
  ) -> GuidanceProgress {
    GuidanceProgress(
      routeId: "r-1", onRoute: .yes, section: 0, travelledOnSectionM: 0, travelledM: 0,
      remainingM: remainingM + 1112, remainingS: 100, remainingText: "", remainingNumber: 0,
      remainingUnit: .m, etaNs: 1_790_000_100_000_000_000, etaZone: "Europe/Vaduz",
      etaUtcOffsetS: 7200, etaZoneDiffers: true, sections: [],
      maneuvers: [WireManeuverProgress(index: 1, remainingM: remainingM, remainingS: 30)],
      shapeIndex: 0, shapeFraction: fraction, latDeg: 47, lonDeg: 9, speedMps: speedMps,
      estimated: isEstimated)
  }
}

extension WireRouteSegments {
  fileprivate static var none: Self {
    Self(
      way: [], from: [], to: [], startM: [], lengthM: [], entryOffsetM: [], shapeIndex: [],
      durationS: [])
  }
}

extension WireRouteSpans {
  fileprivate static var none: Self {
    Self(
      startM: [], lengthM: [], firstShapeIndex: [], firstSegment: [], segmentCount: [],
      durationFreeFlowS: [], durationTrafficS: [], durationLatestS: [], road: [],
      baseSpeedMps: [], trafficSpeedMps: [], trafficKind: [], jamFactor: [])
  }
}
