import Foundations
import Geodesy
import Positioning
import Testing

/// Reported values are compared with how the positions move (LOC-7).
@Suite struct ReceiverCheckTests {
  private static let start = Instant(seconds: 1_790_000_000)

  /// A fix a second, to the east at `mps`, with a small error of its own.
  private func drive(
    _ count: Int, mps: Double = 12, every: Double = 1, _ change: (Int, inout Fix) -> Void
  ) -> [Fix] {
    let origin = Coordinate(latitudeDeg: 47, longitudeDeg: 9)
    return (0..<count).map { number in
      let seconds = Double(number) * every
      let error = Double((number * 7) % 5) - 2
      let place = origin.moved(bearingDeg: 90, distanceM: 1000 + mps * seconds)
        .moved(bearingDeg: 0, distanceM: error)
      var fix = Fix(
        place: place, time: Self.start.advanced(bySeconds: seconds), bearingDeg: 90, speedMps: mps)
      change(number, &fix)
      return fix
    }
  }

  @Test func `values that agree are kept, LOC-7`() {
    let fixes = drive(120) { _, fix in fix.accuracyM = 5 }
    let checked = CheckedTrace(fixes)
    #expect(checked.fixes == fixes)
    #expect(checked.frozen.isEmpty && checked.remarks.isEmpty)
  }

  @Test(arguments: [31_536_000.0, -31_536_000.0])
  func `a fix with a wrong date costs only itself, LOC-7`(leapS: Double) {
    let fixes = drive(120) { number, fix in
      if number == 40 { fix.time = fix.time?.advanced(bySeconds: leapS) }
    }
    let checked = CheckedTrace(fixes)
    #expect(checked.fixes[40].time == nil)
    for number in fixes.indices where number != 40 {
      #expect(checked.fixes[number] == fixes[number])
    }
    // Two drives of about the same length may both be true.
    let two = CheckedTrace(
      drive(120) { number, fix in
        if number >= 70 { fix.time = fix.time?.advanced(bySeconds: abs(leapS)) }
      })
    #expect(two.fixes.allSatisfy { $0.time != nil })
    // On a live drive no later fix is known.
    #expect(CheckedTrace(fixes, looksBack: false).fixes[40].time == fixes[40].time)
  }

  @Test(arguments: [(3.6, "km/h"), (1.944, "knots"), (2.237, "mph"), (0.4, "0.4 times")])
  func `speeds of another unit are reported once by name, LOC-7`(factor: Double, name: String)
    throws
  {
    let checked = CheckedTrace(drive(120) { _, fix in fix.speedMps = 12 * factor })
    #expect(checked.fixes.allSatisfy { $0.speedMps == nil })
    #expect(checked.remarks.count == 1)
    #expect(try #require(checked.remarks.first).contains(name))
  }

  @Test(arguments: [0.7, 1.0, 1.4])
  func `a speed that is somewhat wrong is believed, LOC-7`(factor: Double) {
    let checked = CheckedTrace(drive(120) { _, fix in fix.speedMps = 12 * factor })
    #expect(checked.fixes.allSatisfy { $0.speedMps == 12 * factor })
  }

  @Test(arguments: [1.4, 8.0, 30.0])
  func `a speed that is always 0 is none, LOC-7`(mps: Double) {
    let checked = CheckedTrace(
      drive(200, mps: mps) { _, fix in fix.speedMps = 0 }, looksBack: false)
    let held = checked.fixes.filter { $0.speedMps != nil }
    #expect(Double(held.count) * mps <= 15 + mps)
  }

  @Test(arguments: [8.0, 12.0, 30.0])
  func `a speed that becomes 0 in the middle of a drive is left out within 5 fixes, LOC-7`(
    mps: Double
  ) {
    let checked = CheckedTrace(
      drive(100, mps: mps) { number, fix in if number >= 60 { fix.speedMps = 0 } }, looksBack: false
    )
    #expect(checked.fixes[..<60].allSatisfy { $0.speedMps == mps })
    #expect(checked.fixes[65...].allSatisfy { $0.speedMps == nil })
  }

