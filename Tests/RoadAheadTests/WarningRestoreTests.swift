import DrawnMaps
import RoadGraph
import Route
import Testing

@testable import RoadAhead

/// What was told of, over crashes, other maps and several feeds.
@Suite struct WarningRestoreTests {
  @Test func `what was reported before a crash is reported no second time, EV-4 BUS-6`() throws {
    let map = try WarningTests.road("abcdefgh", nodes: ["g": "highway=traffic_signals"])
    var drive = Drive(map)
    try drive.go("ah", upToM: 160)
    #expect(drive.words == ["traffic_signals ahead 500"])
    var again = Drive(map)
    again.watch.recall(drive.watch.memory)
    try again.go("ah", fromM: 180)
    #expect(again.words == ["traffic_signals passed"])
  }

  @Test func `what a restart does not find again ends without a place, EV-4 BUS-6`() throws {
    let map = try WarningTests.road("abcdefgh", nodes: ["g": "highway=traffic_signals"])
    var drive = Drive(map)
    try drive.go("ah", upToM: 160)
    var again = Drive(map)
    again.watch.recall(drive.watch.memory)
    try again.go("ga", upToM: 0)
    #expect(again.words == ["traffic_signals cancelled"])
    #expect(again.reported.first?.object.place == nil)
    #expect(again.reported.first?.object.segment == nil)
  }

  @Test func `objects of an earlier release are sorted when they are restored, EV-4 BUS-6`() throws
  {
    let map = try WarningTests.road("abcdefgh", nodes: ["c": "highway=traffic_signals"])
    var drive = Drive(map)
    try drive.go("ah", upToM: 0)
    let far = RoadObject(
      id: "far", kind: .safetyCamera, startM: 1_900, place: nil, segment: nil)
    drive.watch.objects = [far] + (drive.watch.objects ?? [])
    var successor = Drive(map)
    successor.second = drive.second
    successor.watch = try JSONCoding.decode(try JSONCoding.encode(drive.watch))
    #expect(successor.watch.objects?.last == far)
  }

  @Test func `on another map the metres go on, EV-4, OF-2`() throws {
    let map = try WarningTests.road("abcdefghij", nodes: ["d": "highway=traffic_signals"])
    var drive = Drive(map)
    try drive.go("aj", upToM: 400)
    #expect(drive.words == ["traffic_signals ahead 300", "traffic_signals passed"])
    var other = Drive(map, graph: try RoadGraph(columns: map.graph.columns, hash: 1))
    other.watch = drive.watch
    other.second = drive.second
    try other.go("aj", fromM: 420, upToM: 700)
    // So far behind, what was passed may be told of to one who turns back.
    try other.go("ja", fromM: 200, upToM: 220)
    #expect(other.words == ["traffic_signals ahead 400"])
  }

  @Test
  func `of incidents with one id in a feed the first counts, and the others are reported, TR-5`() {
    var book = IncidentIndex()
    let piece = SegmentReference(way: 1, from: 1, to: 2)
    let two = ["accident", "weather"].map {
      RoadIncident(id: "i", kind: $0, text: nil, segments: [piece])
    }
    #expect(book.set(two, of: "f") == 1)
    #expect(book.all(on: piece).map(\.incident.kind) == ["accident"])
    #expect(book.set(two, of: "g") == 1)
    #expect(book.all(on: piece).map(\.feed) == ["f", "g"])
  }

  @Test func `two feeds may use one id, EV-4`() throws {
    let split = try DrawnMap(
      "a---b-c---d-e",
      ways: ["ab": "highway=primary", "bc": "", "cd": "highway=primary", "de": ""], cell: 50)
    var drive = Drive(split, kinds: [.incident])
    func on(_ letters: String) throws -> RoadIncident {
      RoadIncident(
        id: "1", kind: "construction", text: letters,
        segments: [split.graph.reference(try split.edge(letters))])
    }
    drive.watch.replaceIncidents([try on("bc")], of: "city")
    drive.watch.replaceIncidents([try on("de")], of: "state")
    try drive.go("abcde")
    #expect(drive.reported.filter { $0.event == .ahead }.map(\.object.text) == ["bc", "de"])
    #expect(Set(drive.reported.map(\.object.id)).count == 2)
  }
}
