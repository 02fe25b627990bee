import Foundations
import Geodesy
import Messages
import Scene
import Stage

/// A message that the renderer reads, as a value of the core.
enum RendererInput {
  case location(SceneLocation)
  case progress(SceneProgress)
  case deviation
  case route(WireRoute?, SceneRoute?)
  /// Speed limit in m/s; infinity for no limit, nil if unknown.
  case speedLimit(Double?)
  case lanes(maneuver: Int?, [WireLane])

  /// Returns nil for a message that does not affect the display.
  ///
  /// - Throws: `Refusal` for a route whose shape is no polyline.
  init?(_ message: Inbound) throws(Refusal) {
    switch message.value {
    case .locationMatched(let location):
      guard let input = Self.location(location, at: message.stamp) else { return nil }
      self = input
    case .guidanceProgress(let progress):
      self = .progress(SceneProgress(progress, at: message.stamp))
    case .guidanceDeviation: self = .deviation
    case .routeActive(let active):
      guard let route = active.route else {
        self = .route(nil, nil)
        return
      }
      guard let shown = SceneRoute(route) else {
        throw Refusal(
          reason: "does_not_decode",
          message: "\(message.topic): the shape of route \(route.id) is not a polyline",
          field: "route.shape")
      }
      self = .route(route, shown)
    case .deleted(.routeActive): self = .route(nil, nil)
    case .guidanceSpeed(let speed): self = .speedLimit(Self.limit(speed.limitMps))
    case .deleted(.guidanceSpeed): self = .speedLimit(nil)
    case .guidanceLanes(let lanes):
      self = .lanes(maneuver: lanes.maneuverIndex.map { Int(clamping: $0) }, lanes.lanes)
    case .deleted(.guidanceLanes): self = .lanes(maneuver: nil, [])
    default: return nil
    }
  }

  /// Returns the place on the road, or the raw position without a match.
  private static func location(_ wire: LocationMatched, at stamp: Instant) -> RendererInput? {
    guard let latitude = wire.latDeg ?? wire.raw?.latDeg,
      let longitude = wire.lonDeg ?? wire.raw?.lonDeg
    else { return nil }
    return .location(
      SceneLocation(
        place: Coordinate(latitudeDeg: latitude, longitudeDeg: longitude),
        bearingDeg: wire.bearingDeg ?? wire.raw?.bearingDeg,
        speedMps: wire.speedMps ?? wire.raw?.speedMps, at: stamp, isEstimated: wire.estimated,
        isInTunnel: wire.inTunnel, accuracyM: accuracyM(wire)))
  }

  /// The larger one of what the receiver reports and of the matcher's own estimate, which grows
  /// without fixes.
  private static func accuracyM(_ wire: LocationMatched) -> Double? {
    [wire.raw?.accuracyM, wire.uncertaintyM].compactMap(\.self).max()
  }

  /// Converts a limit from the wire, where 0 means no limit.
  static func limit(_ mps: Double?) -> Double? { mps.map { $0 == 0 ? .infinity : $0 } }
}

extension SceneProgress {
  init(_ wire: GuidanceProgress, at stamp: Instant) {
    let next = wire.maneuvers.first
    self.init(
      routeID: wire.routeId, shapeIndex: Int(clamping: wire.shapeIndex),
      shapeFraction: wire.shapeFraction, speedMps: wire.speedMps,
      isEstimated: wire.estimated, at: stamp, isOnRoute: wire.onRoute == .yes,
      remainingM: wire.remainingM, remainingS: wire.remainingS,
      arrivesAt: Instant(nanoseconds: wire.etaNs), arrivalClock: ArrivalClock(wire),
      maneuverIndex: next.map { Int(clamping: $0.index) },
      maneuverRemainingM: next?.remainingM,
      speedLimitMps: RendererInput.limit(wire.speedLimitMps))
  }
}

extension ArrivalClock {
  fileprivate init?(_ wire: GuidanceProgress) {
    guard let zone = wire.etaZone, let offset = wire.etaUtcOffsetS else { return nil }
    self.init(zone: zone, utcOffsetS: Int(clamping: offset), differs: wire.etaZoneDiffers)
  }
}

extension SceneRoute {
  /// Returns nil for a route whose shape is no polyline.
  init?(_ wire: WireRoute) {
    guard let shape = try? EncodedPolyline.decode(wire.shape) else { return nil }
    let style: IndicatorStyle =
      switch wire.request.mode {
      case .pedestrian: .pedestrian
      case .bicycle: .bicycle
      case .truck: .truck
      case .bus: .bus
      case .scooter: .scooter
      case .car, .taxi: .car
      }
    self.init(id: wire.id, style: style, line: Polyline(shape))
  }
}

extension SceneFrame {
  /// Creates the wire form of a scene; the texts of the next maneuver are those of `route`.
  init(_ view: SceneView, route: WireRoute?, lanes: [WireLane]) {
    self.init(
      cameraLatDeg: view.camera.place.latitudeDeg, cameraLonDeg: view.camera.place.longitudeDeg,
      cameraZoom: view.camera.zoom, cameraTiltDeg: view.camera.tiltDeg,
      cameraBearingDeg: view.camera.bearingDeg,
      cameraMode: view.camera.behaviour.flatMap { CameraMode(rawValue: $0.rawValue) } ?? .free,
      indicatorLatDeg: view.showsIndicator ? view.indicator.place.latitudeDeg : nil,
      indicatorLonDeg: view.showsIndicator ? view.indicator.place.longitudeDeg : nil,
      indicatorBearingDeg: view.showsIndicator ? view.indicator.bearingDeg : nil,
      indicatorStyle: IndicatorStyle(rawValue: view.indicator.style.rawValue) ?? .tracking,
      indicatorEstimated: view.showsIndicator && view.indicator.isEstimated,
      indicatorAccuracyM: view.showsIndicator ? view.indicator.accuracyM : nil,
      anchorX: view.anchorX, anchorY: view.anchorY, night: view.isNight, routeId: view.routeID,
      eatUpShapeIndex: view.eatUp.map { Int64($0.shapeIndex) },
      eatUpShapeFraction: view.eatUp?.shapeFraction,
      panel: WireScenePanel(view.panel, route: route, lanes: lanes))
  }
}

extension WireScenePanel {
  init(_ panel: SceneView.Panel, route: WireRoute?, lanes: [WireLane]) {
    let maneuver = panel.maneuverIndex.flatMap { index in
      route.flatMap { $0.maneuvers.indices.contains(index) ? $0.maneuvers[index] : nil }
    }
    self.init(
      maneuverIndex: maneuver == nil ? nil : panel.maneuverIndex.map(Int64.init),
      action: maneuver?.action, grade: maneuver?.grade, side: maneuver?.side,
      exitCount: maneuver?.exitCount, text: maneuver?.text,
      maneuverRemainingM: maneuver == nil ? nil : panel.maneuverRemainingM,
      maneuverDistanceText: maneuver == nil ? nil : panel.maneuverDistanceText,
      nextRoad: maneuver?.ontoRoad, signpost: maneuver?.signpost,
      lanes: panel.showsLanes ? lanes : [], speedMps: panel.speedMps,
      speedLimitMps: panel.speedLimitMps.map { $0.isFinite ? $0 : 0 },
      remainingM: panel.remainingM, remainingS: panel.remainingS,
      etaNs: panel.arrivesAt?.nanoseconds, etaZone: panel.arrivalClock?.zone,
      etaUtcOffsetS: panel.arrivalClock.map { Int64($0.utcOffsetS) },
      etaZoneDiffers: panel.arrivalClock?.differs ?? false)
  }
}
