import Foundation
import Foundations
import Geodesy
import Positioning
import RealData
import Testing

/// NMEA 0183: sentences, fixes, days, and a drive with known truth.
@Suite struct NMEATests {
  /// A sentence with its checksum.
  private func line(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" + digits : digits)\r\n"
  }

  private func fixes(
    _ bodies: [String], day: Instant? = Instant(seconds: 1_767_225_600)
  ) -> [Fix] {
    var receiver = NMEAReceiver(day: day)
    return receiver.process(bodies.map(line).joined().utf8) + receiver.finish()
  }

  private func gga(_ time: String, lon: String = "00930.0000", quality: Int = 1) -> String {
    "GPGGA,\(time),4706.0000,N,\(lon),E,\(quality),08,1.2,460.0,M,48.0,M,,"
  }

  private func rmc(
    _ time: String, date: String = "311225", status: String = "A", talker: String = "GP"
  ) -> String {
    "\(talker)RMC,\(time),\(status),4706.0000,N,00930.0000,E,10.0,90.5,\(date),,,A"
  }

  @Test func `sentences of one time are one fix with all that they tell, LOC-3`() throws {
    let reported = fixes([
      gga("120000.50"), rmc("120000.50"), "GPGST,120000.50,1.0,3.0,2.0,45.0,3.0,4.0,6.0",
    ])
    let fix = try #require(reported.first)
    #expect(reported.count == 1)
    #expect(abs(fix.place.latitudeDeg - 47.1) < 1e-9 && abs(fix.place.longitudeDeg - 9.5) < 1e-9)
    #expect(fix.time == TimeText.iso8601("2025-12-31T12:00:00.5Z"))
    #expect(abs((fix.speedMps ?? 0) - 5.14444) < 1e-5 && fix.bearingDeg == 90.5)
    #expect(fix.altitudeM == 508)
    // Sigmas of 3 and 4 m: 1.51 times their mean by squares.
    #expect(abs((fix.accuracyM ?? 0) - 1.51 * 12.5.squareRoot()) < 1e-9)
  }

  @Test func `a fix is given with its last sentence, not with the next second, LOC-2`() {
    var receiver = NMEAReceiver(day: nil)
    func take(_ body: String) -> Int {
      receiver.process(line(body).utf8).count
    }
    // Of the first second nobody knows yet what ends it.
    let counts = ["120000", "120001", "120002"].flatMap { [take(gga($0)), take(rmc($0))] }
    #expect(counts == [0, 0, 1, 1, 0, 1])
    let rest = receiver.finish()
    #expect(rest.isEmpty && receiver.counts.fixes == 3)
  }

  @Test func `wrong, missing and cut checksums are counted, and give nothing, LOC-7`() {
    var receiver = NMEAReceiver(day: nil)
    let good = line(gga("120000"))
    let wrong = good.replacingOccurrences(of: "4706", with: "4806")
    let missing = "$" + gga("120000") + "\r\n"
    let cut = good.dropLast(3) + "\r\n"
    let reported = receiver.process((wrong + missing + cut).utf8) + receiver.finish()
    #expect(reported.isEmpty)
    #expect(receiver.counts.wrongChecksum == 1 && receiver.counts.noChecksum == 2)
    #expect(receiver.counts.sentences == 0)
  }

