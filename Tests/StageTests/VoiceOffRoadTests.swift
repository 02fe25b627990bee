import Foundations
import Messages
import Stage
import Testing

@testable import VoiceStage

/// What is said on the way to a stop that no road reaches.
@Suite struct VoiceOffRoadTests {
  @Test func `an off-road destination is reported with distance and direction, VO-5 OR-2`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .new)
    try drive.send(
      GuidanceArrival(
        routeId: "r-1", event: .destinationReached, rule: .passedWithin, latDeg: 47, lonDeg: 9,
        distanceM: 5, offRoad: true))
    for metres in [140.0, 130, 120] {
      try drive.send(
        GuidanceOffroad(routeId: "r-1", remainingM: metres, bearingDeg: 180, latDeg: 47, lonDeg: 9))
      try drive.pass(1)
    }
    #expect(drive.texts.count == 1)
    #expect(drive.texts.first?.contains("150 meters to the south") == true)
    #expect(drive.texts.first?.contains("nobody can cross") == true)
  }

  @Test func `no side and no arrival is spoken before the off-road end, OR-2`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.toTheCabin(), reason: .better)
    try drive.drive(from: 11_410, to: 11_990, speedMps: 13.9)
    try drive.send(
      GuidanceArrival(
        routeId: "r-1", event: .destinationReached, rule: .passedWithin, latDeg: 47, lonDeg: 9,
        distanceM: 5, side: .right, offRoad: true))
    try drive.pass(8)
    try drive.send(
      GuidanceOffroad(routeId: "r-1", remainingM: 1298, bearingDeg: 242, latDeg: 47, lonDeg: 9))
    try drive.pass(8)
    #expect(
      drive.texts == [
        "In 500 meters, the road ends. Your destination lies off the road, to the southwest.",
        "In 300 meters, the road ends.", "The road ends ahead.",
        "The road ends here. Your destination is 1.3 kilometers to the southwest. "
          + "The direct line may cross what nobody can cross.",
      ])
    try drive.send(
      GuidanceArrival(
        routeId: "r-1", event: .offRoadDestinationReached, rule: .offRoad, latDeg: 47, lonDeg: 9,
        distanceM: 15, offRoad: true))
    try drive.pass(20)
    #expect(drive.texts.last == "You have reached your destination.")
  }

  @Test func `a stop on the way that is off-road is not said to be reached, OR-2`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.toTheCabin(isStop: true), reason: .better)
    try drive.drive(from: 11_410, to: 11_990, speedMps: 13.9)
    try drive.send(
      GuidanceMilestone(
        routeId: "r-1", event: .reached, kind: .stopover, waypoint: 1, section: 0,
        name: "Old Cabin", latDeg: 47, lonDeg: 9, matchedLatDeg: 47, matchedLonDeg: 9))
    try drive.pass(8)
    #expect(
      drive.texts.suffix(2) == [
        "The road comes nearest to your stop, Old Cabin, ahead.",
        "Your stop, Old Cabin, is 1.3 kilometers to the southwest, off the road. "
          + "The direct line may cross what nobody can cross.",
      ])
  }
}
