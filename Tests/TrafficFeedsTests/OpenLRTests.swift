import DrawnMaps
import Foundations
import Geodesy
import RoadGraph
import Testing

@testable import TrafficFeeds

@Suite struct OpenLRTests {
  /// A road with a parallel street and crossings, ten metres a character.
  private static func town() throws -> DrawnMap {
    try DrawnMap(
      """
      a---------b---------c---------d---------e
                |         |         |
      f---------g---------h---------i---------j
      """,
      ways: [
        "abcde": "highway=primary", "fghij": "highway=residential", "bg": "highway=residential",
        "ch": "highway=tertiary", "di": "highway=residential",
      ], cell: 10)
  }

  private func letters(_ map: DrawnMap, _ text: String) throws -> String? {
    let place = FeedPlacer(map.graph, index: SegmentIndex(map.graph))
    var found = FeedPlace()
    found.references = [try OpenLRReference(base64: text)]
    return place.place(FeedIncident(id: "i", kind: .other, place: found)).runs.first
      .map { map.letters($0) }
  }

  @Test func `a reference of a publisher is read`() throws {
    // An example from Luxembourg that decoders print in their documentation.
    let reference = try OpenLRReference(base64: "CwRbWyNG9RpsCQCb/jsbtAT/6/+jK1lE")
    #expect(reference.points.count == 3)
    let first = try #require(reference.points.first)
    #expect(abs(first.at.longitudeDeg - 6.12683) < 2e-5)
    #expect(abs(first.at.latitudeDeg - 49.60851) < 1e-5)
    #expect(first.roadClass == 3 && first.form == 2 && first.leastClass == 3)
    #expect(abs(first.bearingDeg - 140.625) < 1e-9)
    #expect(abs(first.toNextM - 557) < 1)
    let last = try #require(reference.points.last)
    #expect(abs(last.at.longitudeDeg - 6.12817) < 2e-5)
    #expect(abs(last.at.latitudeDeg - 49.60305) < 2e-5)
    #expect(reference.positiveOffset > 0 && reference.positiveOffset < 1)
  }

  @Test(arguments: ["abcde", "edcba", "abgh", "fghij", "hcd", "abc", "bcdi"])
  func `a line comes back as it was written, in its direction, TR-1`(line: String) throws {
    let map = try Self.town()
    let edges = try map.edges(line)
    #expect(try letters(map, OpenLREncoder.base64(edges, on: map.graph)) == line)
    // Another map has its points a few metres beside.
    let moved = OpenLREncoder.base64(edges, on: map.graph, movedM: 8)
    #expect(try letters(map, moved) == line)
    let middle = OpenLREncoder.base64(edges, on: map.graph, at: [0, 1, edges.count])
    if edges.count > 1 { #expect(try letters(map, middle) == line) }
  }

  @Test func `offsets are cut off both ends, TR-1`() throws {
    let map = try Self.town()
    let text = OpenLREncoder.base64(
      try map.edges("abcde"), on: map.graph, positive: 0.4, negative: 0.1)
    let parts = try OpenLRDecoder(on: map.graph).parts(try OpenLRReference(base64: text))
    #expect(map.letters(parts.map(\.edge)) == "bcde")
    #expect(abs((parts.first?.fromM ?? 0) - 60) < 2)
    #expect(abs((parts.last?.toM ?? 0) - 60) < 2)
  }

  @Test func `a road that lies elsewhere, or a path of another length, is none, TR-1`() throws {
    let map = try Self.town()
    let edges = try map.edges("abcde")
    let far = OpenLREncoder.base64(edges, on: map.graph, movedM: 200)
    #expect(try letters(map, far) == nil)
    var reference = try OpenLRReference(base64: OpenLREncoder.base64(edges, on: map.graph))
    reference.points[0].toNextM = 900
    #expect(throws: FeedFault("no path of 765 to 1035 m joins points 1 and 2")) {
      _ = try OpenLRDecoder(on: map.graph).parts(reference)
    }
  }

  @Test func `bytes that are cut, longer or of another kind are refused by name, TR-1`() throws {
    let map = try Self.town()
    let text = OpenLREncoder.base64(try map.edges("abc"), on: map.graph)
    let bytes = try #require(Base64.bytes(text))
    #expect(bytes.count == 16)
    for count in 0..<16 {
      #expect(throws: FeedFault.self) { _ = try OpenLRReference(bytes: Array(bytes.prefix(count))) }
    }
    for more in 1...6 {
      #expect(throws: FeedFault.self) {
        _ = try OpenLRReference(bytes: bytes + [UInt8](repeating: 0, count: more))
      }
    }
    #expect(throws: FeedFault("its version is 2; only version 3 is supported")) {
      _ = try OpenLRReference(bytes: [0x0a] + bytes.dropFirst())
    }
    for (status, kind) in [
      (0x03, "a circle"), (0x13, "a polygon"), (0x43, "a grid"), (0x5b, "a closed line"),
      (0x2b, "a point along a line"), (0x7b, "of an unknown kind"),
    ] as [(UInt8, String)] {
      #expect(throws: FeedFault("it is \(kind); only lines are supported")) {
        _ = try OpenLRReference(bytes: [status] + bytes.dropFirst())
      }
    }
    // A letter that is none, letters after padding, and a last letter of which no byte is made.
    for text in ["?", "Cw==Cw==", "CwRbW"] {
      #expect(throws: FeedFault("it is not base64")) { _ = try OpenLRReference(base64: text) }
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `no bytes break the reader or the search`(seed: UInt64) throws {
    let map = try Self.town()
    var random = SplitMix64(seed: seed)
    var bytes = try #require(
      Base64.bytes(OpenLREncoder.base64(try map.edges("abcde"), on: map.graph)))
    for _ in 0..<50 {
      bytes[Int.random(in: 1..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      guard let reference = try? OpenLRReference(bytes: bytes) else { continue }
      guard let parts = try? OpenLRDecoder(on: map.graph).parts(reference) else { continue }
      #expect(!parts.isEmpty && parts.allSatisfy { $0.lengthM >= 0 })
    }
  }

  @Test func `a feature carries references, TR-1`() throws {
    let map = try Self.town()
    let text = OpenLREncoder.base64(try map.edges("bcd"), on: map.graph)
    let json = """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"id": "a", "kind": "road_closed", "openlr": "\(text)"}},
        {"type": "Feature", "properties": {"id": "b", "kind": "accident", "openlr": "AAAA"},
         "geometry": {"type": "Point", "coordinates": [-30, 47]}}]}
      """
    let document = try GeoJSONFeed.read(Array(json.utf8))
    #expect(document.incidents.map(\.id) == ["a", "b"])
    #expect(document.notes.map(\.reason) == [.badOpenLR])
    #expect(document.notes.first?.problem.hasPrefix("incident b: \"AAAA\": ") == true)
    let placer = FeedPlacer(map.graph, index: SegmentIndex(map.graph))
    let placed = placer.place(document.incidents[0])
    #expect(placed.runs.map { map.letters($0) } == ["bcd"])
    #expect(placed.notes.isEmpty && placed.anchor != nil)
  }
}