  @Test func `binary between the sentences and odd chunks change nothing, LOC-2`() {
    let bodies = (0..<60).flatMap { second in
      let time = "1200" + (second < 10 ? "0" : "") + "\(second)"
      return [gga(time), rmc(time)]
    }
    let noise: [UInt8] = [0xb5, 0x62, 0x01, 0x24, 0x0a, 0xff, 0x00]
    let bytes = bodies.flatMap { noise + Array(line($0).utf8) }
    var whole = NMEAReceiver(day: nil)
    let expected = whole.process(bytes) + whole.finish()
    #expect(expected.count == 60)
    for size in [1, 7, 64] {
      var receiver = NMEAReceiver(day: nil)
      var reported: [Fix] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        reported += receiver.process(bytes[start..<min(start + size, bytes.count)])
      }
      reported += receiver.finish()
      #expect(reported == expected)
    }
  }

  @Test func `midnight is passed with and without dates, LOC-2`() {
    let dated = fixes([
      rmc("235959"), gga("235959"), gga("000000"), rmc("000000", date: "010126"), gga("000001"),
    ])
    let midnight = TimeText.iso8601("2026-01-01T00:00:00Z")
    #expect(dated.map(\.time) == [-1, 0, 1].map { midnight?.advanced(bySeconds: $0) })
    let undated = fixes([gga("235959"), gga("000000"), gga("000001")], day: midnight)
    #expect(
      undated.map(\.time) == [86_399, 86_400, 86_401].map { midnight?.advanced(bySeconds: $0) })
    #expect(fixes([gga("120000")], day: nil).first?.time == nil)
  }

  @Test func `a log whose date comes late is dated from its start, LOC-2`() throws {
    let bodies = [gga("235958"), gga("235959"), gga("000000"), rmc("000001", date: "010126")]
    let trace = try NMEALog.parse(Array(bodies.map(line).joined().utf8))
    #expect(trace[0].fixes.first?.time == TimeText.iso8601("2025-12-31T23:59:58Z"))
    #expect(trace[0].fixes.last?.time == TimeText.iso8601("2026-01-01T00:00:01Z"))
  }

  @Test func `a receiver without a position gives no fix, LOC-7`() {
    #expect(fixes([gga("120000", quality: 0)]).isEmpty)
    #expect(fixes([rmc("120000", status: "V")]).isEmpty)
    #expect(fixes(["GNGNS,120000,4706.0,N,00930.0,E,NNN,00,,,,,"]).isEmpty)
  }

  @Test func `a constellation without a fix does not silence those that have one, LOC-2`() throws {
    let none = "GLGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9"
    let some = "GPGSA,A,3,01,02,03,04,,,,,,,,,2.0,1.2,1.6"
    for order in [[none, some], [some, none]] {
      let reported = fixes([rmc("120000"), gga("120000")] + order)
      #expect(reported.count == 1)
    }
    #expect(fixes([gga("120000", quality: 0), some, none]).isEmpty)
  }

  @Test func `many constellations together go before one of them, LOC-2`() throws {
    let reported = fixes([
      "GPGLL,4700.0000,N,00930.0000,E,120000,A,A",
      "GNGNS,120000,4706.0000,N,00930.0000,E,AAN,12,0.8,460.0,48.0,,",
      "GLGLL,4701.0000,N,00930.0000,E,120000,A,A", "GNVTG,182.0,T,,M,36.0,N,,K,A",
    ])
    let fix = try #require(reported.first)
    #expect(reported.count == 1 && abs(fix.place.latitudeDeg - 47.1) < 1e-9)
    #expect(fix.bearingDeg == 182 && abs((fix.speedMps ?? 0) - 18.52) < 0.001)
  }

  @Test(arguments: [
    "GPGGA,250000,4706.0,N,00930.0,E,1,08,1,460,M,48,M,,",
    "GPGGA,120000,9906.0,N,00930.0,E,1,08,1,460,M,48,M,,",
    "GPGGA,120000,4766.0,N,00930.0,E,1,08,1,460,M,48,M,,",
    "GPGGA,120000,4706.0,X,00930.0,E,1,08,1,460,M,48,M,,",
    "GPGGA,120000,nan,N,00930.0,E,1,08,1,460,M,48,M,,", "GPGGA,120000", "GPGGA", "GPRMC,,,,,,,,,",
  ])
  func `impossible sentences give no fix, LOC-7`(body: String) { #expect(fixes([body]).isEmpty) }

  @Test func `random bytes are survived, LOC-7`() {
    var random = SplitMix64(seed: 7)
    var receiver = NMEAReceiver(day: nil)
    for _ in 0..<2_000 {
      var bytes = Array(line(rmc("120000")).utf8)
      for _ in 0..<Int(random.next() % 4) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = receiver.process(bytes)
    }
    #expect(receiver.counts.sentences > 100)
  }

  private static let data = realData("nmea")

  @Test(
    .enabled(
      if: data != nil,
      "../shared/data/nmea is not there"))
  func `a drive agrees with the survey-grade truth to the receiver's error, LOC-2`() throws {
    // The truth's dated sentences have wrong checksums all: its day is that of the drive.
    func trace(_ name: String) throws -> [Fix] {
      let data = try Data(contentsOf: try #require(Self.data).appending(path: name))
      return try NMEALog.parse([UInt8](data), start: Instant(seconds: 1_581_033_600))[0].fixes
    }
    let reported = try trace("mountain-view-ublox-f9k.nmea")
    let truth = Dictionary(
      try trace("mountain-view-truth.gga").compactMap { fix in fix.time.map { ($0, fix) } },
      uniquingKeysWith: { first, _ in first })
    let errors = reported.compactMap { fix in
      fix.time.flatMap { truth[$0] }.map { $0.place.distanceM(to: fix.place) }
    }.sorted()
    try #require(errors.count > 1000)
    let (middle, wide) = (errors[errors.count / 2], errors[errors.count * 95 / 100])
    print("nmea: \(errors.count) fixes, p50 \(middle) m, p95 \(wide) m")
    #expect(middle < 1 && wide < 3)
    #expect(reported.contains { $0.accuracyM != nil })
  }
}
