import Foundations
import Positioning
import Testing

@Suite struct FixTimelineTests {
  private let noon = Instant(seconds: 1_790_000_000)
  private let year = 365.0 * 86_400

  private func at(_ seconds: Double) -> Instant { noon.advanced(bySeconds: seconds) }

  /// What becomes of fixes of sources at seconds after noon.
  private func verdicts(
    _ line: inout FixTimeline, _ fixes: [(source: String, second: Double)]
  ) -> [FixTimeline.Verdict] {
    fixes.map { line.judge(at($0.second), of: $0.source) }
  }

  @Test func `one fix of a wrong date moves nothing, LOC-7`() {
    var line = FixTimeline()
    let seconds = [0, 1, year, 2, -year, 3, 4]
    let reported = verdicts(&line, seconds.map { ("gps", $0) })
    #expect(reported[2] == .refused(.timeLeapt(bySeconds: year - 1)))
    #expect(reported[4] == .refused(.timeWentBack(bySeconds: year + 2)))
    for index in [0, 1, 3, 5, 6] { #expect(reported[index] == .goesOn) }
    #expect(line.newest == at(4))
  }

  @Test(arguments: [1, 2, 3, 10, 100])
  func `a line begun by fixes of a wrong date is left when three agree, LOC-7`(count: Int) {
    var line = FixTimeline()
    _ = verdicts(&line, (0..<count).map { ("gps", year + Double($0)) })
    let reported = verdicts(&line, (0..<5).map { ("gps", Double($0)) })
    #expect(reported[2] == .begins && reported[3] == .goesOn && reported[4] == .goesOn)
    #expect(line.newest == at(4))
  }

  @Test func `a burst of wrong dates amid a drive costs three fixes after it, LOC-7`() {
    var line = FixTimeline()
    _ = verdicts(&line, (0..<10).map { ("gps", Double($0)) })
    _ = verdicts(&line, (0..<40).map { ("gps", year + Double($0) * 0.1) })
    let reported = verdicts(&line, (10..<20).map { ("gps", Double($0)) })
    #expect(reported.prefix(2).allSatisfy { $0 != .goesOn } && reported[2] == .begins)
    #expect(reported.dropFirst(3).allSatisfy { $0 == .goesOn })
  }

  @Test(arguments: [1.0, 0.1])
  func `two receivers of other dates do not drag each other about, LOC-7`(intervalS: Double) {
    var line = FixTimeline()
    var begun = 0
    for number in 0..<600 {
      let second = Double(number) * intervalS
      if line.judge(at(second), of: "right") == .begins { begun += 1 }
      if line.judge(at(second - 10 * year), of: "wrong") == .begins { begun += 1 }
    }
    #expect(begun == 0 && line.newest == at(599 * intervalS))
  }

  @Test func `the other receiver has the word when the first falls silent, LOC-7`() {
    var line = FixTimeline()
    _ = verdicts(&line, [("wrong", year), ("right", 0), ("wrong", year + 1), ("right", 1)])
    let reported = verdicts(&line, (2..<6).map { ("right", Double($0)) })
    #expect(reported.contains(.begins) && reported.last == .goesOn)
  }

  @Test func `what a receiver kept and hands in late begins nothing, LOC-7`() {
    var line = FixTimeline()
    _ = verdicts(&line, [("slow", 0), ("live", 0)])
    _ = verdicts(&line, (1...300).map { ("live", Double($0)) })
    let reported = verdicts(&line, (1...300).map { ("slow", Double($0)) })
    #expect(!reported.contains(.begins))
    #expect(reported[0] == .refused(.timeWentBack(bySeconds: 299)) && reported.last == .goesOn)
  }

  @Test func `a recording that is played again begins anew, LOC-6`() {
    var line = FixTimeline()
    _ = verdicts(&line, (0..<100).map { ("player", Double($0)) })
    let reported = verdicts(&line, (0..<4).map { ("player", Double($0)) })
    #expect(reported[2] == .begins && reported[3] == .goesOn)
  }

  @Test func `pauses up to an hour, sparse fixes and a restart cost nothing, LOC-4`() {
    var line = FixTimeline(newest: noon)
    let seconds = [86_400.0, 86_460, 90_000, 93_500, 93_500.1, 93_495]
    #expect(verdicts(&line, seconds.map { ("taxi", $0) }).allSatisfy { $0 == .goesOn })
  }
}
