import DrawnRoutes
import Foundations
import Guidance
import RoadGraph
import Route
import Testing

/// Roads ahead that the driver does not want, and stops that were passed on another road.
@Suite struct AvoidTests {
  private func requests(_ outputs: [NavigatorOutput]) -> [RouteRequest] {
    outputs.compactMap {
      if case .requestRoute(_, let request, _, _, _) = $0 { request } else { nil }
    }
  }

  private func roads(_ request: RouteRequest?) -> Set<SegmentReference> {
    Set(
      (request?.wishes ?? []).compactMap {
        if case .segment(let road) = $0.place { road } else { nil }
      })
  }

  @Test func `the road ahead is avoided, both ways, where the vehicle is only forward, GU-4`() {
    let route = drawn("abcdefgh")
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    let outputs = drive.navigator.handle(
      .command(.avoidAhead(metres: 120), call: "c", at: Instant(seconds: 1)))
    let (here, next) = (route.segments[1].reference, route.segments[2].reference)
    #expect(roads(requests(outputs).first) == [here, next, next.reversed])
  }

  @Test func `off the route nothing of it lies ahead, GU-4`() {
    let route = drawn("abcdefgh")
    var drive = Following(route)
    let outputs = drive.navigator.handle(
      .command(.avoidAhead(metres: nil), call: "c", at: Instant(seconds: 1)))
    #expect(requests(outputs).isEmpty)
  }

  @Test(arguments: [(400.0, true), (60, false)])
  func `whoever turns round on the route is not led back to the same road at once, RR-5`(
    drivenM: Double, isAvoided: Bool
  ) {
    let route = drawn("abcdefghijklmnop")
    var drive = Following(route)
    for second in 0...Int(drivenM / 10) {
      let metres = Double(second) * 10
      drive.sees(
        on(route, Int(metres / 100), metres - Double(Int(metres / 100)) * 100, t: Double(second)))
    }
    let index = Int(drivenM / 100)
    for second in 1...10 {
      let back = max(1, drivenM - Double(second) * 10)
      let at = place(back)
      drive.sees(
        VehicleLocation(
          time: Instant(seconds: drivenM / 10 + Double(second)),
          match: .init(
            place: at, bearingDeg: 270,
            segment: route.segments[min(index, Int(back / 100))].reference.reversed,
            offsetM: 10, probability: 0.95), raw: at, accuracyM: 5, speedMps: 10))
    }
    let asked = requests(drive.said).last
    #expect(asked != nil)
    #expect(roads(asked).contains(route.segments[index + 2].reference) == isAvoided)
  }
}
