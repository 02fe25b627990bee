import DrawnMaps
import Foundation
import Foundations
import Geodesy
import RoadAhead
import RoadGraph
import Route
import Testing

/// Roads that a way uses twice, bends that follow each other, and what travels in a handover.
@Suite struct RepeatTests {
  @Test func `on a road driven twice a point is passed each time, EV-4`() throws {
    // Along the road, round the block, and along it again.
    let map = try DrawnMap(
      "a--b----c--d\n\n\n   f----e\n   h    g",
      ways: [
        "abcd": "highway=primary name=A", "cefb": "highway=primary name=B",
        "eg": "highway=residential", "fh": "highway=residential",
      ],
      nodes: ["c": "highway=traffic_signals"], cell: 40)
    var drive = Drive(map, kinds: [.trafficSignals])
    try drive.follow("abcefbcd")
    for (index, edge) in try map.edges("abcefbcd").enumerated() {
      for offset in stride(from: 0.0, to: map.graph.lengthM(edge), by: 20) {
        drive.place(edge, offset, segment: index)
      }
    }
    let words = drive.words.map { $0.split(separator: " ")[1] }
    #expect(words == ["ahead", "passed", "ahead", "passed"])
  }

  @Test func `of several bends of one piece of road each is reported, EV-4`() throws {
    // Two hairpins 200 m apart with no junction between.
    let map = try DrawnMap(
      "a--------b\n\nd--------c\n\n\ne--------f",
      ways: ["abcdef": "highway=secondary name=Pass maxspeed=100"], cell: 25)
    let graph = map.graph
    #expect(graph.edgeCount == 2, "one piece, both ways")
    var drive = Drive(map, kinds: [.sharpBend])
    try drive.go("af", limitMps: 27.8)
    let ended = drive.reported.filter { $0.event == .passed }.map(\.object.id)
    #expect(ended.count >= 2)
    #expect(Set(ended).count == ended.count)
  }

  @Test func `an incident on many pieces travels once, EV-4, BUS-6`() throws {
    func size(_ count: Int64) throws -> Int {
      var book = IncidentIndex()
      let segments = (0..<count).map { SegmentReference(way: $0, from: $0, to: $0 + 1) }
      book.set([RoadIncident(id: "i", kind: "congestion", text: nil, segments: segments)], of: "f")
      let bytes = try JSONEncoder().encode(book)
      #expect(try JSONDecoder().decode(IncidentIndex.self, from: bytes) == book)
      return bytes.count
    }
    let (small, great) = try (size(100), size(1000))
    #expect(great < 12 * small, "\(small) bytes for 100 pieces, \(great) for 1,000")
  }

  @Test func `a low-emission zone of the map is warned of, EV-4`() throws {
    let map = try DrawnMap(
      "         m-----n\n\na---------b---c---d\n\n         p-----o",
      ways: [
        "ab": "highway=tertiary name=A", "bc": "highway=tertiary name=A",
        "cd": "highway=tertiary name=A", "mnopm": "boundary=low_emission_zone name=Centre",
      ])
    var drive = Drive(map, kinds: [.environmentalZone])
    try drive.go("abcd")
    #expect(drive.reported.map(\.event) == [.ahead, .reached, .passed])
    #expect(Set(drive.reported.map(\.object.kind)) == [.environmentalZone])
  }
}
