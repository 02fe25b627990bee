import Foundations
import Speech
import Testing

@Suite struct ArbiterTests {
  func at(_ second: Double) -> Instant { Instant(seconds: 1000 + second) }

  func announcement(
    _ id: UInt64, _ key: String, _ priority: Priority = .normal, subject: String? = nil,
    expires: Double = 60, durationS: Double = 2, text: String? = nil,
    repetition: Repetition = .byText
  ) -> Announcement {
    Announcement(
      id: id, key: key, subject: subject, repetition: repetition, phrase: .rerouting,
      priority: priority,
      text: text ?? key, expires: at(expires), durationS: durationS)
  }

  /// What was said at which second, by key, when wakes are kept.
  func played(_ requests: [(Double, Announcement)], tuning: Arbiter.Tuning = .init()) -> [String] {
    var arbiter = Arbiter(tuning: tuning)
    var log: [String] = []
    var wake: Instant?
    func record(_ outputs: [Arbiter.Output], _ now: Instant) {
      wake = nil
      for output in outputs {
        let second = (now.seconds - 1000).rounded(.toNearestOrEven)
        switch output {
        case .say(let said): log.append("\(Int(second)) \(said.key)")
        case .stop(let said): log.append("\(Int(second)) stop \(said.key)")
        case .dropped(let lost, let why): log.append("\(Int(second)) \(why.rawValue) \(lost.key)")
        case .ended: break
        case .wake(let at): wake = at
        }
      }
    }
    for (second, announcement) in requests {
      while let due = wake, due <= at(second) { record(arbiter.handle(.woke(due)), due) }
      record(arbiter.handle(.requested(announcement, at: at(second))), at(second))
    }
    while let due = wake { record(arbiter.handle(.woke(due)), due) }
    return log
  }

  @Test func `one speaks at a time, VO-8`() {
    let log = played([(0, announcement(1, "a")), (1, announcement(2, "b"))])
    #expect(log == ["0 a", "2 b"])
  }

  @Test func `the higher priority goes first, VO-8`() {
    let log = played([
      (0, announcement(1, "a")), (0.5, announcement(2, "b", .low)),
      (1, announcement(3, "c", .high)),
    ])
    #expect(log == ["0 a", "2 c", "5 b"])
  }

  @Test func `an urgent one cuts in, but not on another urgent one, VO-8`() {
    let log = played([
      (0, announcement(1, "a", durationS: 5)), (1, announcement(2, "b", .urgent)),
      (2, announcement(3, "c", .urgent)),
    ])
    #expect(log == ["0 a", "1 stop a", "1 b", "3 c"])
  }

  @Test func `what is stale is dropped, VO-8`() {
    let log = played([
      (0, announcement(1, "a", durationS: 5)), (1, announcement(2, "b", expires: 4)),
    ])
    #expect(log == ["0 a", "5 stale b"])
  }

  @Test func `nothing comes twice under a key, and no text twice within the window, VO-8`() {
    let log = played([
      (0, announcement(1, "a", text: "same")), (5, announcement(2, "a")),
      (10, announcement(3, "b", text: "same")),
      (20, announcement(4, "c", expires: 90, text: "same")),
    ])
    #expect(log == ["0 a", "5 repeated a", "10 repeated b", "20 c"])
  }

  @Test(arguments: [
    (Repetition.byText, "m", false), (.byText, "n", false), (.bySubject, "m", false),
    (.bySubject, "n", true), (.never, "m", true), (.never, "n", true),
  ])
  func `the second of two equal maneuvers is said within the window, VO-8`(
    repetition: Repetition, subject: String, isSaid: Bool
  ) {
    let log = played([
      (0, announcement(1, "a", subject: "m", text: "same", repetition: repetition)),
      (5, announcement(2, "b", subject: subject, text: "same", repetition: repetition)),
    ])
    #expect(log == ["0 a", isSaid ? "5 b" : "5 repeated b"])
  }

  @Test func `what was forgotten may be said again under its key, VO-8`() {
    var arbiter = Arbiter(saidKeys: ["r-1/1/action", "r-10/1/action"])
    _ = arbiter.handle(.forgotten(keyPrefix: "r-1/", at: at(0)))
    #expect(arbiter.saidKeys == ["r-10/1/action"])
  }

  @Test func `a newer one of the same subject replaces the one that waits, VO-8`() {
    let log = played([
      (0, announcement(1, "a", durationS: 5)), (1, announcement(2, "b", subject: "m")),
      (2, announcement(3, "c", subject: "m")),
    ])
    #expect(log == ["0 a", "2 superseded b", "5 c"])
  }

  @Test func `what is withdrawn is not said, VO-8`() {
    var arbiter = Arbiter()
    _ = arbiter.handle(.requested(announcement(1, "a"), at: at(0)))
    let waiting = announcement(2, "b", subject: "m")
    _ = arbiter.handle(.requested(waiting, at: at(0)))
    let outputs = arbiter.handle(.withdrawn(subjects: ["m"], at: at(1)))
    #expect(outputs.first == .dropped(waiting, .withdrawn))
    #expect(!arbiter.handle(.woke(at(5))).contains(.say(waiting)))
  }

  @Test func `too many that wait push the least important out`() {
    var tuning = Arbiter.Tuning()
    tuning.capacity = 2
    let log = played(
      [
        (0, announcement(1, "a", durationS: 9)), (1, announcement(2, "b", .low)),
        (1, announcement(3, "c")), (1, announcement(4, "d")),
      ], tuning: tuning)
    #expect(log == ["0 a", "1 crowded_out b", "9 c", "12 d"])
  }

