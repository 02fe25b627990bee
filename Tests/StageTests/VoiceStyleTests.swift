import Foundations
import Messages
import Stage
import Testing

@testable import VoiceStage

/// How much is said of a maneuver: the parameter `announcements`.
@Suite struct VoiceStyleTests {
  @Test func `a talkative voice says the road to follow first and the street last, VO-10`() throws {
    var drive = try VoiceDrive(["announcements": "talkative"])
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 11_995, speedMps: 13.9)
    #expect(
      drive.texts == [
        "Head east on Mill Lane. In 1 kilometer, turn right onto High Street.",
        "In 600 meters, turn right onto High Street, B 12 toward Harbour, then take the second exit.",
        "In 300 meters, turn right onto High Street, then take the second exit.",
        "Turn right onto High Street, then take the second exit.",
        "Take the second exit onto A 28.",
        "Go straight along A 28, and in 10 kilometers, take exit 4 on the left toward Old Town.",
        "In 600 meters, take exit 4 on the left toward Old Town.",
        "In 300 meters, take exit 4 on the left toward Old Town.",
        "Take exit 4 on the left toward Old Town.",
        "In 500 meters, you will reach your destination, on the right.",
        "In 300 meters, you will reach your destination, on the right.",
        "Your destination is on the right.",
      ])
    let exit = try #require(
      drive.said.first { $0.message.kind == .action && $0.message.maneuverIndex == 3 })
    #expect((8...12).contains(exit.message.timeS ?? 0))
    let range = try #require(drive.said.first { $0.message.kind == .range })
    #expect((range.message.distanceM ?? 0) > 10_250, "right after the last maneuver")
    #expect(range.message.rule == "it is the next maneuver, slow")
  }

  @Test func `a block is followed by name as well, and unnamed roads are not, VO-10`() throws {
    var drive = try VoiceDrive(["announcements": "talkative", "double_maneuvers": false])
    var route = WireRoute.town()
    route.maneuvers[2].offsetM = 1400
    route.maneuvers[3].ontoRoad = WireRoad()
    try drive.follow(route, reason: .new)
    try drive.drive(from: 0, to: 1100, speedMps: 13.9)
    #expect(
      drive.texts.last
        == "Go straight along High Street, and in 300 meters, at the roundabout, "
        + "take the second exit onto A 28.")
  }

  @Test func `what is chosen by hand goes before the style, VO-10`() throws {
    var drive = try VoiceDrive([
      "announcements": "talkative", "kinds": .strings(["action"]), "action_s": 2,
    ])
    try drive.follow(.town(), reason: .better)
    try drive.drive(from: 1200, to: 11_390, speedMps: 13.9)
    #expect(drive.texts == ["Take exit 4 on the left toward Old Town."])
    #expect((drive.said.first?.message.timeS ?? 9) < 8)
  }
}
