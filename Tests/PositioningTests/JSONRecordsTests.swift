import Foundations
import Geodesy
import Positioning
import Testing

/// JSON records of phones, browsers and trackers, and dates of loggers (LOC-8, LOC-9).
@Suite struct JSONRecordsTests {
  private func read(_ text: String) throws -> TraceRecording {
    try TraceReader.read(
      Array(text.utf8), options: TraceReader.Options(start: Instant(nanoseconds: 0)))
  }

  private static let expected = Fix(
    place: Coordinate(latitudeDeg: 49.4075, longitudeDeg: 8.678),
    time: Instant(seconds: 1_780_308_000))

  @Test(arguments: [
    #"{"locations":[{"latitudeE7":494075000,"longitudeE7":86780000,"timestampMs":"1780308000000"}]}"#,
    #"{"locations":[{"latitudeE7":494075000,"longitudeE7":86780000,"timestamp":"2026-06-01T10:00:00Z"}]}"#,
    #"[{"lat":49.4075,"lng":8.678,"fixTime":"2026-06-01T10:00:00.000+00:00"}]"#,
    #"{"lat":49.4075,"lon":8.678,"ts":1780308000}"#
      + "\n" + #"{"lat":49.4076,"lon":8.678,"ts":1780308001}"#,
    #"[{"coords":{"latitude":49.4075,"longitude":8.678},"timestamp":1780308000000}]"#,
    "date,time,latitude,longitude\n01.06.2026,10:00:00,49.4075,8.678\n",
    "datetime;lat;lon\n1.6.2026 10:00:00;49,4075;8,678\n",
  ])
  func `records name their values as columns do, LOC-9`(text: String) throws {
    let fix = try #require(try read(text).traces.first?.fixes.first)
    #expect(fix.time == Self.expected.time)
    #expect(fix.place.distanceM(to: Self.expected.place) < 0.02)
  }

  @Test func `a record that cannot be read is left out and counted, LOC-8`() throws {
    let recording = try read(
      #"{"lat":1,"lon":2,"time":1780308000}"# + "\nnonsense\n"
        + #"{"lat":"x","lon":2,"time":1780308001}"# + "\n" + #"{"lat":1,"lon":2,"time":1780308002}"#
    )
    #expect(recording.traces.first?.fixes.count == 2)
    #expect(
      recording.remarks.sentences.contains {
        $0.contains("lines without readable coordinates are left out")
      })
  }

  @Test(arguments: [
    (#"{"a":[]}"#, "no records with a latitude and a longitude"),
    (#"[{"lat":1,"lon":2}]"#, "the records contain no time"),
    ("date,time,lat,lon\n06/01/2026,10:00:00,1,2\n", "is not a time"),
    ("{\"lat\":1,\"lon\":2,\"time\":1}}", "unexpected text after the value"),
  ])
  func `JSON that is no trace is refused with the reason, LOC-9`(text: String, problem: String) {
    #expect {
      _ = try read(text)
    } throws: {
      "\($0)".contains(problem)
    }
  }
}
