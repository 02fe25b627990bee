import CLinux
import Foundations
import Geodesy
import Guidance
import MessagePack
import Messages
import NavigatorStage
import RoadGraph
import Route
import RouteWire
import Stage

/// A navigator that is shown one location a second along a route.
struct GuidedDrive {
  private let route: Route
  private let track: RouteTrack
  private var stage: NavigatorStage
  /// A usual speed; what it is matters little.
  private static let speedMps = 14.0

  init(_ route: Route, map: String, hasHorizon: Bool) throws {
    self.route = route
    track = RouteTrack(route)
    let parameters = try Parameters(
      ["map": .string(map), "horizon_m": .double(hasHorizon ? 1000 : 0)],
      declared: NavigatorStage.manifest.parameters)
    stage = NavigatorStage(vehicle: "ego", shared: try NavigatorStage.load(parameters))
    _ = try stage.receive(
      .call(
        EncodedCall(
          id: "c", name: NavigateSetRouteRequest.call, stamp: Instant(seconds: 0),
          payload: NavigateSetRouteRequest(route: route.wire).encoded())))
  }

  /// Drives the last seconds of the route, so many or as many as there are.
  consuming func row(legs: Int, locations: Int) throws -> GuidanceBench.Row {
    var microseconds: [Double] = []
    var stateUS: [Double] = []
    var outputs = 0
    let fromM = Double.maximum(0, route.lengthM - 60 - Double(locations) * Self.speedMps)
    var segment = 0
    for second in 0..<locations {
      let metres = fromM + Double(second) * Self.speedMps
      guard metres < route.lengthM - 50 else { break }
      while segment + 1 < route.segments.count, route.segments[segment + 1].startM <= metres {
        segment += 1
      }
      let event = message(metres, on: route.segments[segment], second: second)
      let start = clinux_cpu_ns()
      outputs += try stage.receive(event).count
      microseconds.append(Double(clinux_cpu_ns() - start) / 1000)
      if second % 100 == 99 {
        let start = clinux_cpu_ns()
        outputs += stage.savedState == nil ? 1 : 0
        stateUS.append(Double(clinux_cpu_ns() - start) / 1000)
      }
    }
    let sorted = microseconds.sorted()
    func at(_ share: Double) -> Double { sorted[Int(share * Double(sorted.count - 1))] }
    return GuidanceBench.Row(
      legs: legs, lengthKM: route.lengthM / 1000, segments: route.segments.count,
      maneuvers: route.maneuvers.count, locations: sorted.count,
      meanUS: sorted.reduce(0, +) / Double(sorted.count), p50US: at(0.5), p99US: at(0.99),
      stateUS: stateUS.reduce(0, +) / Double(max(1, stateUS.count)), outputs: outputs)
  }

  private func message(_ metres: Double, on segment: RouteSegment, second: Int) -> EncodedEvent {
    let intoM = metres - segment.startM
    let at = track.coordinate(atM: metres)
    let body = LocationMatched(
      state: .matched, latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, bearingDeg: 90,
      segment: segment.reference.wire, offsetM: segment.entryOffsetM + intoM,
      path: [segment.reference.wire], probability: 0.95,
      raw: LocationRaw(
        latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, speedMps: Self.speedMps, accuracyM: 5))
    return .message(
      EncodedMessage(
        topic: LocationMatched.topic, stamp: Instant(seconds: Double(second + 1)), source: "bench",
        run: 1, sequence: UInt64(second + 1), payload: body.encoded()))
  }
}
