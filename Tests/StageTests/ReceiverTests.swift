import Foundations
import LocationStage
import Messages
import Stage
import Testing

/// Receivers: how they are named, and what a gpsd says.
@Suite struct ReceiverTests {
  private let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3}"#
  private let report =
    #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2026-11-22T06:00:01.500Z","#
    + #""lat":47.1,"lon":9.5,"#
    + #""altHAE":508.0,"track":92.5,"speed":13.2,"eph":9.8,"eps":1.96,"epd":19.6}"#

  private func fixes(_ lines: [String], chunk: Int = 7) throws -> [LocationRaw] {
    let address = try ReceiverAddress("gpsd:localhost", priority: 3)
    var stream = ReceiverStream(address, today: Instant(seconds: 0))
    let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
    return stride(from: 0, to: bytes.count, by: chunk).flatMap {
      stream.process(bytes[$0..<min($0 + chunk, bytes.count)])
    }.map(\.message)
  }

  @Test func `a report of gpsd is a fix with all that it tells, LOC-2`() throws {
    let reported = try fixes([version, report])
    let fix = try #require(reported.first)
    #expect(reported.count == 1 && fix.latDeg == 47.1 && fix.lonDeg == 9.5 && fix.altitudeM == 508)
    #expect(fix.bearingDeg == 92.5 && fix.speedMps == 13.2 && fix.priority == 3)
    #expect(fix.timeNs == 1_795_327_201_500_000_000 && fix.provider == "gpsd:localhost")
    #expect(fix.speedAccuracyMps == 1 && abs((fix.bearingAccuracyDeg ?? 0) - 10) < 1e-9)
    #expect(abs((fix.accuracyM ?? 0) - 9.8 * 1.51 / 2.45) < 1e-9)
  }

  @Test func `a gpsd's times as numbers, and numbers as words, are read, LOC-2`() throws {
    let reported = try fixes([
      #"{"class":"TPV","mode":3,"time":1795327201.5,"lat":"47.1","lon":"9.5","speed":"fast"}"#
    ])
    #expect(reported.first?.timeNs == 1_795_327_201_500_000_000)
    #expect(reported.first?.latDeg == 47.1 && reported.first?.speedMps == nil)
  }

  @Test func `a receiver whose dates are 1024 weeks behind is named, LOC-7`() throws {
    let address = try ReceiverAddress("udp:10110", priority: 0)
    let sentences = [
      "$GNRMC,100000.00,A,4700.10875,N,01000.01522,E,23.33,90.00,010726,,,A*46\r\n",
      "$GNRMC,100001.00,A,4700.10844,N,01000.02454,E,23.33,90.00,010726,,,A*46\r\n",
    ]
    let now = Instant(seconds: 1_782_900_000)
    func complaint(_ today: Instant) -> String? {
      var stream = ReceiverStream(address, today: today)
      _ = stream.process(Array(sentences.joined().utf8))
      return stream.complaint
    }
    #expect(complaint(now) == nil)
    #expect(
      complaint(now.advanced(bySeconds: 619_315_200))?.contains("nmea_add_weeks: 1024") == true)
  }

  @Test(arguments: [("", "nmea_checksum: optional"), ("*00", "wrong checksum")])
  func `a receiver of which nothing can be read is named with the reason, LOC-7`(
    sum: String, words: String
  ) throws {
    var stream = ReceiverStream(
      try ReceiverAddress("udp:10110", priority: 0), today: Instant(seconds: 0))
    let line = "$GNRMC,100000.00,A,4700.10875,N,01000.01522,E,23.33,90.00,010726,,,A\(sum)\r\n"
    for count in 1...10 {
      #expect(stream.complaint == nil, "after \(count - 1)")
      _ = stream.process(Array(line.utf8))
    }
    #expect(stream.complaint?.contains(words) == true)
  }

  @Test(arguments: [
    #"{"class":"TPV","mode":1,"time":"2026-11-22T06:00:01.500Z"}"#,
    #"{"class":"TPV","mode":3}"#, #"{"class":"SKY","satellites":[]}"#, #"{"class":"TPV""#,
    "garbage",
    "",
  ])
  func `a report without a position, or none at all, gives no fix, LOC-7`(line: String) throws {
    #expect(try fixes([line, report]).count == 1)
  }

  @Test func `receivers are named by how they are reached, LOC-2`() throws {
    #expect(
      try ReceiverAddress("serial:/dev/ttyACM0", priority: 0).link
        == .serial(path: "/dev/ttyACM0", baud: 9600))
    #expect(
      try ReceiverAddress("serial:/dev/ttyUSB0@115200", priority: 0).link
        == .serial(path: "/dev/ttyUSB0", baud: 115_200))
    #expect(
      try ReceiverAddress("tcp:gps.local:10110", priority: 0).link
        == .tcp(host: "gps.local", port: 10_110))
    #expect(try ReceiverAddress("udp:10110", priority: 0).link == .udp(port: 10_110))
    #expect(
      try ReceiverAddress("gpsd:localhost/dev/ttyUSB0", priority: 0).link
        == .gpsd(host: "localhost", port: 2947, device: "/dev/ttyUSB0"))
  }

  @Test(arguments: ["gpsd", "tcp:host", "udp:0", "tcp:host:70000", "serial:ttyUSB0", "ftp:x:1", ""])
  func `a receiver that cannot be is refused with what was expected, LOC-2`(text: String) {
    #expect(throws: StageFailure.self) { try ReceiverAddress(text, priority: 0) }
  }

  @Test func `a line that falls silent is given up, LOC-2`() throws {
    for text in ["tcp:host:1", "serial:/dev/ttyUSB0", "gpsd:host"] {
      var watch = ReceiverWatch(try ReceiverAddress(text, priority: 0))
      watch.connected(atS: 100)
      #expect(watch.trouble == nil)
      watch.heard(atS: 110)
      #expect(watch.idle(atS: 124) == .wait)
      #expect(watch.idle(atS: 126) == (text == "gpsd:host" ? .ask : .wait))
      #expect(watch.idle(atS: 127) == .wait && watch.trouble == nil)
      #expect(watch.idle(atS: 140) == .reconnect)
      #expect(watch.trouble?.contains("no data for 30 s") == true)
    }
    var datagrams = ReceiverWatch(try ReceiverAddress("udp:5", priority: 0))
    datagrams.connected(atS: 0)
    #expect(datagrams.idle(atS: 31) == .wait && datagrams.trouble != nil)
    datagrams.heard(atS: 32)
    #expect(datagrams.trouble == nil)
  }

  @Test func `only bytes end a trouble, and the wait between the tries doubles, LOC-2`() throws {
    var watch = ReceiverWatch(try ReceiverAddress("tcp:host:1", priority: 0))
    watch.lost("host:1: Connection refused")
    #expect((0..<7).map { _ in watch.nextPauseS() } == [0.5, 1, 2, 4, 8, 10, 10])
    // A line that opens and says nothing is no better than none.
    watch.connected(atS: 0)
    #expect(watch.trouble?.contains("no data yet") == true)
    #expect(watch.idle(atS: 30) == .reconnect && watch.nextPauseS() == 10)
    watch.connected(atS: 50)
    watch.heard(atS: 51)
    #expect(watch.trouble == nil && watch.nextPauseS() == 0.5)
  }

  @Test func `the first receiver has the highest priority, LOC-2`() throws {
    func load(_ given: [String: ParameterValue]) throws -> LocationSettings {
      try LocationStage.load(
        try Parameters(given, declared: LocationStage.manifest.parameters))
    }
    let settings = try load([
      "source": "receivers", "receivers": .strings(["tcp:a:1", "udp:2", "gpsd:b"]), "priority": 5,
    ])
    #expect(settings.receivers.map(\.priority) == [7, 6, 5])
    #expect(throws: StageFailure.self) { try load(["source": "receivers"]) }
    #expect(throws: StageFailure.self) {
      try load(["source": "external", "receivers": .strings(["udp:2"])])
    }
    #expect(throws: StageFailure.self) {
      try load(["source": "receivers", "receivers": .strings(["udp:2", "udp:2"])])
    }
  }
}
