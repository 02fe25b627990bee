import Foundations
import Geodesy
import Positioning
import Testing

@Suite struct TraceFormatTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `a CSV with a trip column gives each trip its fixes, LOC-2`() throws {
    let traces = try CSVTrace.parse(
      bytes(
        """
        trip,time,lat,lon
        1,1372640943,41.15035800,-8.61198300
        1,1372640958,41.14998900,-8.61311700
        7,1372640999,41.2,-8.7
        """))
    #expect(traces.map(\.name) == ["1", "7"])
    #expect(traces[0].fixes.count == 2)
    #expect(traces[0].fixes[1].time == Instant(nanoseconds: 1_372_640_958_000_000_000))
    #expect(traces[1].fixes[0].place == Coordinate(latitudeDeg: 41.2, longitudeDeg: -8.7))
    #expect(traces[1].fixes[0].speedMps == nil)
  }

  @Test func `a fix carries all that the columns name, LOC-3`() throws {
    let traces = try CSVTrace.parse(
      bytes(
        """
        lon,lat,time,speed_mps,bearing_deg,accuracy_m,altitude_m,colour\r
        9.5,47.1,2026-01-01T08:00:00.5Z,13.5,271,4.5,460,red\r
        9.6,47.2,,,,,,\r
        """))
    let fix = traces[0].fixes[0]
    #expect(fix.time == Instant(nanoseconds: 1_767_254_400_500_000_000))
    #expect(fix.speedMps == 13.5 && fix.bearingDeg == 271)
    #expect(fix.accuracyM == 4.5 && fix.altitudeM == 460)
    let bare = Fix(place: Coordinate(latitudeDeg: 47.2, longitudeDeg: 9.6))
    #expect(traces[0].fixes[1] == bare)
  }

  @Test func `seconds from any start count from the given moment, LOC-2`() throws {
    let start = Instant(seconds: 1_790_000_000)
    let traces = try CSVTrace.parse(bytes("time,lat,lon\n12.5,1,2\n"), start: start)
    #expect(traces[0].fixes[0].time == start.advanced(bySeconds: 12.5))
  }

  @Test(arguments: [
    ("", "line 1, column 1: the file is empty; it needs a header line"),
    (
      "a,b\n1,2\n",
      "line 1, column 1: the header contains no column \"time\"; it needs time, lat and lon"
    ),
    ("time,lat,lon\n", "line 1, column 1: there is no fix after the header line"),
    ("time,lat,lon\n1,2\n", "line 2, column 4: the line ends after 2 cells"),
    ("time,lat,lon\n1,x,3\n", "line 2, column 3: the latitude \"x\" is not a number"),
    (
      "time,lat,lon\nnoon,2,3\n",
      "line 2, column 1: \"noon\" is not a time; expected ISO 8601 or seconds"
    ),
    ("time,lat,lon\n1,2,\n", "line 2, column 5: the longitude is missing"),
  ])
  func `a CSV that is none names the place`(text: String, problem: String) {
    #expect {
      try CSVTrace.parse(bytes(text))
    } throws: {
      "\($0)" == problem
    }
  }

  @Test func `a GPX gives places, times, elevations, speeds and courses, LOC-2`() throws {
    let traces = try GPX.parse(
      bytes(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a drive -->
        <gpx version="1.1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
          <metadata><name>not the track</name></metadata>
          <trk><name>Home &amp; back</name><trkseg>
            <trkpt lat="47.1" lon='9.5'><ele>460.5</ele><time>2026-01-01T09:00:00+01:00</time>
              <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>13.2</gpxtpx:speed>
              <gpxtpx:course>92</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
          </trkseg><trkseg><trkpt lat="47.2" lon="9.6"/></trkseg></trk>
          <trk><trkseg/></trk>
        </gpx>
        """))
    #expect(traces.map(\.name) == ["Home & back"])
    let fixes = traces[0].fixes
    #expect(fixes.count == 2)
    #expect(fixes[0].time == Instant(nanoseconds: 1_767_254_400_000_000_000))
    #expect(fixes[0].altitudeM == 460.5 && fixes[0].speedMps == 13.2)
    #expect(fixes[0].bearingDeg == 92)
    #expect(fixes[1] == Fix(place: Coordinate(latitudeDeg: 47.2, longitudeDeg: 9.6)))
  }

  @Test(arguments: [
    ("", "line 1, column 1: the file contains no element"),
    ("hello", "line 1, column 1: text outside of all elements; this is not XML"),
    ("<kml/>", "line 1, column 7: the root element is <kml>, expected <gpx>"),
    ("<gpx>\n<trk>\n", "line 3, column 1: the file is truncated inside <trk>"),
    ("<gpx><trk></gpx>", "line 1, column 17: expected </trk>, found </gpx>"),
    ("<gpx></gpx>", "line 1, column 12: the file contains no track point"),
    ("<gpx>&nbsp;</gpx>", "line 1, column 12: the entity &nbsp; is unknown"),
    ("<!DOCTYPE gpx><gpx/>", "line 1, column 21: the file contains no track point"),
    (
      "<!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx/>",
      "line 1, column 10: a document type with declarations is not supported"
    ),
  ])
  func `a GPX that is none names the place`(text: String, problem: String) {
    #expect {
      try GPX.parse(bytes(text))
    } throws: {
      "\($0)" == problem
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `garbage never ends a reader, BUS-5`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let good = bytes(
      "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2026-01-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>"
    )
    var bad = good
    for _ in 0..<3 {
      bad[Int(random.next() % UInt64(bad.count))] = UInt8(truncatingIfNeeded: random.next())
    }
    _ = try? GPX.parse(bad)
    _ = try? GPX.parse(Array(bad.prefix(Int(random.next() % UInt64(bad.count)))))
    _ = try? CSVTrace.parse(bad)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00Z", 951_825_600),
    ("2013-07-01T00:09:03+02:00", 1_372_630_143), ("2026-12-31T23:59:59", 1_798_761_599),
    ("1969-12-31T23:59:59Z", -1),
  ])
  func `times are read as ISO 8601 writes them`(text: String, seconds: Int64) {
    #expect(TimeText.iso8601(text) == Instant(nanoseconds: seconds * 1_000_000_000))
  }

  @Test(arguments: [
    "", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01", "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:00X", "2026-01-01T00:00:00.Z", "yesterday",
  ])
  func `what is no time is none`(text: String) {
    #expect(TimeText.iso8601(text) == nil)
  }
}
