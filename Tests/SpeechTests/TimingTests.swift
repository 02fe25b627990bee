import Foundations
import Speech
import Testing

/// One drive towards maneuvers, with approaches at an interval and the wakes that the timing asks for.
struct DrivenApproach {
  var speedMps: Double
  var limitMps: Double?
  var isOnFoot = false
  var givesSpeed = true
  var intervalS = 1.0
  var phaseS = 0.0
  var sentenceS = 0.0
  var tuning = AnnouncementTiming.Tuning()

  struct Said: Equatable {
    var key: String
    var kind: AnnouncementKind
    var atM: Double
    var spokenM: Double
    var joined: String?
  }

  /// `maneuversM` are places of maneuvers on the way, metres from the start.
  func drive(_ maneuversM: [Double], from startM: Double = 0) -> [Said] {
    var timing = AnnouncementTiming(tuning: tuning)
    var said: [Said] = []
    var wakeS: Double?
    var nextFixS = phaseS
    let endM = maneuversM.last ?? 0
    let durations = Dictionary(
      uniqueKeysWithValues: AnnouncementKind.allCases.map { ($0, sentenceS) })
    var nowS = 0.0
    while startM + nowS * speedMps < endM {
      let isFix = nextFixS <= (wakeS ?? .infinity)
      nowS = isFix ? nextFixS : wakeS ?? nextFixS
      let placeM = startM + nowS * speedMps
      if placeM >= endM { break }
      let now = Instant(seconds: 1000 + nowS)
      var outputs: [AnnouncementTiming.Output] = []
      if isFix {
        nextFixS += intervalS
        wakeS = nil
        let ahead = maneuversM.enumerated().filter { $0.element > placeM }.prefix(2).map {
          ManeuverAhead(key: "m\($0.offset)", distanceM: $0.element - placeM, sentenceS: durations)
        }
        outputs = timing.handle(
          .approached(
            Approach(
              at: now, isOnFoot: isOnFoot, speedLimitMps: limitMps,
              speedMps: givesSpeed ? speedMps : nil, expectedSpeedMps: speedMps,
              remainingM: endM - placeM, ahead: Array(ahead))))
      } else {
        wakeS = nil
        outputs = timing.handle(.woke(now))
      }
      for output in outputs {
        switch output {
        case .due(let due):
          let index = Int(due.key.dropFirst()) ?? 0
          said.append(
            Said(
              key: due.key, kind: due.kind, atM: maneuversM[index] - placeM, spokenM: due.spokenM,
              joined: due.joinedKey))
        case .wake(let at): wakeS = at.seconds - 1000
        case .continueFor: break
        }
      }
    }
    return said
  }
}

@Suite struct TimingTableTests {
  @Test(arguments: [
    (0.0, TimingProfile.slow), (50, .slow), (59.9, .slow), (60, .regular), (90, .regular),
    (100, .fast), (130, .fast), (Double.infinity, .fast),
  ])
  func `the limit chooses the profile, VO-1`(limitKmh: Double, profile: TimingProfile) {
    #expect(TimingProfile(drivingUnder: limitKmh / 3.6) == profile)
  }

  @Test func `the defaults are the table, VO-1`() {
    let table = TimingTable()
    let metres = TimingProfile.allCases.map { profile in
      [AnnouncementKind.reminder, .distance, .action].map { table[profile][$0].distanceM }
    }
    #expect(metres == [[600, 300, 50], [800, 300, 100], [2300, 1300, 400], [500, 100, 10]])
    #expect(TimingProfile.allCases.map { table[$0].doubleM } == [150, 250, 750, 20])
  }