  @Test
  func `the sink's report ends a sentence, and one that never reports is not waited for, VO-9`() {
    var tuning = Arbiter.Tuning()
    tuning.hasSink = true
    var arbiter = Arbiter(tuning: tuning)
    let (a, b, c) = (announcement(1, "a"), announcement(2, "b"), announcement(3, "c"))
    _ = arbiter.handle(.requested(a, at: at(0)))
    _ = arbiter.handle(.requested(b, at: at(0)))
    _ = arbiter.handle(.requested(c, at: at(0)))
    let ended = arbiter.handle(.spoken(id: 1, .completed, at: at(1)))
    #expect(ended.first == .ended(a, .completed, isReported: true))
    #expect(arbiter.handle(.woke(at(1.4))).contains(.say(b)))
    #expect(!arbiter.handle(.woke(at(4))).contains(.say(c)))
    #expect(arbiter.handle(.woke(at(6.5))).contains(.ended(b, .completed, isReported: false)))
    #expect(arbiter.handle(.woke(at(6.8))).contains(.say(c)))
    // A sink that did not report the last time is not waited for.
    #expect(arbiter.handle(.woke(at(8.8))).contains(.ended(c, .completed, isReported: false)))
  }

  @Test func `repeating says the last one again, VO-8`() {
    var arbiter = Arbiter()
    _ = arbiter.handle(.requested(announcement(1, "a"), at: at(0)))
    _ = arbiter.handle(.woke(at(3)))
    let again = announcement(2, "a", expires: 10)
    #expect(arbiter.handle(.repeated(again, at: at(4))).first == .say(again))
  }

  @Test func `a repetition starts at once, also while time stands still, VO-8`() {
    var arbiter = Arbiter()
    let urgent = announcement(1, "a", .urgent, durationS: 5)
    _ = arbiter.handle(.requested(urgent, at: at(0)))
    let again = announcement(2, "b", .urgent)
    let outputs = arbiter.handle(.repeated(again, at: at(0)))
    #expect(
      outputs.prefix(3) == [
        .stop(urgent), .ended(urgent, .interrupted, isReported: false), .say(again),
      ])
    // And once more, at the same moment.
    let third = announcement(3, "c", .urgent)
    #expect(arbiter.handle(.repeated(third, at: at(0))).contains(.say(third)))
    // What has ended meanwhile is not reported as cut off.
    let last = announcement(4, "d", .urgent)
    #expect(
      arbiter.handle(.repeated(last, at: at(9))).first
        == .ended(third, .completed, isReported: false))
  }

  @Test func `keys said before a restart are not said again, BUS-6`() {
    var arbiter = Arbiter(saidKeys: ["a"])
    let outputs = arbiter.handle(.requested(announcement(1, "a"), at: at(0)))
    #expect(outputs == [.dropped(announcement(1, "a"), .repeated)])
  }

  @Test func `the memory of keys is bounded`() {
    var tuning = Arbiter.Tuning()
    tuning.memory = 3
    var arbiter = Arbiter(tuning: tuning)
    for id in 1...10 {
      let now = at(Double(id) * 10)
      _ = arbiter.handle(
        .requested(announcement(UInt64(id), "k\(id)", expires: 1000), at: now))
    }
    #expect(arbiter.saidKeys == ["k8", "k9", "k10"])
  }
}

@Suite struct DurationEstimateTests {
  @Test func `measured durations replace the estimate, VO-2`() {
    var estimate = DurationEstimate()
    let guessS = estimate.durationS(characters: 40)
    estimate.learn(characters: 41, durationS: 5.5)
    #expect(estimate.durationS(characters: 42) == 5.5)
    #expect(estimate.durationS(characters: 80) > DurationEstimate().durationS(characters: 80))
    #expect(guessS > 2 && guessS < 5)
  }

  @Test(arguments: [Double.nan, -1, 0, 1e9, .infinity])
  func `a duration that no voice takes is not learnt`(durationS: Double) {
    var estimate = DurationEstimate()
    estimate.learn(characters: 40, durationS: durationS)
    #expect(estimate == DurationEstimate())
  }
}

@Suite struct WaveHeaderTests {
  static func wave(seconds: Int, claimed: UInt32? = nil) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xff) } }
    let data = [UInt8](repeating: 0, count: seconds * 44_100)
    let format: [UInt8] = [1, 0, 1, 0] + number(22_050) + number(44_100) + [2, 0, 16, 0]
    return Array("RIFF".utf8) + number(0) + Array("WAVEfmt ".utf8) + number(16) + format
      + Array("data".utf8) + number(claimed ?? UInt32(data.count)) + data
  }

  @Test func `a WAVE file tells how long it sounds, VO-9`() {
    #expect(WaveHeader.durationS(of: Self.wave(seconds: 3)) == 3)
    #expect(WaveHeader.durationS(of: Self.wave(seconds: 2, claimed: .max)) == 2)
  }

  @Test func `what is no WAVE file, or a broken one, tells nothing`() {
    let whole = Self.wave(seconds: 1)
    for length in 0..<44 { #expect(WaveHeader.durationS(of: Array(whole.prefix(length))) == nil) }
    #expect(WaveHeader.durationS(of: Array("RIFX".utf8) + whole.dropFirst(4)) == nil)
  }
}
