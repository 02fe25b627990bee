import DrawnMaps
import Foundation
import Foundations
import Geodesy
import Messages
import RoadGraph
import Stage
import Testing
import Traffic
import TrafficFeeds

@testable import TrafficStage

/// Files of incidents that a traffic node follows.
@Suite struct TrafficFeedTests {
  private let start = Instant(seconds: 1_790_000_000)

  /// A folder with a feed file, and a stage over it.
  private struct Bench {
    let map: DrawnMap
    let files: [FeedFile]
    var stage: TrafficStage
    var outputs: [EncodedOutput] = []

    init(_ folder: URL, _ format: FeedFile.Format = .geojson) throws {
      map = try DrawnMap(
        "a---------b---------c",
        ways: ["ab": "highway=secondary", "bc": "highway=tertiary"], cell: 20)
      files = [FeedFile(format: format, path: folder.appending(path: "feed").path)]
      stage = TrafficStage(vehicle: "ego", shared: Self.shared(map, files))
    }

    static func shared(
      _ map: DrawnMap, _ files: [FeedFile], replacing old: TrafficShared? = nil
    ) -> TrafficShared {
      TrafficShared(
        graph: map.graph, scenario: TrafficScenario(feed: "scenario", events: []),
        beginsWithRoute: true, files: files, replacing: old)
    }

