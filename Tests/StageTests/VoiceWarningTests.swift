import Messages
import Stage
import Testing
import VoiceStage

@Suite struct VoiceWarningTests {
  @Test func `what lies behind is not said, and said again when one comes to it again, VO-5, EV-4`()
    throws
  {
    var drive = try VoiceDrive(["signal": false, "warnings": .strings(["tunnel"])])
    try drive.follow(.town(), reason: .better)
    try drive.drive(from: 100, to: 130, speedMps: 10)
    let ahead = GuidanceWarning(id: "t-1", kind: .tunnel, event: .ahead, distanceM: 480)
    for _ in 0..<2 {
      try drive.send(ahead)
      try drive.send(GuidanceWarning(id: "t-1", kind: .tunnel, event: .reached, distanceM: 0))
      try drive.pass(20)
      try drive.send(GuidanceWarning(id: "t-1", kind: .tunnel, event: .passed))
      try drive.pass(20)
    }
    #expect(drive.texts == ["Tunnel in 500 meters.", "Tunnel in 500 meters."])
  }
}
