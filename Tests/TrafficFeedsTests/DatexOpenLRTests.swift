import DrawnMaps
import Foundation
import Geodesy
import RoadGraph
import Testing

@testable import TrafficFeeds

/// OpenLR lines that DATEX II writes as elements, in documents of our own making with the names of both schemas.
@Suite struct DatexOpenLRTests {
  private struct Point {
    var at: Coordinate
    var bearingDeg = 90
    var toNextM: Int?
  }

  /// One direction as version 3 or version 2 writes it; offsets in metres.
  private static func line(_ points: [Point], isV2: Bool = false, offsets: String = "") -> String {
    let (place, prefix) = isV2 ? ("openlrCoordinate", "FRC") : ("openlrCoordinates", "frc")
    let least = isV2 ? "openlrLowestFRCToNextLRPoint" : "openlrLowestFrcToNextLRPoint"
    let nodes = points.map { point in
      let name =
        point.toNextM == nil ? "openlrLastLocationReferencePoint" : "openlrLocationReferencePoint"
      let path =
        point.toNextM.map {
          "<openlrPathAttributes><\(least)>\(prefix)3</\(least)><openlrDistanceToNextLRPoint>\($0)</openlrDistanceToNextLRPoint></openlrPathAttributes>"
        } ?? ""
      return """
        <\(name)><\(place)><latitude>\(point.at.latitudeDeg)</latitude>
        <longitude>\(point.at.longitudeDeg)</longitude></\(place)>
        <openlrLineAttributes><openlrFunctionalRoadClass>\(prefix)3</openlrFunctionalRoadClass>
        <openlrFormOfWay>singleCarriageway</openlrFormOfWay>
        <openlrBearing>\(point.bearingDeg)</openlrBearing></openlrLineAttributes>\(path)</\(name)>
        """
    }
    return nodes.joined()
      + (offsets.isEmpty ? "" : "<openlrOffsets>\(offsets)</openlrOffsets>")
  }

  private static func v3(_ inside: String) -> String {
    DatexSample.v3(
      DatexSample.record(
        "Accident",
        location: """
          <sit:locationReference xsi:type="loc:LinearLocation">\(inside)</sit:locationReference>
          """))
  }

  /// The document of version 2 with other content for its line.
  private static func v2(_ inside: String) throws -> String {
    let text = DatexSample.v2
    let start = try #require(text.range(of: "<tpegLinearLocation>")).lowerBound
    let end = try #require(text.range(of: "</tpegLinearLocation>")).upperBound
    return text.replacingCharacters(in: start..<end, with: inside)
  }

  private func read(_ text: String) throws -> FeedDocument {
    try DatexFeed.read(Array(text.utf8))
  }

  private static func map() throws -> DrawnMap {
    try DrawnMap(
      "a---------b---------c", ways: ["ab": "highway=secondary", "bc": "highway=secondary"],
      cell: 20)
  }

  private static func ends(_ map: DrawnMap) throws -> [Point] {
    let lengthM = try map.edges("abc").reduce(0) { $0 + map.graph.lengthM($1) }
    return [
      Point(at: try map.coordinate("a"), bearingDeg: 90, toNextM: Int(lengthM.rounded())),
      Point(at: try map.coordinate("c"), bearingDeg: 270),
    ]
  }

  private static func back(_ map: DrawnMap) throws -> [Point] {
    let ends = try ends(map)
    return [
      Point(at: ends[1].at, bearingDeg: 270, toNextM: ends[0].toNextM),
      Point(at: ends[0].at, bearingDeg: 90),
    ]
  }

  private func runs(_ document: FeedDocument, _ map: DrawnMap) throws -> [String] {
    let incident = try #require(document.incidents.first)
    let placer = FeedPlacer(map.graph, index: SegmentIndex(map.graph))
    return placer.place(incident).runs.map { map.letters($0) }
  }

  @Test func `version 3 has a line for each direction, TR-1`() throws {
    let map = try Self.map()
    let (there, back) = (try Self.ends(map), try Self.back(map))
    let both = try read(
      Self.v3(
        "<loc:openlrLinear><firstDirection>\(Self.line(there))</firstDirection><oppositeDirection>\(Self.line(back))</oppositeDirection></loc:openlrLinear>"
      ))
    #expect(both.notes.isEmpty)
    #expect(try runs(both, map) == ["abc", "cba"])
    let one = try read(
      Self.v3(
        "<loc:openlrLinear><firstDirection>\(Self.line(back))</firstDirection></loc:openlrLinear>"))
    #expect(try runs(one, map) == ["cba"])
  }

  @Test func `version 2 has its lines in an extension, TR-1`() throws {
    let map = try Self.map()
    let line = Self.line(try Self.ends(map), isV2: true)
    for inside in [
      "<openlrExtendedLinear><firstDirection>\(line)</firstDirection></openlrExtendedLinear>",
      "<openlrExtendedLinear><openlrLineLocationReference>\(line)</openlrLineLocationReference></openlrExtendedLinear>",
    ] {
      let document = try read(try Self.v2("<linearExtension>\(inside)</linearExtension>"))
      #expect(document.notes.isEmpty)
      #expect(try runs(document, map) == ["abc"])
    }
  }