  @Test func `an order that makes no sense is refused and the old one stays, VO-1`() {
    var table = TimingTable()
    let before = table
    var row = table[.slow]
    row.range = .init(distanceM: 400, timeS: 60)
    #expect(throws: TimingError.badOrder(.slow, .range, .reminder)) {
      try table.set(row, for: .slow)
    }
    row = table[.slow]
    row.action.distanceM = 350
    #expect(throws: TimingError.badOrder(.slow, .distance, .action)) {
      try table.set(row, for: .slow)
    }
    row = table[.slow]
    row.distance.timeS = 50
    #expect(throws: TimingError.badOrder(.slow, .reminder, .distance)) {
      try table.set(row, for: .slow)
    }
    #expect(table == before)
  }

  @Test func `only a range may be zero, VO-1`() throws {
    var table = TimingTable()
    var row = table[.fast]
    row.reminder.distanceM = 0
    #expect(throws: TimingError.badValue(.fast, .reminder)) { try table.set(row, for: .fast) }
    row = table[.fast]
    row.action.timeS = .nan
    #expect(throws: TimingError.badValue(.fast, .action)) { try table.set(row, for: .fast) }
    row = table[.fast]
    row.range = .init(distanceM: 5000, timeS: 120)
    try table.set(row, for: .fast)
    #expect(table[.fast].range.distanceM == 5000)
  }
}

@Suite struct AnnouncementTimingTests {
  /// No latency, no sentence: the bare table.
  static var bare: AnnouncementTiming.Tuning {
    var tuning = AnnouncementTiming.Tuning()
    tuning.latencyS = 0
    return tuning
  }

