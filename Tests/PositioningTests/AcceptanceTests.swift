import Foundations
import Geodesy
import Positioning
import Testing

@Suite struct AcceptanceTests {
  private let noon = Instant(seconds: 1_790_000_000)

  private func fix(_ change: (inout Fix) -> Void = { _ in }) -> Fix {
    var fix = Fix(place: Coordinate(latitudeDeg: 47, longitudeDeg: 9), time: noon)
    change(&fix)
    return fix
  }

  @Test func `impossible values are refused with a reason, LOC-7`() {
    let cases: [(FixFault, Fix)] = [
      (.noPlace, fix { $0.place.latitudeDeg = 91 }),
      (.noPlace, fix { $0.place.longitudeDeg = .nan }),
      (.noPlace, fix { $0.place.longitudeDeg = 181 }),
      (.impossible(field: "speed_mps"), fix { $0.speedMps = -1 }),
      (.impossible(field: "speed_mps"), fix { $0.speedMps = .nan }),
      (.impossible(field: "bearing_deg"), fix { $0.bearingDeg = 361 }),
      (.impossible(field: "accuracy_m"), fix { $0.accuracyM = -.infinity }),
      (.impossible(field: "altitude_m"), fix { $0.altitudeM = .infinity }),
      (.clockNotSet(Instant(seconds: 0)), fix { $0.time = Instant(seconds: 0) }),
      (
        .clockNotSet(Instant(seconds: 315_964_800)), fix { $0.time = Instant(seconds: 315_964_800) }
      ),
    ]
    for (fault, fix) in cases {
      var gate = FixGate()
      #expect(throws: fault) { try gate.admit(fix) }
      #expect(gate.lastTime == nil)
    }
  }

  @Test func `a time in a coarser unit is named with its factor, LOC-7, LOC-8`() {
    let units: [(number: Int64, words: String)] = [
      (
        1_790_000_000_123,
        "it looks like milliseconds (send nanoseconds since 1970, multiply by 1000000)"
      ),
      (
        1_790_000_000, "it looks like seconds (send nanoseconds since 1970, multiply by 1000000000)"
      ),
      (
        1_790_000_000_123_456,
        "it looks like microseconds (send nanoseconds since 1970, multiply by 1000)"
      ),
      (0, "the receiver's clock is not set: 0 ns is before 1990"),
      (
        315_964_800_000_000_000,
        "the receiver's clock is not set: 315964800000000000 ns is before 1990"
      ),
    ]
    for (number, words) in units {
      let sentence = FixFault.clockNotSet(Instant(nanoseconds: number)).sentence
      #expect(sentence.contains(words), "\(sentence)")
    }
  }

  @Test func `time goes back only with a new clock run, LOC-7`() throws {
    var gate = FixGate()
    try gate.admit(fix())
    #expect(throws: FixFault.timeStoodStill) { try gate.admit(fix()) }
    let earlier = fix { $0.time = noon.advanced(bySeconds: -2) }
    #expect(throws: FixFault.timeWentBack(bySeconds: 2)) { try gate.admit(earlier) }
    try gate.admit(fix { $0.time = noon.advanced(bySeconds: 1) })
    gate.reset()
    try gate.admit(earlier)
  }

  @Test func `the highest priority that lives wins, LOC-2`() {
    var arbiter = SourceArbiter()
    func at(_ seconds: Double) -> Instant { noon.advanced(bySeconds: seconds) }
    #expect(arbiter.admit(source: "phone", priority: 0, at: at(0)) == true)
    #expect(arbiter.admit(source: "car", priority: 5, at: at(0.5)) == true)
    #expect(arbiter.admit(source: "phone", priority: 0, at: at(1)) == false)
    #expect(arbiter.admit(source: "car", priority: 5, at: at(1.5)) == true)
    // Silent for 3 s and not longer: it still has the word.
    #expect(arbiter.admit(source: "phone", priority: 0, at: at(4.5)) == false)
    #expect(arbiter.admit(source: "phone", priority: 0, at: at(4.6)) == true)
    #expect(arbiter.admit(source: "car", priority: 5, at: at(5)) == true)
    #expect(arbiter.admit(source: "phone", priority: 0, at: at(5.6)) == false)
  }

  @Test func `a slow source is waited for three of its intervals, LOC-2`() {
    var arbiter = SourceArbiter()
    func at(_ seconds: Double) -> Instant { noon.advanced(bySeconds: seconds) }
    for second in [0.0, 5, 10, 15] {
      #expect(arbiter.admit(source: "taxi", priority: 1, at: at(second)) == true)
    }
    #expect(arbiter.admit(source: "phone", priority: 0, at: at(30)) == false)
    #expect(arbiter.admit(source: "phone", priority: 0, at: at(30.1)) == true)
  }

  @Test(arguments: [1, 40])
  func `a source that spoke of the future has no word for it, LOC-2`(count: Int) {
    var arbiter = SourceArbiter()
    func at(_ seconds: Double) -> Instant { noon.advanced(bySeconds: seconds) }
    for number in 0..<count {
      _ = arbiter.admit(source: "car", priority: 5, at: at(1e7 + Double(number)))
    }
    #expect(arbiter.admit(source: "phone", priority: 0, at: at(0)) == true)
    #expect(arbiter.admit(source: "car", priority: 5, at: at(1)) == true)
    #expect(arbiter.admit(source: "phone", priority: 0, at: at(1)) == false)
    #expect(arbiter.admit(source: "phone", priority: 0, at: at(5)) == true)
  }

  @Test func `among equals the one that has the word keeps it, LOC-2`() {
    var arbiter = SourceArbiter()
    #expect(arbiter.admit(source: "a", priority: 0, at: noon) == true)
    #expect(arbiter.admit(source: "b", priority: 0, at: noon.advanced(bySeconds: 1)) == false)
    #expect(arbiter.admit(source: "a", priority: 0, at: noon.advanced(bySeconds: 2)) == true)
  }

  @Test func `a replay gives fixes at their own times, LOC-6`() {
    var fixes = (0..<5).map { index in
      fix { $0.time = noon.advanced(bySeconds: Double(index * 15)) }
    }
    fixes[2].time = nil
    var replay = TraceReplay(fixes, start: noon, intervalS: 1)
    #expect(replay.dues.map { $0.seconds(since: noon) } == [0, 15, 16, 45, 60])
    #expect(replay.nextFix() == fixes[0])
    replay.seek(to: noon.advanced(bySeconds: 40))
    #expect(replay.next == 3)
    #expect(replay.nextFix() == fixes[3])
    replay.seek(to: noon)
    #expect(replay.next == 0)
  }
}
