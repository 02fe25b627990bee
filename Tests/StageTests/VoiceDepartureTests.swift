import Messages
import Stage
import Testing

@testable import VoiceStage

/// Announcements of how to set off: from stops, and onto routes that lead back.
@Suite struct VoiceDepartureTests {
  /// The town's route with a stop at 500 m, from which it goes straight on.
  private static func withStop() -> WireRoute {
    var route = WireRoute.town()
    var (arrival, departure) = (route.maneuvers[4], route.maneuvers[0])
    (arrival.offsetM, arrival.arrivalSide) = (500, nil)
    departure.offsetM = 500
    departure.section = 1
    for index in 1..<5 { route.maneuvers[index].section = 1 }
    route.maneuvers.insert(contentsOf: [arrival, departure], at: 1)
    return route
  }

  /// Progress of a vehicle that stands.
  private static func stand(_ drive: inout VoiceDrive, atM metres: Double, forS seconds: Int) throws
  {
    let route = withStop()
    for _ in 0..<seconds {
      let ahead = route.maneuvers.enumerated().filter { $0.element.offsetM > metres }.prefix(2)
      try drive.send(
        GuidanceProgress(
          routeId: route.id, onRoute: .yes, section: 1, travelledOnSectionM: metres - 500,
          travelledM: metres, remainingM: route.lengthM - metres, remainingS: 900,
          remainingText: "", remainingNumber: 0, remainingUnit: .m, etaNs: 0,
          maneuvers: ahead.map {
            WireManeuverProgress(
              index: Int64($0.offset), remainingM: $0.element.offsetM - metres, remainingS: 60)
          }, shapeIndex: 0, shapeFraction: 0, latDeg: 47, lonDeg: 9, bearingDeg: 90,
          speedMps: 0))
      try drive.pass(1)
    }
  }

  /// The number of announcements of the way on after a stop with a second halt 15 m later.
  private static func departures(haltsS: (Int, Int)) throws -> Int {
    var drive = try VoiceDrive()
    try drive.follow(withStop(), reason: .new)
    try drive.drive(from: 0, to: 500, speedMps: 5)
    let before = drive.said.count { $0.message.kind == .depart }
    try drive.send(
      GuidanceMilestone(
        routeId: "r-1", event: .reached, kind: .stopover, waypoint: 1, section: 0, name: "Baker",
        latDeg: 47, lonDeg: 9, matchedLatDeg: 47, matchedLonDeg: 9, distanceM: 0))
    try stand(&drive, atM: 500, forS: haltsS.0)
    try drive.drive(from: 501, to: 515, speedMps: 3)
    try stand(&drive, atM: 515, forS: haltsS.1)
    try drive.drive(from: 516, to: 540, speedMps: 3)
    return drive.said.count { $0.message.kind == .depart } - before
  }

  @Test(arguments: [((20, 15), 1), ((20, 0), 1), ((70, 30), 1), ((5, 15), 1), ((1, 1), 0)])
  func `the way on is announced once after a stop, however often one halts, VO-5`(
    halts: (Int, Int), count: Int
  ) throws {
    #expect(try Self.departures(haltsS: halts) == count)
  }

  @Test func `a route that turns back says so, any other does not, TR-8, VO-5`() throws {
    for (bearingDeg, count) in [(270.0, 1), (90, 0), (180, 0)] {
      var drive = try VoiceDrive()
      try drive.follow(.town(), reason: .new)
      try drive.drive(from: 0, to: 300, speedMps: 10)
      var other = WireRoute.town(id: "r-2")
      other.maneuvers[0].bearingAfterDeg = bearingDeg
      try drive.follow(other, reason: .better)
      try drive.pass(10)
      let turns = drive.texts.count { $0 == "Make a U turn onto Mill Lane." }
      #expect(turns == count, "\(drive.texts)")
    }
  }
}