  @Test func `a jump of a standing vehicle's positions does not make its speed wrong, LOC-7`() {
    var fixes = drive(20) { _, _ in }
    let last = fixes[19].place
    for second in 20..<60 {
      var fix = fixes[19]
      fix.time = Self.start.advanced(bySeconds: Double(second))
      fix.place = last.moved(bearingDeg: Double(second * 50), distanceM: 3)
        .moved(bearingDeg: 0, distanceM: second < 40 ? 0 : 60)
      fix.speedMps = 0
      fixes.append(fix)
    }
    let checked = CheckedTrace(fixes, looksBack: false)
    #expect(checked.fixes.allSatisfy { $0.speedMps != nil })
  }

  @Test func `a vehicle that stands and goes on is believed, LOC-7`() {
    var fixes = drive(60) { _, _ in }
    let last = fixes[59]
    for second in 60..<120 {
      var fix = last
      fix.time = Self.start.advanced(bySeconds: Double(second))
      fix.place = last.place.moved(bearingDeg: Double(second * 50), distanceM: 3)
      fix.speedMps = 0
      fixes.append(fix)
    }
    let checked = CheckedTrace(fixes)
    #expect(checked.fixes == fixes)
  }

  @Test func `a bearing that disagrees is left out until it agrees, LOC-7`() {
    let fixes = drive(160) { number, fix in
      fix.bearingDeg = number < 80 ? 200 : 88 + Double(number % 3)
    }
    let checked = CheckedTrace(fixes)
    #expect(checked.fixes[..<80].allSatisfy { $0.bearingDeg == nil })
    #expect(checked.fixes.last?.bearingDeg != nil)
    #expect(checked.remarks.count == 1)
  }

  @Test func `a bearing that becomes 0 while the vehicle drives on east is none at once, LOC-7`() {
    let checked = CheckedTrace(
      drive(60) { number, fix in if number >= 40 { fix.bearingDeg = 0 } }, looksBack: false)
    #expect(checked.fixes[..<40].allSatisfy { $0.bearingDeg == 90 })
    #expect(checked.fixes[40...].allSatisfy { $0.bearingDeg == nil })
  }

  @Test func `a repeated bearing of 0 is left out where the receiver reports fractions, LOC-7`() {
    // The road turns slowly from 350 to 20 degrees; the bearing is stuck at 0 from the 30th fix on.
    var place = Coordinate(latitudeDeg: 47, longitudeDeg: 9)
    let fixes = (0..<60).map { number -> Fix in
      let bearing = (350.3 + Double(number) * 0.5).truncatingRemainder(dividingBy: 360)
      place = place.moved(bearingDeg: bearing, distanceM: 10)
      return Fix(
        place: place, time: Self.start.advanced(bySeconds: Double(number)),
        bearingDeg: number < 30 ? bearing : 0, speedMps: 10)
    }
    let checked = CheckedTrace(fixes, looksBack: false)
    #expect(checked.fixes[..<30].allSatisfy { $0.bearingDeg != nil })
    #expect(checked.fixes[31...].allSatisfy { $0.bearingDeg == nil })
  }

  @Test func `a repeated bearing of 0 is kept on a road due north after fractions, LOC-8`() {
    var place = Coordinate(latitudeDeg: 47, longitudeDeg: 9)
    let fixes = (0..<40).map { number -> Fix in
      let bearing = number < 20 ? 90.5 : 0
      place = place.moved(bearingDeg: bearing, distanceM: 12)
      return Fix(
        place: place, time: Self.start.advanced(bySeconds: Double(number)), bearingDeg: bearing,
        speedMps: 12)
    }
    let checked = CheckedTrace(fixes, looksBack: false)
    #expect(checked.fixes[21...].allSatisfy { $0.bearingDeg == 0 })
  }

  @Test func `a bearing of 0 is believed of who drives north, LOC-7`() {
    let origin = Coordinate(latitudeDeg: 47, longitudeDeg: 9)
    let corner = origin.moved(bearingDeg: 90, distanceM: 360)
    let fixes = drive(60) { number, fix in
      guard number <= 30 else {
        fix.place = corner.moved(bearingDeg: 0, distanceM: 12 * Double(number - 30))
        fix.bearingDeg = 0
        return
      }
      fix.place = origin.moved(bearingDeg: 90, distanceM: 12 * Double(number))
    }
    let checked = CheckedTrace(fixes, looksBack: false)
    #expect(checked.fixes[33...].allSatisfy { $0.bearingDeg == 0 })
  }

