import Bag
import BusProtocol
import Foundation
import Replay
import Testing

/// Pauses between the messages of a recording that is played onto a bus.
@Suite struct PlayerPauseTests {
  /// Seconds after which the second of two messages is due, once the first is played.
  private func waitS(forPauseS pauseS: Int64) throws -> Double {
    let path = FileManager.default.temporaryDirectory.appending(
      path: "pause-\(UUID().uuidString).mcap"
    ).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try FrameWriter(path: path)
    let beginNS: Int64 = 1_700_000_000_000_000_000
    for number in 0..<2 as Range<Int64> {
      let atNS = beginNS + number * pauseS * 1_000_000_000
      try writer.write(
        Frame(
          topic: "ego/location/raw",
          header: Header(
            sequence: UInt64(number + 1), stampNS: atNS, source: "location", run: 1,
            schema: "location_raw/1.0"), payload: [0x80]), logTimeNS: atNS)
    }
    try writer.close()
    let player = try Player(
      [path], try RecordingSurvey(paths: [path]), Player.Options(), run: 1, publish: { _ in })
    try player.step()
    let due = try #require(player.due)
    return Double(due.nanoseconds - MonotonicTime.now.nanoseconds) / 1e9
  }

  @Test func `a pause of a recording is kept, BUS-7`() throws {
    #expect(try abs(waitS(forPauseS: 3600) - 3600) < 60)
  }

  @Test func `a jump of years is skipped, BUS-7`() throws {
    #expect(try waitS(forPauseS: 3 * 366 * 86_400) < 1)
  }
}
