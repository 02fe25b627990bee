import Foundations
import Geodesy
import Guidance
import Messages
import RoadAhead
import RoadGraph
import Route
import RouteWire
import Stage

extension NavigatorStage {
  /// Evaluates the road ahead of a location: warnings, and the horizon.
  mutating func lookAhead(_ sighting: VehicleLocation) -> [StageOutput] {
    guard let map = shared.map, let match = sighting.match, let here = known,
      here.segment == match.segment
    else { return [] }
    let place = RoadAheadMonitor.Place(
      position: RoadPosition(edge: here.edge, offsetM: match.offsetM), time: sighting.time,
      probability: match.probability, driven: match.path.compactMap { map.edge($0) },
      speedMps: sighting.speedMps, limitMps: sighting.limits?.effectiveMps,
      isEstimated: sighting.isEstimated)
    let route = routeAhead(match.segment)
    let outputs = ahead.moved(
      place, on: map, mode: mode, route: route, settings: shared.ahead)
    let routeID = route == nil ? nil : navigator.route?.id
    return guessedSide(place.position, on: map.graph)
      + outputs.map { output in
        switch output {
        case .warning(let warning):
          publish(.guidanceWarning(GuidanceWarning(warning, routeID: routeID)))
        case .horizon(let tree):
          publish(.guidanceHorizon(GuidanceHorizon(tree, map.graph, mode, routeID: routeID)))
        }
      }
  }

  /// Warns once per map, for all vehicles, if the side of driving is unknown because the country
  /// is.
  private func guessedSide(_ position: RoadPosition, on graph: RoadGraph) -> [StageOutput] {
    let road = graph.attributes(position.edge)
    guard road.country == nil, mode.isMotorised, shared.sideNotice.isFirst() else { return [] }
    let side = road.flags.contains(.leftHand) ? "left" : "right"
    let place = graph.coordinate(position)
    let words = [place.latitudeDeg, place.longitudeDeg].map { "\(($0 * 1e5).rounded() / 1e5)" }
    return [
      .log(
        .warning,
        "the map has no country at \(words.joined(separator: ",")): driving on the \(side) is assumed;"
          + " nav map build --country or --drive-left sets it")
    ]
  }

  // The route predicts the road ahead only while the vehicle is on it.
  private func routeAhead(_ segment: SegmentReference) -> RouteAhead? {
    guard let route = navigator.route, let current = navigator.segment,
      route.segments.indices.contains(current), route.segments[current].reference == segment
    else { return nil }
    return RouteAhead(segments: route.segments, current: current)
  }

  func distance(_ request: WarningDistanceRequest, _ callID: String) -> StageOutput {
    let reply = WarningDistanceReply(distanceM: ahead.distanceM(to: request.id))
    return .reply(callID: callID, outcome: .ok(.warningDistance(reply)))
  }

  // MARK: Custom places

  /// Reports once per map, for all its vehicles, the custom places on no road, for which no warning
  /// is possible.
  mutating func reportStrayPlaces() -> [StageOutput] {
    guard !hasReportedStray else { return [] }
    hasReportedStray = true
    guard let custom = shared.map?.custom, !custom.stray.isEmpty, shared.strayNotice.isFirst()
    else { return [] }
    let most = 5
    let ids = custom.stray.prefix(most).map { "\"\(custom.places[$0].id)\"" }
    let more = custom.stray.count > most ? " and \(custom.stray.count - most) more" : ""
    return [
      .count("custom_places_on_no_road", custom.stray.count),
      .log(
        .warning,
        "custom_warnings: \(custom.stray.count) of \(custom.places.count) places lie on no road of the map: "
          + ids.joined(separator: ", ") + more),
    ]
  }

  // MARK: Incidents

  mutating func ingest(_ wire: TrafficIncidents) -> [StageOutput] {
    let repeated = ahead.replaceIncidents(
      wire.incidents.map(RoadIncident.init(wire:)), of: wire.feed)
    incidents.changed()
    guard repeated > 0 else { return [] }
    return [
      .count("incidents_repeated", repeated),
      .log(
        .warning,
        "\(TrafficIncidents.topic): feed \"\(wire.feed)\" uses the same id again for \(repeated) of \(wire.incidents.count) incidents; the first of each id is used"
      ),
    ]
  }

  /// Publishes the incidents on the route ahead if they have changed.
  mutating func publishIncidents() -> [StageOutput] {
    guard
      let list = incidents.moved(
        on: navigator.route, travelledM: navigator.travelledM ?? 0, ahead.incidents, at: now)
    else { return [] }
    // An incident may block the road, so the traffic on the route is requested early.
    if !list.isEmpty { _ = navigator.handle(.trafficChanged()) }
    return [
      publish(
        .guidanceTraffic(
          GuidanceTraffic(routeId: navigator.route?.id, incidents: list.map(\.wire))))
    ]
  }
}

extension RoadIncident {
  init(wire: WireIncident) {
    self.init(
      id: wire.id, kind: wire.kind.rawValue, text: wire.text,
      segments: wire.segments.map(SegmentReference.init(wire:)),
      from: wire.fromNs.map(Instant.init(nanoseconds:)),
      until: wire.untilNs.map(Instant.init(nanoseconds:)))
  }
}

extension RouteIncident {
  var wire: WireRouteIncident {
    WireRouteIncident(
      id: incident.id, feed: feed,
      kind: WireRouteIncident.Kind(rawValue: incident.kind) ?? .other, text: incident.text,
      startM: startM, lengthM: endM - startM, section: Int64(section),
      spans: spans.map(Int64.init), untilNs: incident.until?.nanoseconds)
  }
}

extension GuidanceWarning {
  init(_ warning: RoadWarning, routeID: String?) {
    let object = warning.object
    self.init(
      id: object.id, kind: Kind(rawValue: object.kind.rawValue) ?? .other,
      event: Event(rawValue: warning.event.rawValue) ?? .ahead,
      distanceM: warning.event == .ahead || warning.event == .reached ? warning.distanceM : nil,
      lengthM: object.endM.map { max(0, $0 - object.startM) },
      latDeg: object.place?.latitudeDeg, lonDeg: object.place?.longitudeDeg,
      segment: object.segment?.wire, limitMps: object.limitMps, text: object.text,
      routeId: routeID)
  }
}

extension GuidanceHorizon {
  init(_ tree: Horizon, _ graph: RoadGraph, _ mode: TravelMode, routeID: String?) {
    self.init(
      routeId: routeID, current: Int64(tree.current), offsetM: max(0, tree.offsetM),
      pieces: tree.pieces.map { WireHorizonPiece($0, graph, mode) })
  }
}

extension WireHorizonPiece {
  init(_ piece: Horizon.Piece, _ graph: RoadGraph, _ mode: TravelMode) {
    let road = graph.attributes(piece.edge)
    let speed = road.freeFlowMps(mode)
    self.init(
      segment: graph.reference(piece.edge).wire, parent: piece.parent.map(Int64.init),
      level: Int64(piece.level), startM: piece.startM, lengthM: piece.lengthM,
      probability: min(1, max(0, piece.probability)), turnAngleDeg: piece.angleDeg,
      shape: EncodedPolyline.encode(graph.shape(piece.edge)),
      road: RoadFacts(graph, piece.edge).wire,
      laneCount: road.laneCount > 0 ? Int64(road.laneCount) : nil,
      freeFlowMps: speed > 0 ? speed : nil,
      trafficSignals: graph.columns.nodeFlags[graph.head(piece.edge).index].contains(
        .trafficSignals))
  }
}