  @Test func `a bearing that is always 0 is none, LOC-7`() {
    let checked = CheckedTrace(drive(60) { _, fix in fix.bearingDeg = 0 }, looksBack: false)
    #expect(checked.fixes.allSatisfy { $0.bearingDeg == nil })
  }

  @Test
  func `a poor accuracy that never changes is left out where positions go on smoothly, LOC-7`() {
    let constant = CheckedTrace(drive(60) { _, fix in fix.accuracyM = 65 })
    #expect(constant.fixes.allSatisfy { $0.accuracyM == nil })
    let reported = CheckedTrace(
      drive(60) { number, fix in fix.accuracyM = 60 + Double(number % 7) })
    #expect(reported.fixes.allSatisfy { $0.accuracyM != nil })
    let rough = CheckedTrace(
      drive(60) { number, fix in
        fix.accuracyM = 65
        fix.place = fix.place.moved(bearingDeg: Double(number * 137), distanceM: 40)
      })
    #expect(rough.fixes.allSatisfy { $0.accuracyM == 65 })
  }

  @Test(arguments: [12, 0, nil] as [Double?])
  func `a position that is repeated in motion is frozen, TU-4`(speedMps: Double?) {
    let fixes = drive(120) { number, fix in
      if speedMps == nil { fix.speedMps = nil }
      guard (50..<90).contains(number) else { return }
      fix.place = drive(50) { _, _ in }[49].place
      fix.speedMps = speedMps
    }
    let checked = CheckedTrace(fixes)
    #expect(checked.frozen.isSubset(of: Set(50..<90)))
    #expect(checked.frozen.count >= 38)
    #expect(checked.fixes[95].time != nil && checked.remarks.count == 1)
  }

  @Test func `two fixes that noise brings close together are not frozen, LOC-7`() {
    let fixes = drive(60, mps: 8) { number, fix in
      guard number == 30 else { return }
      // 0.3 m from the fix before it.
      fix.place = drive(30, mps: 8) { _, _ in }[29].place.moved(bearingDeg: 90, distanceM: 0.3)
    }
    #expect(CheckedTrace(fixes).frozen.isEmpty)
  }

  @Test func `a position that is repeated after slowing down is a stand, MM-11`() {
    var metres = 0.0
    let origin = Coordinate(latitudeDeg: 47, longitudeDeg: 9)
    let fixes = (0..<120).map { second -> Fix in
      let mps = Double.maximum(0, Double.minimum(14, Double(60 - second) * 3))
      metres += mps
      return Fix(
        place: origin.moved(bearingDeg: 90, distanceM: metres),
        time: Self.start.advanced(bySeconds: Double(second)), speedMps: mps)
    }
    #expect(CheckedTrace(fixes).frozen.isEmpty)
    let silent = fixes.map { Fix(place: $0.place, time: $0.time) }
    #expect(CheckedTrace(silent).frozen.isEmpty)
  }

  @Test func `positions that come several times each are not frozen, LOC-7`() {
    // Ten fixes a second of a receiver that gives one position a second.
    let fixes = drive(300, every: 0.1) { number, fix in
      fix.place = Coordinate(latitudeDeg: 47, longitudeDeg: 9)
        .moved(bearingDeg: 90, distanceM: 12 * Double(number / 10))
    }
    #expect(CheckedTrace(fixes).frozen.isEmpty)
  }

  @Test func `values that no receiver can mean are left out, the fix is not, LOC-7`() {
    var fix = Fix(place: Coordinate(latitudeDeg: 47, longitudeDeg: 9), time: Self.start)
    (fix.speedMps, fix.bearingDeg, fix.accuracyM) = (-1, -1, 0)
    #expect(fix.readable.leftOut.isEmpty)
    #expect(fix.readable.fix == Fix(place: fix.place, time: fix.time))
    (fix.speedMps, fix.bearingDeg, fix.accuracyM) = (-7, 361, .nan)
    #expect(fix.readable.leftOut == ["speed_mps", "bearing_deg", "accuracy_m"])
    #expect(fix.readable.fix == Fix(place: fix.place, time: fix.time))
    fix.altitudeM = -1
    #expect(fix.readable.fix.altitudeM == -1)
  }
}