  @Test(arguments: [
    (50.0, 50.0, [600.0, 300, 69]), (130, 130, [2300, 1300, 400]), (80, 80, [889, 400, 111]),
    (20, 50, [600, 300, 50]),
  ])
  func `due at whichever comes first of distance and time, VO-1`(
    speedKmh: Double, limitKmh: Double, metres: [Double]
  ) {
    let drive = DrivenApproach(
      speedMps: speedKmh / 3.6, limitMps: limitKmh / 3.6, phaseS: 0.3, tuning: Self.bare)
    let said = drive.drive([3000])
    #expect(said.map(\.kind) == [.reminder, .distance, .action])
    for (said, expectedM) in zip(said, metres) { #expect(abs(said.atM - expectedM) < 1) }
  }

  @Test func `on foot at 500, 100 and 10 metres, VO-1`() {
    let drive = DrivenApproach(speedMps: 1.4, isOnFoot: true, phaseS: 0.3, tuning: Self.bare)
    let said = drive.drive([700])
    #expect(said.map { $0.atM.rounded() } == [500, 100, 10])
  }

  @Test func `each kind comes at most once a maneuver, VO-1`() {
    let drive = DrivenApproach(speedMps: 14, limitMps: 14, sentenceS: 2)
    let said = drive.drive([1500, 3400, 3500, 5000])
    for key in Set(said.map(\.key)) {
      let kinds = said.filter { $0.key == key }.map(\.kind)
      #expect(kinds == kinds.sorted() && Set(kinds).count == kinds.count)
      #expect(kinds.last == .action)
    }
  }

  @Test func `standing still only distance counts, VO-1`() {
    var timing = AnnouncementTiming(tuning: Self.bare)
    let far = Approach(
      at: Instant(seconds: 0), speedLimitMps: 30, speedMps: 0,
      ahead: [ManeuverAhead(key: "a", distanceM: 2301)])
    #expect(timing.handle(.approached(far)) == [])
    let near = Approach(
      at: Instant(seconds: 1), speedLimitMps: 30, speedMps: 0,
      ahead: [ManeuverAhead(key: "a", distanceM: 2299)])
    guard case .due(let due)? = timing.handle(.approached(near)).first else {
      Issue.record("nothing was due")
      return
    }
    #expect(due.kind == .reminder && due.timeS == nil)
  }

  @Test(
    arguments: [(30.0, 50.0), (50, 50), (100, 100), (130, 130)], [0.8, 2.0, 3.5] as [Double])
  func `an action ends 1.5 s before the maneuver, VO-2`(kmh: (Double, Double), sentenceS: Double) {
    for phase in [0.0, 0.25, 0.5, 0.75, 0.99] {
      for latencyS in [0.0, 0.1, 0.5] {
        var tuning = AnnouncementTiming.Tuning()
        tuning.latencyS = latencyS
        let speedMps = kmh.0 / 3.6
        let drive = DrivenApproach(
          speedMps: speedMps, limitMps: kmh.1 / 3.6, phaseS: phase, sentenceS: sentenceS,
          tuning: tuning)
        let action = drive.drive([4000]).first { $0.kind == .action }
        let beginsS = (action?.atM ?? 0) / speedMps
        #expect(beginsS - latencyS - sentenceS >= 1.5)
      }
    }
  }

  @Test func `a longer sentence comes earlier and ends at the same place, VO-2`() {
    var short = DrivenApproach(speedMps: 20, limitMps: 20, tuning: Self.bare)
    short.sentenceS = 1
    var long = short
    long.sentenceS = 4
    let (a, b) = (short.drive([3000]), long.drive([3000]))
    #expect(a.map(\.kind) == b.map(\.kind))
    for (a, b) in zip(a, b) {
      #expect(abs(b.atM - a.atM - 60) < 1)
      #expect(abs(b.spokenM - a.spokenM) < 1)
    }
  }

  @Test(arguments: [(149.0, true), (151, false)])
  func `close maneuvers are one sentence and the second is said on its own, VO-3`(
    apartM: Double, joins: Bool
  ) {
    let drive = DrivenApproach(speedMps: 10, limitMps: 13.9, tuning: Self.bare)
    let said = drive.drive([1000, 1000 + apartM])
    let first = said.filter { $0.key == "m0" }
    #expect(first.allSatisfy { ($0.joined == "m1") == joins } && first.count == 3)
    #expect(said.contains { $0.key == "m1" && $0.kind == .action })
  }

  @Test func `a maneuver soon after another gets no reminder and distance back to back`() {
    let drive = DrivenApproach(speedMps: 13.9, limitMps: 13.9, sentenceS: 2)
    let second = drive.drive([600, 600 + 340]).filter { $0.key == "m1" }
    #expect(second.map(\.kind) == [.distance, .action])
    let third = drive.drive([600, 600 + 130]).filter { $0.key == "m1" }
    #expect(third.map(\.kind) == [.action])
  }

  @Test(arguments: [0.0, 3, 7, 11, 14], [true, false])
  func `fixes 15 s apart still give every kind in time`(phaseS: Double, givesSpeed: Bool) {
    let speedMps = 50 / 3.6
    let drive = DrivenApproach(
      speedMps: speedMps, limitMps: speedMps, givesSpeed: givesSpeed, intervalS: 15, phaseS: phaseS,
      sentenceS: 2)
    let said = drive.drive([1500, 2600])
    for key in ["m0", "m1"] {
      let own = said.filter { $0.key == key }
      #expect(own.map(\.kind) == [.reminder, .distance, .action])
      #expect((own.last?.atM ?? 0) / speedMps - 2.1 >= 1.5)
      #expect((own.last?.atM ?? 0) / speedMps - 2.1 <= 6)
    }
  }

  @Test func `between rare fixes the maneuver behind the next one is said too`() {
    let drive = DrivenApproach(
      speedMps: 14, limitMps: 14, intervalS: 15, phaseS: 0.5, sentenceS: 1.5)
    let said = drive.drive([1100, 1270, 3000])
    #expect(said.filter { $0.key == "m1" && $0.kind == .action }.count == 1)
    let action = said.first { $0.key == "m1" && $0.kind == .action }
    #expect((action?.atM ?? 0) / 14 - 1.6 >= 1.5)
  }

  @Test func `a long way after a maneuver is reported once, VO-4`() {
    var timing = AnnouncementTiming(tuning: Self.bare)
    func approach(_ second: Double, _ key: String, _ distanceM: Double) -> [AnnouncementTiming
      .Output]
    {
      timing.handle(
        .approached(
          Approach(
            at: Instant(seconds: second), speedLimitMps: 13.9, speedMps: 13.9,
            ahead: [ManeuverAhead(key: key, distanceM: distanceM)])))
    }
    #expect(!approach(0, "a", 9000).contains { $0.isContinue })
    #expect(!approach(1, "b", 1999).contains { $0.isContinue })
    #expect(approach(2, "c", 12_000).contains(.continueFor(key: "c", lengthM: 12_000)))
    #expect(!approach(3, "c", 11_986).contains { $0.isContinue })
  }

  @Test func `range says the next maneuver as soon as it is next, VO-1`() {
    var tuning = Self.bare
    tuning.kinds = Set(AnnouncementKind.allCases)
    let drive = DrivenApproach(speedMps: 13.9, limitMps: 13.9, tuning: tuning)
    let said = drive.drive([1500, 6000])
    #expect(
      said.map(\.kind) == [.range, .reminder, .distance, .action] + [
        .range, .reminder, .distance, .action,
      ])
    #expect((said.dropFirst(4).first?.atM ?? 0) > 4480)
  }