  @Test func `all members of a line are read, offsets in metres, TR-1`() throws {
    let map = try Self.map()
    let document = try read(
      Self.v3(
        "<loc:openlrLinear><firstDirection>"
          + Self.line(
            try Self.ends(map),
            offsets:
              "<openlrPositiveOffset>100</openlrPositiveOffset><openlrNegativeOffset>50</openlrNegativeOffset>"
          ) + "</firstDirection></loc:openlrLinear>"))
    let reference = try #require(document.incidents.first?.place.references.first)
    #expect(reference.points.map(\.roadClass) == [3, 3])
    #expect(reference.points.map(\.form) == [3, 3])
    #expect(reference.points.map(\.bearingDeg) == [90, 270])
    #expect(reference.points.map(\.leastClass) == [3, 7])
    #expect(abs(reference.positiveOffset * reference.points[0].toNextM - 100) < 1e-9)
    #expect(abs(reference.negativeOffset * reference.points[0].toNextM - 50) < 1e-9)
    let parts = try OpenLRDecoder(on: map.graph).parts(reference)
    #expect(abs((parts.first?.fromM ?? 0) - 100) < 1)
  }

  @Test(arguments: [
    ("<openlrBearing>90</openlrBearing>", "<openlrBearing>north</openlrBearing>", "openlrBearing"),
    ("frc3</openlrFunctional", "frc9</openlrFunctional", "openlrFunctionalRoadClass \"frc9\""),
    ("<latitude>", "<latitude>1", "latitude"),
    ("openlrPathAttributes", "pathAttributes", "openlrPathAttributes is missing"),
    (
      "openlrLastLocationReferencePoint", "openlrEnd",
      "openlrLastLocationReferencePoint is missing"
    ),
    ("openlrLocationReferencePoint", "openlrPoint", "openlrLocationReferencePoint is missing"),
    ("</openlrDistanceToNextLRPoint>", "m</openlrDistanceToNextLRPoint>", "NextLRPoint \""),
  ])
  func `a line that is malformed is named with its record and member, TR-1`(
    old: String, new: String, words: String
  ) throws {
    let line = Self.line(try Self.ends(try Self.map())).replacing(old, with: new)
    let document = try read(
      Self.v3("<loc:openlrLinear><firstDirection>\(line)</firstDirection></loc:openlrLinear>"))
    #expect(document.incidents.isEmpty)
    #expect(document.notes.map(\.reason) == [.badOpenLR, .useless])
    let note = try #require(document.notes.first)
    #expect(note.place == "record R1")
    #expect(note.problem.hasPrefix("openlrLinear.firstDirection: OpenLR: "))
    #expect(note.problem.contains(words), "\(note.problem)")
  }

  @Test func `an offset beyond its leg is named, TR-1`() throws {
    let line = Self.line(
      try Self.ends(try Self.map()), offsets: "<openlrPositiveOffset>9000</openlrPositiveOffset>")
    let document = try read(
      Self.v3("<loc:openlrLinear><firstDirection>\(line)</firstDirection></loc:openlrLinear>"))
    #expect(
      document.notes.first?.problem.contains("openlrPositiveOffset of 9000.0 m is not below")
        == true)
  }

  @Test(arguments: [
    ("openlrPointLocationReference", "an OpenLR point is not supported"),
    ("openlrPointAlongLine", "an OpenLR point is not supported"),
    ("openlrPoiWithAccessPoint", "an OpenLR point is not supported"),
    ("openlrGeoCoordinate", "an OpenLR coordinate is not supported"),
    ("openlrAreaLocationReference", "an OpenLR area is not supported"),
    ("alertCLinear", "an Alert-C reference is not supported"),
  ])
  func `points along lines, areas and Alert-C are named and counted, TR-1`(
    name: String, words: String
  ) throws {
    let document = try read(Self.v3("<loc:\(name)/>"))
    #expect(document.notes.map(\.reason) == [.unsupportedLocation, .useless])
    #expect(document.notes.first?.problem == "\(name): \(words)")
  }

  @Test func `the binary format is read where it occurs, TR-1`() throws {
    let map = try Self.map()
    let code = OpenLREncoder.base64(try map.edges("abc"), on: map.graph)
    let good = try read(Self.v3("<loc:openlrBinary>\(code)</loc:openlrBinary>"))
    #expect(try runs(good, map) == ["abc"])
    let bad = try read(Self.v3("<loc:openlrBinary>CwRb</loc:openlrBinary>"))
    #expect(bad.notes.map(\.reason) == [.badOpenLR, .useless])
    #expect(bad.notes.first?.problem.contains("\"CwRb\"") == true)
    // A point along a line is a kind that is not read.
    let point = try read(Self.v3("<loc:openlrBinary>KwRbWyNG9RpsCQCb</loc:openlrBinary>"))
    #expect(point.notes.first?.reason == .unsupportedLocation)
  }

  @Test func `coordinates for display count where a line fits no path, TR-1`() throws {
    let map = try Self.map()
    var ends = try Self.ends(map)
    ends[0].toNextM = 900
    let at = try map.coordinate("a", "b", 0.5)
    let document = try read(
      Self.v3(
        """
        <loc:coordinatesForDisplay><loc:latitude>\(at.latitudeDeg)</loc:latitude><loc:longitude>\(at.longitudeDeg)</loc:longitude></loc:coordinatesForDisplay>
        <loc:openlrLinear><firstDirection>\(Self.line(ends))</firstDirection></loc:openlrLinear>
        """))
    #expect(document.notes.isEmpty)
    let placer = FeedPlacer(map.graph, index: SegmentIndex(map.graph))
    let placed = placer.place(try #require(document.incidents.first))
    #expect(placed.notes.map(\.reason) == [.openLRWithoutPath])
    #expect(Set(placed.runs.map { map.letters($0) }) == ["ab", "ba"])
  }
}
