import Foundations
import Geodesy
import Testing

@testable import Positioning

/// Recordings as loggers write them: what is read, what is left out, and that it is told.
@Suite struct RecordingTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func read(_ text: String, as format: TraceFormat? = nil) throws -> TraceRecording {
    try TraceReader.read(
      bytes(text), as: format, options: TraceReader.Options(start: Instant(nanoseconds: 0)))
  }

  private func problem(_ text: String, as format: TraceFormat? = nil) -> String {
    do {
      _ = try read(text, as: format)
      return ""
    } catch {
      return "\(error)"
    }
  }

  private func gpx(_ points: String, _ head: String = "") -> String {
    "<gpx\(head)><trk><name>t</name><trkseg>\(points)</trkseg></trk></gpx>"
  }

  private let point = #"<trkpt lat="47" lon="10"><time>2026-07-01T10:00:00Z</time></trkpt>"#

  // MARK: Times

  @Test(arguments: [
    "1782900000", "1782900000.0", "1782900000000", "1782900000000000", "1782900000000000000",
    "2026-07-01T10:00:00Z", "2026/07/01 10:00:00", "\"2026-07-01 10:00:00\"",
  ])
  func `the unit of a time follows from its size, LOC-2`(time: String) throws {
    let fixes = try read("time,lat,lon\n\(time),47,10\n").traces[0].fixes
    #expect(fixes[0].time == Instant(nanoseconds: 1_782_900_000_000_000_000))
  }

  @Test(arguments: ["99999999999999999999", "20000000000", "-9e30", "nan", "inf"])
  func `a time that no unit can mean is none, and never the end of time, LOC-7`(time: String) {
    #expect(problem("time,lat,lon\n\(time),47,10\n").contains("is not a time"))
  }

  @Test func `the unit of a time may be in the name of its column, LOC-2`() throws {
    let fixes = try read("t_ms,lat,lon\n1500,47,10\n2500,47,10\n").traces[0].fixes
    #expect(fixes.map { $0.time?.nanoseconds } == [1_500_000_000, 2_500_000_000])
    let split = try read("Date,Time,Lat,Lon\n2026-07-01,10:00:00,47,10\n").traces[0].fixes
    #expect(split[0].time == Instant(seconds: 1_782_900_000))
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (951_825_600, "2000-02-29T12:00:00Z"),
    (1_798_761_599, "2026-12-31T23:59:59Z"), (-1, "1969-12-31T23:59:59Z"),
    (-86_401, "1969-12-30T23:59:59Z"),
  ])
  func `moments are written as they are read`(seconds: Int64, text: String) {
    let instant = Instant(nanoseconds: seconds * 1_000_000_000)
    #expect(TimeText.utc(instant) == text)
    #expect(TimeText.iso8601(text) == instant)
  }

  private func fix(_ second: Double?) -> Fix {
    Fix(
      place: Coordinate(latitudeDeg: 47, longitudeDeg: 10),
      time: second.map { Instant(seconds: $0) })
  }

  /// Seconds after `now` at which fixes of the given seconds are due.
  private func dues(_ seconds: [Double?], after now: Double = 1_782_900_000) -> [Double] {
    let replay = TraceReplay(
      seconds.map { fix($0) }, start: Instant(seconds: now), intervalS: 1)
    return replay.dues.map { $0.seconds - now }
  }

  @Test func `a wrong date sets no due time, LOC-6, LOC-7`() {
    let now = 1_782_900_000.0
    let good = (3..<9).map { now + Double($0) }
    let expected = (0..<9).map(Double.init)
    // A receiver without a lock: 1980, and 1999 as after a rollover.
    for wrong in [315_964_800.0, 935_280_000] {
      #expect(dues((0..<3).map { wrong + Double($0) } + good) == expected)
    }
    // One fix a year ahead, and one of the end of time.
    for wrong in [now + 31_536_000, 9.2e9] {
      var seconds: [Double?] = expected.map { now + $0 }
      seconds[4] = wrong
      #expect(dues(seconds) == expected)
    }
    // The fewer fixes have the wrong date, wherever they stand.
    #expect(
      dues([now, now + 1, now + 2, now + 3, now - 7_200, now - 7_199]) == [0, 1, 2, 3, 4, 5])
    // Without a time they lead up to the first, and follow the last.
    #expect(dues([nil, now + 10, nil, now + 12, nil]) == [9, 10, 11, 12, 13])
    #expect(dues([nil, nil]) == [0, 1])
  }

  /// A drive to the east at 16 m/s, whose clock is set by `stepS` at fix `at`.
  private func drive(_ stepS: Double, at: Int) -> [Fix] {
    (0..<100).map { number in
      Fix(
        place: Coordinate(latitudeDeg: 0, longitudeDeg: 0.000144 * Double(number)),
        time: Instant(
          seconds: 1_782_900_000 + Double(number) + (number >= at ? stepS : 0)))
    }
  }

  @Test(arguments: [(-1800.0, 20), (-1800, 80), (-20, 50), (86_400, 20), (86_400, 97), (7_200, 50)])
  func `a clock that is set during a drive is played on, LOC-6, LOC-7`(stepS: Double, at: Int) {
    let replay = TraceReplay(
      drive(stepS, at: at), start: Instant(nanoseconds: 0), intervalS: 1)
    #expect(replay.fixes.map(\.time) == replay.dues)
    let steps = zip(replay.dues, replay.dues.dropFirst()).map { $1.seconds(since: $0) }
    #expect(steps.allSatisfy { $0 == 1 })
  }

  @Test func `a vehicle that was parked for a day keeps its times, LOC-6`() {
    var fixes = drive(86_400, at: 50)
    // It slows down, stands for some seconds, and then drives on.
    for index in 40..<60 { fixes[index].place.longitudeDeg = fixes[40].place.longitudeDeg }
    let replay = TraceReplay(fixes, start: Instant(nanoseconds: 0), intervalS: 1)
    #expect(replay.fixes.map(\.time) == fixes.map(\.time))
    #expect(replay.lengthS == 86_400 + 99)
  }

  @Test func `pauses of days are plausible, leaps of years are reported, LOC-7`() {
    let days = [0, 1, 172_800, 172_801].map { fix(1_782_900_000 + $0) }
    #expect(TraceTimes.plausible(days) == [true, true, true, true])
    #expect(TraceTimes.remarks(days).isEmpty)
    let rollover = [0, 1, 2, 619_315_203].map { fix(1_163_584_800 + $0) }
    let remarks = TraceTimes.remarks(rollover)
    #expect(remarks.contains { $0.contains("wrong date or time: 1") })
    #expect(remarks.contains { $0.contains("jumps by 1024 weeks") })
    #expect(TraceTimes.remarks([fix(1), fix(1)])[0].hasPrefix("all fixes have the same time"))
  }

  @Test func `a hundred thousand fixes of dates in disorder are judged at once`() {
    var random = SplitMix64(seed: 3)
    let fixes = (0..<100_000).map { _ in fix(Double(random.next() % 1_700_000_000) + 7e8) }
    let began = ContinuousClock.now
    #expect(TraceReplay(fixes, start: Instant(nanoseconds: 0), intervalS: 1).dues.count == 100_000)
    #expect(began.duration(to: .now) < .seconds(20))
  }

  @Test func `fixes that stand newest first are turned round, LOC-2`() throws {
    let lines = (0..<5).reversed().map { "\(1_782_900_000 + $0),47,10\n" }.joined()
    let recording = try read("time,lat,lon\n" + lines)
    let seconds = recording.traces[0].fixes.compactMap { $0.time?.seconds }
    #expect(seconds == seconds.sorted())
    #expect(recording.remarks.sentences.contains { $0.contains("newest first") })
  }

  // MARK: CSV

  @Test func `a quoted cell is one cell, whatever is in it, LOC-2`() throws {
    let recording = try read(
      "time,lat,lon,note,accuracy_m,speed_mps\n"
        + "1782900000,47.5,10.5,\"Bus 7, 100, \"\"12\"\",\n0\",4,12.0\n"
        + "1782900001,\"47,25\",10.5,a \"b\" c,5,13\n1782900002,47,10,\"open,6,14\n")
    let fixes = recording.traces[0].fixes
    #expect(fixes.map(\.accuracyM) == [4, 5, 6])
    #expect(fixes.map(\.speedMps) == [12, 13, 14])
    #expect(fixes[1].place.latitudeDeg == 47.25)
  }

  @Test(arguments: [
    ("timestamp,latitude,longitude", ","), ("Time,Lat,Lng", ","),
    ("GPS Time;GPS Lat;GPS Long", ";"),
    ("TIMESTAMP\tLatitude (deg)\tLongitude [deg]", "\t"), ("#utc|lat|lon", "|"),
  ])
  func `columns are known by their usual names, LOC-2`(header: String, separator: String) throws {
    for end in ["\n", "\r\n", "\r"] {
      let cells = ["1782900000", "47,5", "10.25"].map {
        separator == "," ? $0.replacing(",", with: ".") : $0
      }
      let text =
        "sep=\(separator)\(end)# a comment\(end)\(header)\(end)\(cells.joined(separator: separator))\(end)"
      let fix = try read(text).traces[0].fixes[0]
      #expect(fix.place == Coordinate(latitudeDeg: 47.5, longitudeDeg: 10.25))
    }
  }

  @Test(arguments: [
    ("speed_kmh", 36, 10), ("Speed (km/h)", 36, 10), ("speed_mps", 10, 10), ("speed [m/s]", 10, 10),
    ("GPS speed (mph)", 100, 44.704), ("sog_kn", 10, 5.14444), ("speedKmh", 36, 10),
  ])
  func `units stand in the name of a column, LOC-3`(name: String, reported: Double, mps: Double)
    throws
  {
    let fix = try read("time,lat,lon,\(name)\n1,47,10,\(reported)\n").traces[0].fixes[0]
    #expect(abs((fix.speedMps ?? 0) - mps) < 1e-9)
  }

  @Test func `the names of location/raw name columns, and a vehicle is a trip, LOC-2, BUS-2`()
    throws
  {
    let recording = try read(
      "vehicle,time_ns,lat_deg,lon_deg,speed_mps,bearing_deg,accuracy_m,altitude_m\n"
        + "car1,1790000000000000000,47.5,10.25,12,90,4,500\n"
        + "car2,1790000000000000000,47.6,10.25,12,90,4,500\n")
    #expect(recording.traces.map(\.name) == ["car1", "car2"])
    #expect(recording.remarks.sentences.isEmpty)
    let fix = recording.traces[0].fixes[0]
    #expect(fix.time == Instant(nanoseconds: 1_790_000_000_000_000_000))
    #expect(fix.speedMps == 12 && fix.bearingDeg == 90 && fix.accuracyM == 4)
    let both = try read("vehicle,trip,time,lat,lon\nv,t1,1,47,10\nv,t2,2,47,10\n")
    #expect(both.traces.map(\.name) == ["t1", "t2"])
  }

  @Test func `columns that are not read are named, LOC-3`() throws {
    let recording = try read("time,lat,lon,speed,note,altitude_ft\n1,47,10,50,x,100\n")
    #expect(recording.traces[0].fixes[0].speedMps == nil)
    #expect(abs((recording.traces[0].fixes[0].altitudeM ?? 0) - 30.48) < 1e-9)
    let remark = try #require(recording.remarks.sentences.first)
    #expect(remark.contains("speed (its unit is unknown") && remark.hasSuffix("note"))
  }

  @Test func `one bad value costs itself, and one bad line itself, LOC-7`() throws {
    let recording = try read(
      "time,lat,lon,speed_mps\n1,47,10,x\nnoon,47,10,1\n3,,10,1\n4,47,ten,1\n5,47,10,nan\n6,47")
    let fixes = recording.traces[0].fixes
    #expect(fixes.map(\.speedMps) == [nil, 1, nil])
    #expect(fixes.map { $0.time?.seconds } == [1, nil, 5])
    let reported = recording.remarks.sentences
    #expect(
      reported.contains { $0.hasPrefix("lines without readable coordinates are left out: 3") })
    #expect(
      reported.contains { $0.contains("values of the speed that are not numbers are left out: 2") })
    #expect(reported.contains { $0.contains("unreadable times are left out: 1") })
  }

  // MARK: GPX

  @Test(arguments: [
    "<ele></ele>", "<ele/>", "<ele>nan</ele>", "<ele>512 m</ele>", "<speed/>", "<course>-</course>",
    "<extensions><accuracy>high</accuracy></extensions>",
    "<extensions><time>123</time></extensions>",
  ])
  func `an odd optional value never costs a point, LOC-7`(value: String) throws {
    let recording = try read(
      gpx(
        point
          + #"<trkpt lat="47" lon="10"><time>2026-07-01T10:00:01Z</time>\#(value)</trkpt>"#))
    #expect(recording.traces[0].fixes.count == 2)
    #expect(recording.traces[0].fixes[1].time == Instant(seconds: 1_782_900_001))
    #expect(recording.remarks.isEmpty == value.contains("<time>"))
  }

  @Test func `a point without a place or time costs itself, LOC-7`() throws {
    let recording = try read(
      gpx(
        point + #"<trkpt lat="" lon=""/><trkpt lat="NaN" lon="1"/><trkpt lon="1"/>"#
          + #"<trkpt lat="47,5" lon="10"><time></time></trkpt>"#))
    #expect(recording.traces[0].fixes.map(\.place.latitudeDeg) == [47, 47.5])
    #expect(recording.remarks.sentences.count == 2)
  }

  @Test(
    arguments: [
      ("<accuracy>7</accuracy>", "", 7),
      ("<a:accuracy_horizontal>7</a:accuracy_horizontal>", "", 7),
      ("<hAcc>7</hAcc>", "", 7), ("<hdop>7</hdop>", #" creator="OsmAnd 4""#, 7),
      ("<hdop>7</hdop>", #" creator="Garmin""#, nil),
    ] as [(String, String, Double?)])
  func `accuracies are known by the names that applications give, LOC-3`(
    value: String, head: String, accuracyM: Double?
  ) throws {
    let recording = try read(gpx(#"<trkpt lat="1" lon="2">\#(value)</trkpt>"#, head))
    #expect(recording.traces[0].fixes[0].accuracyM == accuracyM)
  }

  @Test func `a file that breaks off is read up to there and says so, LOC-2`() throws {
    let whole = gpx(String(repeating: point, count: 5))
    for length in stride(from: 1, to: whole.utf8.count, by: 7) {
      guard let recording = try? read(String(whole.prefix(length))) else { continue }
      #expect(recording.traces[0].fixes.count <= 5)
      #expect(recording.cut != nil && !recording.remarks.isEmpty)
    }
    // What is imported as a route must be whole.
    #expect(throws: TraceFault.self) { try GPX.parse(bytes(String(whole.dropLast(20)))) }
    let zeros = try TraceReader.read(
      bytes(whole) + [0, 0, 0], options: TraceReader.Options(start: Instant(nanoseconds: 0)))
    #expect(zeros.traces[0].fixes.count == 5 && !zeros.remarks.isEmpty)
  }

  @Test func `routes are read where there is no track, and waypoints where there is neither`()
    throws
  {
    let waypoints = #"<wpt lat="1" lon="2"/><wpt lat="1" lon="3"/>"#
    let route = #"<rte><name>r</name><rtept lat="1" lon="2"/><rtept lat="2" lon="2"/></rte>"#
    #expect(try read("<gpx>\(waypoints)\(route)</gpx>").traces.map(\.name) == ["r"])
    #expect(try GPX.parse(bytes("<gpx>\(route)</gpx>"))[0].fixes.count == 2)
    #expect(try read("<gpx>\(waypoints)</gpx>").traces[0].fixes.count == 2)
    #expect(throws: TraceFault.self) { try GPX.parse(bytes("<gpx>\(waypoints)</gpx>")) }
  }

  @Test func `trips are chosen by name and by number, and a tiny first one hides none`() throws {
    let recording = try read(
      "trip,time,lat,lon\na,1,1,1\nb,1,2,2\nb,2,2,2\nc,1,3,3\n")
    func place(_ wanted: String?) throws -> Double {
      try recording.trip(wanted).trace.fixes[0].place.latitudeDeg
    }
    #expect(try place(nil) == 2 && place("a") == 1 && place("3") == 3 && place("#1") == 1)
    #expect(throws: NoSuchTrip.self) { try recording.trip("4") }
    #expect(try recording.trip(nil).remarks[0].contains("number 2, \"b\""))
    let twins = TraceRecording(traces: [
      Trace(name: "x", fixes: [fix(1)]), Trace(name: "x", fixes: [fix(2)]),
    ])
    #expect(try twins.trip("x").remarks[0].contains("1, 2"))
    #expect(try twins.trip("2").trace.fixes == [fix(2)])
  }

  @Test func `UTF-16 and a harmless document type are read, LOC-2`() throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><!DOCTYPE gpx>" + gpx(point)
    for (mark, isLittle) in [([0xff, 0xfe] as [UInt8], true), ([0xfe, 0xff], false)] {
      let units = text.utf16.flatMap { unit -> [UInt8] in
        let parts = [UInt8(unit & 0xff), UInt8(unit >> 8)]
        return isLittle ? parts : parts.reversed()
      }
      let recording = try TraceReader.read(
        mark + units, options: TraceReader.Options(start: Instant(nanoseconds: 0)))
      #expect(recording.traces[0].fixes.count == 1)
    }
  }

  // MARK: Other formats

  private let other: [(text: String, format: TraceFormat)] = [
    (
      "<kml><Document><Placemark><name>t</name><Track><when>2026-07-01T10:00:00Z</when>"
        + "<when>2026-07-01T10:00:01Z</when><coord>10 47 500</coord><coord>10 48</coord></Track>"
        + "</Placemark></Document></kml>", .kml
    ),
    (
      "<TrainingCenterDatabase><Activities><Activity><Id>t</Id><Lap><Track>"
        + "<Trackpoint><Time>2026-07-01T10:00:00Z</Time><Position><LatitudeDegrees>47</LatitudeDegrees>"
        + "<LongitudeDegrees>10</LongitudeDegrees></Position><AltitudeMeters>500</AltitudeMeters></Trackpoint>"
        + "<Trackpoint><Time>2026-07-01T10:00:01Z</Time><Position><LatitudeDegrees>48</LatitudeDegrees>"
        + "<LongitudeDegrees>10</LongitudeDegrees></Position></Trackpoint>"
        + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>", .tcx
    ),
    (
      #"{"type":"Feature","properties":{"coordTimes":["2026-07-01T10:00:00Z",1782900001000]},"#
        + #""geometry":{"type":"LineString","coordinates":[[10,47,500],[10,48]]}}"#, .geojson
    ),
    (
      "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0,0,2,8421376\n0\n"
        + "47,10,0,1640.4199475,46204.4166667,2026-07-01,10:00:00\n48,10,0,-777,46204.4166782,2026-07-01,10:00:01\n",
      .plt
    ),
    (
      #"2026-07-01T10:00:00Z\#t*\#t{"_type":"location","lat":47,"lon":10,"tst":1782900000,"alt":500}"#
        + "\n"
        + #"2026-07-01T10:00:01Z\#t*\#t{"_type":"location","lat":48,"lon":10,"tst":1782900001}"#,
      .owntracks
    ),
  ]

  @Test func `a zero byte costs the row that has it, LOC-2`() throws {
    var rows = (0..<200).map { "\($0),\(47 + Double($0) / 1e4),10" }
    rows[50] += "\0"
    rows[90] = "90,\0,10"
    let data = try read("time,lat,lon\n" + rows.joined(separator: "\n"))
    #expect(data.traces[0].fixes.count == 198)
    #expect(throws: TraceFault.self) { try TraceFormat.recognise(bytes("ti\0me,lat\n1,2")) }
    let half = String(repeating: "1\0", count: 200)
    #expect(throws: TraceFault.self) { try TraceFormat.recognise(bytes("time,lat\n" + half)) }
  }

  @Test func `other formats are recognised by what is in them, LOC-2`() throws {
    for (text, format) in other {
      #expect(try TraceFormat.recognise(bytes(text)) == format)
      let fixes = try read(text).traces[0].fixes
      #expect(fixes.map(\.place.latitudeDeg) == [47, 48], "\(format)")
      #expect(fixes.map { $0.time?.seconds } == [1_782_900_000, 1_782_900_001], "\(format)")
      #expect(abs((fixes[0].altitudeM ?? 0) - 500) < 1e-3 && fixes[1].altitudeM == nil, "\(format)")
      #expect(problem(text, as: .gpx).contains("this is \(format.name), not GPX"), "\(format)")
    }
  }

  @Test(arguments: [
    ("\u{e}\u{10}\u{54}\u{8}\u{0}\u{0}\u{0}\u{0}.FITxx", "FIT"), ("PK\u{3}\u{4}", "ZIP"),
    ("SQLite format 3\u{0}", "SQLite"), ("<osm/>", "OpenStreetMap map"), ("<svg/>", "<svg>"),
    ("{}", "not GeoJSON"), (#"{"class":"TPV"}"#, "gpsd"), ("ab\u{0}cd", "binary"),
    ("1,2026-07-01 10:00:00,10.0,47.0\n", "instead of column names"), ("", "empty"),
  ])
  func `what is not read is refused by its name, LOC-2`(text: String, words: String) {
    #expect(problem(text).contains(words), "\(problem(text))")
  }

  // MARK: NMEA

  private let sentence = "$GNRMC,100000.00,A,4700.10875,N,01000.01522,E,23.33,90.00,010726,,,A*46"

  @Test(arguments: [
    ("", ""), ("NMEA,", ",1782900000000"), ("", " [0]"), ("2026-07-01T10:00:00.000Z\t", "\t17"),
    ("\\s:gps,c:1*00\\", ""), ("", "*"), ("# a comment\n", " é"),
  ])
  func `what loggers write around a sentence is passed over, LOC-2`(front: String, behind: String)
    throws
  {
    let recording = try read(front + sentence + behind + "\n")
    #expect(recording.traces[0].fixes.map { $0.time?.seconds } == [1_782_900_000])
  }

  @Test func `two sentences on one line are two, LOC-2`() throws {
    let next = "$GNRMC,100001.00,A,4700.10844,N,01000.02454,E,23.33,90.00,010726,,,A*"
    let sum = next.utf8.dropFirst().dropLast().reduce(0, ^)
    #expect(try read(sentence + next + hex(sum)).traces[0].fixes.count == 2)
  }

  private func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  @Test func `sentences without a checksum are read where that is wanted, LOC-7`() throws {
    let plain = sentence.dropLast(3) + "\n" + sentence.dropLast(2) + "\n"
    #expect(problem(String(plain)).contains("nmea_checksum"))
    let options = NMEAOptions(requiresChecksum: false)
    #expect(try NMEALog.read(bytes(String(plain)), options: options).traces[0].fixes.count == 1)
    let wrong = sentence.dropLast(1) + "7\n"
    #expect(throws: TraceFault.self) { try NMEALog.read(bytes(String(wrong)), options: options) }
  }

  @Test func `a count of weeks that has rolled over is found and set right, LOC-7`() throws {
    let now = Instant(seconds: 1_782_900_000)
    let behind = now.advanced(bySeconds: -619_315_200)
    #expect(NMEAOptions.rollovers(from: behind, to: now) == 1)
    #expect(NMEAOptions.rollovers(from: now, to: now) == 0)
    #expect(NMEAOptions.rollovers(from: behind.advanced(bySeconds: 864_000), to: now) == 0)
    let fixes = try NMEALog.read(bytes(sentence), options: NMEAOptions(addedWeeks: 1_024)).traces[0]
      .fixes
    #expect(fixes[0].time == now.advanced(bySeconds: 619_315_200))
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `garbage never ends a reader of any format, BUS-5`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let texts = other.map(\.text) + [gpx(point), "time,lat,lon\n1,\"2\",3\n", sentence]
    var bad = bytes(texts[Int(random.next() % UInt64(texts.count))])
    for _ in 0..<3 {
      bad[Int(random.next() % UInt64(bad.count))] = UInt8(truncatingIfNeeded: random.next())
    }
    bad.removeLast(Int(random.next() % UInt64(bad.count)) / 4)
    let options = TraceReader.Options(start: Instant(nanoseconds: 0))
    for format in [nil] + TraceFormat.allCases.map(Optional.some) {
      guard let recording = try? TraceReader.read(bad, as: format, options: options) else {
        continue
      }
      for trace in recording.traces { _ = TraceTimes.remarks(trace.fixes) }
    }
  }
}