  @Test func `what was said before a restart is not said again, BUS-6 PR-11`() {
    var timing = AnnouncementTiming(tuning: Self.bare)
    _ = timing.handle(.said(key: "a", through: .distance))
    let approach = Approach(
      at: Instant(seconds: 0), speedLimitMps: 13.9, speedMps: 5,
      ahead: [ManeuverAhead(key: "a", distanceM: 290)])
    let outputs = timing.handle(.approached(approach))
    #expect(!outputs.contains { if case .due = $0 { true } else { false } })
  }

  @Test func `an approach from the past changes nothing`() {
    var timing = AnnouncementTiming(tuning: Self.bare)
    func approach(_ second: Double) -> Approach {
      Approach(
        at: Instant(seconds: second), speedMps: 10,
        ahead: [ManeuverAhead(key: "a", distanceM: 290)])
    }
    _ = timing.handle(.approached(approach(10)))
    let before = timing
    #expect(timing.handle(.approached(approach(9))) == [] && timing == before)
  }

  @Test func `a distance comes after a silence, and when it is a new one, VO-3`() throws {
    var timing = AnnouncementTiming(tuning: Self.bare)
    let sentences: [AnnouncementKind: Double] = [.reminder: 4, .distance: 3, .action: 1]
    var said: [(kind: AnnouncementKind, atS: Double, atM: Double)] = []
    var (metres, speed) = (620.0, 12.0)
    for second in 0..<60 where metres > 0 {
      let now = Instant(seconds: Double(second))
      // It drives slowly, and faster and faster once the reminder is said.
      let outputs = timing.handle(
        .approached(
          Approach(
            at: now, speedLimitMps: 22, speedMps: speed, expectedSpeedMps: 20,
            ahead: [ManeuverAhead(key: "a", distanceM: metres, sentenceS: sentences)])))
      for case .due(let due) in outputs { said.append((due.kind, Double(second), metres)) }
      metres -= speed
      speed = min(24, speed + 1.5)
    }
    #expect(said.map(\.kind) == [.reminder, .distance, .action])
    let (first, second) = (try #require(said.first), try #require(said.dropFirst().first))
    #expect(second.atS - first.atS >= 4 + 4)
    #expect(second.atM < first.atM * 0.75)
  }

  @Test func `a maneuver is said by the kinds that are worth it`() {
    var timing = AnnouncementTiming(tuning: Self.bare)
    var kinds: [AnnouncementKind] = []
    for second in 0..<70 {
      let outputs = timing.handle(
        .approached(
          Approach(
            at: Instant(seconds: Double(second)), speedLimitMps: 13.9, speedMps: 10,
            ahead: [
              ManeuverAhead(
                key: "a", distanceM: 700 - 10 * Double(second), kinds: [.range, .distance])
            ])))
      for case .due(let due) in outputs { kinds.append(due.kind) }
    }
    #expect(kinds == [.distance])
  }

  @Test func `off the route the same maneuver may be said again`() {
    var timing = AnnouncementTiming(tuning: Self.bare)
    let approach = Approach(
      at: Instant(seconds: 0), speedMps: 0, ahead: [ManeuverAhead(key: "a", distanceM: 290)])
    #expect(timing.handle(.approached(approach)).count == 1)
    _ = timing.handle(.leftRoute)
    #expect(timing.handle(.approached(approach)).count == 1)
  }
}

extension AnnouncementTiming.Output {
  var isContinue: Bool { if case .continueFor = self { true } else { false } }
}
