import Foundations
import Geodesy
import RoadGraph
import Testing
import TrafficFeeds

@Suite struct GeoJSONFeedTests {
  private func read(_ features: String...) throws(FeedFault) -> FeedDocument {
    let text =
      #"{"type": "FeatureCollection", "features": ["# + features.joined(separator: ",") + "]}"
    return try GeoJSONFeed.read(Array(text.utf8))
  }

  private static let point = #""geometry": {"type": "Point", "coordinates": [9.5, 47.1]}"#

  @Test func `a feature is an incident with all that it says, TR-1`() throws {
    let document = try read(
      """
      {"type": "Feature", "id": 7,
       "properties": {"kind": "roadworks", "severity": "high", "title": "Works", "closed": "no",
         "delay": 120, "start": "2026-03-01T08:00:00+01:00", "end": 1772438400, "speed_kmh": 36,
         "speed_limit_kmh": 54, "lanes_closed": 1, "lanes_open": 2, "direction": "southbound",
         "ref": "A 7"},
       "geometry": {"type": "MultiLineString", "coordinates": [[[9.5, 47.1], [9.6, 47.1]],
         [[9.6, 47.1], [9.7, 47.2, 400]]]}}
      """)
    #expect(document.notes.isEmpty)
    let incident = try #require(document.incidents.first)
    #expect(incident.id == "7")
    #expect(incident.kind == .construction)
    #expect(incident.impact == .major)
    #expect(incident.text == "Works")
    #expect(incident.place.lines.map(\.count) == [2, 2])
    #expect(incident.place.lines.first?.first == Coordinate(latitudeDeg: 47.1, longitudeDeg: 9.5))
    #expect(incident.place.bearingDeg == 180)
    #expect(incident.place.roadNumber == "A 7")
    #expect(
      incident.effect
        == FeedEffect(
          lanesClosed: 1, lanesOpen: 2, speedLimitMps: 15, speedMps: 10, delayS: 120))
    #expect(incident.validity.from == TimeText.iso8601("2026-03-01T07:00:00Z"))
    #expect(incident.validity.until == TimeText.iso8601("2026-03-02T08:00:00Z"))
  }

  @Test func `segments need no geometry, and times may be milliseconds, TR-1`() throws {
    let document = try read(
      """
      {"properties": {"id": "s", "type": "closure", "from": 1772438400000,
        "segments": [[1, 2, 3], {"way": 4, "from": 5, "to": 6}, [7, 8], [1.5, 2, 3]]}}
      """)
    let incident = try #require(document.incidents.first)
    #expect(
      incident.place.segments == [
        SegmentReference(way: 1, from: 2, to: 3), SegmentReference(way: 4, from: 5, to: 6),
      ])
    #expect(incident.kind == .roadClosed)
    #expect(incident.effect.isClosed)
    #expect(incident.validity.from == TimeText.iso8601("2026-03-02T08:00:00Z"))
    #expect(
      document.notes.map(\.place)
        == ["features[0].properties.segments[2]", "features[0].properties.segments[3]"])
  }

  @Test func `points, areas and directions in words are read, TR-1`() throws {
    let document = try read(
      #"{"properties": {"direction": "both"}, "geometry": {"type": "MultiPoint", "coordinates": [[9, 47], [9.1, 47]]}}"#,
      #"{"properties": {"direction": "NNW", "closed": true}, \#(Self.point)}"#,
      #"{"properties": {"direction": 90, "bearing_deg": 80}, \#(Self.point)}"#,
      #"{"properties": null, "geometry": {"type": "Polygon", "coordinates": [[[9, 47], [9.1, 47], [9.1, 47.1], [9, 47]]]}}"#
    )
    #expect(document.notes.isEmpty)
    #expect(document.incidents.map(\.id) == ["0", "1", "2", "3"])
    #expect(document.incidents.map(\.place.direction) == [.both, nil, nil, nil])
    #expect(document.incidents.map(\.place.bearingDeg) == [nil, 337.5, 80, nil])
    #expect(document.incidents.map(\.kind) == [.other, .roadClosed, .other, .other])
    #expect(document.incidents.map { $0.place.points.count } == [2, 1, 1, 0])
    #expect(document.incidents.map { $0.place.areas.count } == [0, 0, 0, 1])
  }

  static let bad: [(String, String)] = [
    (#""kind": "dragon""#, "properties.kind"), (#""impact": "red""#, "properties.impact"),
    (#""closed": "perhaps""#, "properties.closed"), (#""delay_s": -1"#, "properties.delay_s"),
    (#""speed_kmh": "fast""#, "properties.speed_kmh"), (#""from": "today""#, "properties.from"),
    (#""until": 1e15"#, "properties.until"), (#""direction": "up""#, "properties.direction"),
    (#""bearing_deg": 900"#, "properties.bearing_deg"), (#""text": []"#, "properties.text"),
    (#""segments": 7"#, "properties.segments"), (#""lanes_open": 99"#, "properties.lanes_open"),
    (#""from": "2026-03-02T08:00:00Z", "until": "2026-03-01T08:00:00Z""#, "properties"),
  ]

  @Test(arguments: bad)
  func `a value that is none is named, and the incident stays, TR-1`(
    members: String, place: String
  ) throws {
    let document = try read(#"{"properties": {\#(members)}, \#(Self.point)}"#)
    #expect(document.incidents.count == 1)
    #expect(document.notes.map(\.place) == ["features[0].\(place)"])
    #expect(document.notes.map(\.reason) == [.badValue])
  }

  static let useless: [(String, String)] = [
    ("7", "features[3]"), (#"{"properties": {}}"#, "features[3].geometry"),
    (#"{"geometry": {"type": "Point", "coordinates": [0, 91]}}"#, "features[3].geometry"),
    (#"{"geometry": {"type": "Circle"}}"#, "features[3].geometry"),
    (#"{"geometry": {"type": "MultiPoint", "coordinates": []}}"#, "features[3].geometry"),
    (
      #"{"geometry": {"type": "LineString", "coordinates": [[0, 0]]}}"#, "features[3].geometry"
    ),
  ]

  @Test(arguments: useless)
  func `a feature of no use is named by its place, and the others count, TR-1`(
    feature: String, place: String
  ) throws {
    let good = "{\(Self.point)}"
    let document = try read(good, good, good, feature, good)
    #expect(document.incidents.map(\.id) == ["0", "1", "2", "4"])
    #expect(document.notes.map(\.place) == [place])
    #expect(document.notes.map(\.reason) == [.useless])
  }

  @Test func `an id counts once, TR-1`() throws {
    let feature = #"{"id": "a", \#(Self.point)}"#
    let document = try read(feature, feature)
    #expect(document.incidents.count == 1)
    #expect(document.notes.map(\.reason) == [.repeated])
  }

  @Test(arguments: [
    ("", "line 1"), ("{\"type\": \"FeatureCollection\",\n \"features\": [", "line 2"),
    ("[]", "FeatureCollection"), ("{\"type\": \"FeatureCollection\", \"features\": {}}", "list"),
    ("<xml/>", "not a JSON value"),
  ])
  func `a document that is none is refused with its place, TR-1`(text: String, words: String) {
    do throws(FeedFault) {
      let document = try GeoJSONFeed.read(Array(text.utf8))
      Issue.record("it was read: \(document)")
    } catch {
      #expect(error.description.contains(words), "\(error)")
    }
  }
}