    func write(_ text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: files[0].path), options: .atomic)
    }

    /// What the harness does when it sees that the file is another: the wake-up that is asked for comes at once.
    mutating func reload(_ now: Instant) throws {
      outputs = stage.receiveMap(Self.shared(map, files, replacing: stage.shared))
      let next = try #require(next)
      #expect(next <= now)
      outputs =
        try outputs.filter { if case .wake = $0 { false } else { true } }
        + stage.receive(.wake(now: now))
    }

    mutating func reopen() { stage = TrafficStage(vehicle: "ego", shared: Self.shared(map, files)) }

    mutating func wake(_ now: Instant) throws {
      outputs = try stage.receive(.wake(now: now))
    }

    var lists: [TrafficIncidents] {
      get throws {
        try outputs.compactMap { output in
          guard case .publish(TrafficIncidents.topic, _, let payload, let key, _, _) = output else {
            return nil
          }
          let message = try TrafficIncidents(decoding: payload)
          #expect(message.feed == key)
          return message
        }
      }
    }

    var flows: [TrafficFlow] {
      get throws {
        try outputs.compactMap { output in
          guard case .publish(TrafficFlow.topic, _, let payload, let key, _, _) = output else {
            return nil
          }
          let message = try TrafficFlow(decoding: payload)
          #expect(message.feed == key)
          return message
        }
      }
    }

    var next: Instant? {
      for case .wake(let at) in outputs { return at }
      return nil
    }

    var counts: [String: Int] {
      var counts: [String: Int] = [:]
      for case .count(let name, let number) in outputs { counts[name, default: 0] += number }
      return counts
    }

    var log: [String] {
      outputs.compactMap { output in
        guard case .log(_, let text) = output else { return nil }
        return text
      }
    }

    var degraded: [String?] {
      outputs.compactMap { output -> String?? in
        guard case .degraded(let why) = output else { return nil }
        return .some(why)
      }
    }
  }

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "feeds-\(ProcessInfo.processInfo.globallyUniqueString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  /// A feature on the line of some letters, with properties.
  private func feature(_ map: DrawnMap, _ letters: String, _ properties: String) throws -> String {
    let places = try letters.map { letter in
      let place = try map.coordinate(letter)
      return "[\(place.longitudeDeg), \(place.latitudeDeg)]"
    }
    return """
      {"properties": {\(properties)},
       "geometry": {"type": "LineString", "coordinates": [\(places.joined(separator: ", "))]}}
      """
  }

  private func collection(_ features: String...) -> String {
    #"{"type": "FeatureCollection", "features": ["# + features.joined(separator: ",") + "]}"
  }

  private func time(_ seconds: Double) -> String { "\(Int(start.seconds + seconds))" }

  @Test func `the kinds and impacts of feeds are those of the contract, TR-1`() {
    #expect(IncidentKind.allCases.allSatisfy { WireIncident.Kind(rawValue: $0.rawValue) != nil })
    #expect(IncidentKind.allCases.count == 10)
    #expect(
      IncidentImpact.allCases.allSatisfy { WireIncident.Impact(rawValue: $0.rawValue) != nil })
  }

  @Test func `a feed is published at once, with its segments and without any route, TR-1`() throws {
    try inFolder { folder in
      var bench = try Bench(folder)
      try bench.write(
        collection(
          try feature(
            bench.map, "abc",
            #""id": "x", "kind": "road_closed", "impact": "major", "text": "Closed""#),
          try feature(bench.map, "cba", #""id": "y", "speed_mps": 3"#)))
      bench.reopen()
      try bench.wake(start)
      let list = try #require(try bench.lists.first)
      #expect(list.feed == "geojson")
      #expect(list.observedNs == start.nanoseconds)
      let closed = try #require(list.incidents.first)
      #expect(closed.closed && closed.kind == .roadClosed && closed.impact == .major)
      let edges = try bench.map.edges("abc").map { bench.map.graph.reference($0) }
      #expect(closed.segments.map(\.from) == edges.map(\.from))
      #expect(closed.segments.map(\.to) == edges.map(\.to))
      let flow = try #require(try bench.flows.first)
      #expect(try bench.flows.count == 1)
      #expect(flow.feed == "geojson" && flow.speedKind == .live)
      #expect(Set(flow.flow.speedMmps) == [3000])
      #expect(bench.next == nil)
      // Nothing new, nothing published.
      try bench.wake(start.advanced(bySeconds: 5))
      #expect(bench.outputs.isEmpty)
    }
  }

  @Test func `what is over is counted and left out, what is to come wakes the stage, TR-1`() throws
  {
    try inFolder { folder in
      var bench = try Bench(folder)
      try bench.write(
        collection(
          try feature(bench.map, "abc", #""id": "past", "until": \#(time(0))"#),
          try feature(
            bench.map, "abc",
            #""id": "later", "from": \#(time(60)), "until": \#(time(120)), "speed_limit_mps": 4"#)))
      bench.reopen()
      try bench.wake(start)
      #expect(bench.counts == ["feed_over": 1])
      let list = try #require(try bench.lists.first)
      #expect(list.incidents.map(\.id) == ["later"])
      #expect(list.incidents.first?.fromNs == start.advanced(bySeconds: 60).nanoseconds)
      #expect(try bench.flows.isEmpty)
      #expect(bench.next == start.advanced(bySeconds: 60))

      try bench.wake(start.advanced(bySeconds: 60))
      let flow = try #require(try bench.flows.first)
      #expect(flow.feed == "geojson_predicted" && flow.speedKind == .predicted)
      #expect(flow.flow.speedMmps == [4000, 4000])
      #expect(flow.flow.untilS == [60, 60])
      #expect(try bench.lists.isEmpty)
      #expect(bench.next == start.advanced(bySeconds: 120))

      try bench.wake(start.advanced(bySeconds: 120))
      #expect(try bench.flows.map(\.flow.way.count) == [0])
      #expect(try bench.lists.map(\.incidents.count) == [0])
      #expect(bench.counts == ["feed_over": 1])
      #expect(bench.next == nil)
    }
  }

  @Test func `what lies off the map is named and published by its coordinates, TR-1`() throws {
    try inFolder { folder in
      var bench = try Bench(folder)
      try bench.write(
        collection(
          #"{"properties": {"id": "sea"}, "geometry": {"type": "Point", "coordinates": [-40.5, 40]}}"#,
          #"{"properties": {"id": "bad", "kind": "dragon"}, "geometry": {"type": "Circle"}}"#))
      bench.reopen()
      try bench.wake(start)
      let list = try #require(try bench.lists.first)
      #expect(list.incidents.map(\.id) == ["sea"])
      #expect(list.incidents.first?.segments.isEmpty == true)
      #expect(list.incidents.first?.lonDeg == -40.5)
      #expect(bench.counts == ["feed_off_map": 1, "feed_useless": 1])
      #expect(bench.log.contains { $0.hasPrefix("geojson: sea: off_map: ") })
      #expect(bench.log.contains { $0.hasPrefix("geojson: features[1].geometry: useless: ") })
    }
  }

  @Test
  func `a file that changes is read again, a broken one leaves the last good one, once, TR-1`()
    throws
  {
    try inFolder { folder in
      var bench = try Bench(folder)
      // The writer of the file has not begun yet.
      try bench.wake(start)
      #expect(try bench.lists.map(\.incidents.count) == [0])
      #expect(bench.degraded.count == 1 && bench.degraded[0]?.contains("cannot be read") == true)

      try bench.write(collection(try feature(bench.map, "abc", #""id": "x""#)))
      try bench.reload(start.advanced(bySeconds: 700))
      #expect(try bench.lists.map { $0.incidents.map(\.id) } == [["x"]])
      // As new as the file, and not as the last change of the feed.
      #expect(try bench.lists.first?.observedNs == start.advanced(bySeconds: 700).nanoseconds)
      #expect(bench.degraded == [nil])

      let half = collection(try feature(bench.map, "abc", #""id": "y""#)).dropLast(30)
      for isFirst in [true, false] {
        try bench.write(String(half))
        try bench.reload(start.advanced(bySeconds: 700))
        #expect(try bench.lists.map { $0.incidents.map(\.id) } == [["x"]])
        #expect(bench.log.count == (isFirst ? 1 : 0))
        #expect(bench.counts == (isFirst ? ["feed_files_refused": 1] : [:]))
        #expect(bench.degraded.count == 1)
        #expect(bench.degraded[0]?.contains("the last valid one is used until it can") == true)
      }

      try bench.write(collection(try feature(bench.map, "cba", #""id": "z""#)))
      try bench.reload(start.advanced(bySeconds: 700))
      #expect(try bench.lists.map { $0.incidents.map(\.id) } == [["z"]])
      #expect(bench.degraded == [nil])
      #expect(bench.log.isEmpty)
    }
  }

  @Test func `notes on a file are not repeated when it is written again, TR-1`() throws {
    try inFolder { folder in
      var bench = try Bench(folder)
      let sea =
        #"{"properties": {"id": "sea"}, "geometry": {"type": "Point", "coordinates": [-40.5, 40]}}"#
      try bench.write(collection(sea))
      bench.reopen()
      try bench.wake(start)
      #expect(bench.counts == ["feed_off_map": 1])
      try bench.write(collection(sea, sea.replacing("sea", with: "lake")))
      try bench.reload(start.advanced(bySeconds: 700))
      #expect(bench.log.count == 1 && bench.log[0].hasPrefix("geojson: lake: off_map: "))
      #expect(bench.counts == ["feed_off_map": 1])
    }
  }

  @Test func `a DATEX II file is a feed of its own, and closes the road that it names, TR-1`()
    throws
  {
    try inFolder { folder in
      var bench = try Bench(folder, .datex)
      let (a, b) = (try bench.map.coordinate("a"), try bench.map.coordinate("b"))
      try bench.write(
        """
        <payload xsi:type="sit:SituationPublication" lang="en">
        <publicationTime>2026-01-01T00:00:00Z</publicationTime>
        <situation id="S"><situationRecord xsi:type="sit:RoadOrCarriagewayOrLaneManagement" id="R" version="1">
        <validity><validityStatus>active</validityStatus><validityTimeSpecification>
        <overallStartTime>2026-01-01T00:00:00Z</overallStartTime></validityTimeSpecification></validity>
        <locationReference xsi:type="loc:LinearLocation"><gmlLineString>
        <posList>\(a.latitudeDeg) \(a.longitudeDeg) \(b.latitudeDeg) \(b.longitudeDeg)</posList>
        </gmlLineString></locationReference>
        <roadOrCarriagewayOrLaneManagementType>roadClosed</roadOrCarriagewayOrLaneManagementType>
        </situationRecord></situation></payload>
        """)
      bench.reopen()
      try bench.wake(start)
      let list = try #require(try bench.lists.first)
      #expect(list.feed == "datex")
      #expect(list.observedNs == TimeText.iso8601("2026-01-01T00:00:00Z")?.nanoseconds)
      let closed = try #require(list.incidents.first)
      #expect(closed.closed && closed.kind == .roadClosed)
      // The road as a whole: both directions.
      #expect(closed.segments.count == 2 * (try bench.map.edges("ab").count))
      #expect(bench.log.isEmpty)
    }
  }

  @Test func `a successor publishes nothing a second time, TR-1, BUS-6`() throws {
    try inFolder { folder in
      var bench = try Bench(folder)
      try bench.write(
        collection(
          try feature(bench.map, "abc", #""id": "x", "until": \#(time(100)), "speed_mps": 3"#)))
      bench.reopen()
      try bench.wake(start)
      #expect(try bench.lists.count == 1)
      let state = try #require(bench.stage.handOverState)
      bench.reopen()
      try bench.stage.takeOver(state)
      try bench.wake(start.advanced(bySeconds: 1))
      #expect(try bench.lists.isEmpty && bench.flows.isEmpty)
      #expect(bench.next == start.advanced(bySeconds: 100))
      // A clock that is set anew makes all of it news.
      bench.outputs = try bench.stage.receive(.clockReset(now: start))
      #expect(try bench.lists.count == 1)
      #expect(try bench.flows.count == 1)
    }
  }

  @Test func `the harness watches the feed files beside the map, TR-1, OF-2`() throws {
    let parameters = try Parameters(
      ["map": "a.navmap", "geojson": "i.json", "datex": "d.xml"],
      declared: TrafficStage.manifest.parameters)
    #expect(TrafficStage.maps(parameters) == ["a.navmap", "i.json", "d.xml"])
  }
}
