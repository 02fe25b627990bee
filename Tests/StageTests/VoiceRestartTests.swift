import Messages
import Stage
import Testing

@testable import VoiceStage

/// A voice whose process was killed, and the next one.
@Suite struct VoiceRestartTests {
  @Test func `a restarted voice repeats nothing, BUS-6 PR-11`() throws {
    var whole = try VoiceDrive()
    try whole.follow(.town(), reason: .new)
    try whole.drive(from: 0, to: 1090, speedMps: 13.9)
    var first = try VoiceDrive()
    try first.follow(.town(), reason: .new)
    try first.drive(from: 0, to: 720, speedMps: 13.9)
    var second = try VoiceDrive()
    second.nowS = first.nowS
    try second.stage.restore(try #require(first.stage.savedState))
    try second.follow(.town(), reason: .new, isLatched: true)
    try second.drive(from: 721, to: 1090, speedMps: 13.9)
    #expect(first.texts + second.texts == whole.texts)
  }

  @Test
  func `a sentence that a kill cut off is counted, once, and one that was said is not, BUS-6`()
    throws
  {
    // The sink takes four seconds: killed within them, and after them.
    for (killedAfterS, isCutOff) in [(0.0, true), (3.9, true), (4.1, false)] {
      var first = try VoiceDrive(["sink": "espeak"])
      first.sinkTakesS = 4
      try first.follow(.town(), reason: .new)
      try first.drive(from: 0, to: 1, speedMps: 5)
      try #require(first.said.count == 1)
      let begunS = try #require(first.said.first?.atS)
      try first.pass(max(0, begunS + killedAfterS - first.nowS))
      var second = try VoiceDrive(["sink": "espeak"])
      second.nowS = first.nowS
      try second.stage.restore(try #require(first.stage.savedState))
      #expect(second.counted["cut_off"] == nil)
      try second.follow(.town(), reason: .new, isLatched: true)
      try second.drive(from: 20, to: 60, speedMps: 5)
      #expect(second.counted["cut_off"] == (isCutOff ? 1 : nil), "killed after \(killedAfterS) s")
      #expect(second.texts.isEmpty)
    }
  }

  @Test func `garbage as saved state is refused`() throws {
    var drive = try VoiceDrive()
    #expect(throws: Refusal.self) { try drive.stage.restore([0xc1, 0, 1]) }
  }
}
