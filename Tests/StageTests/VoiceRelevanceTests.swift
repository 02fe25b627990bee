import Messages
import Stage
import Testing

@testable import VoiceStage

/// Habits of the voice: what is true, new and worth a sentence.
@Suite struct VoiceRelevanceTests {
  /// The town's route with spans of the lengths and roads that are given.
  private func town(_ roads: [WireRoad], of spans: [(metres: Double, road: Int64)]) -> WireRoute {
    var route = WireRoute.town()
    route.roads = roads
    let numbers = spans.map { _ in Int64(0) }
    let seconds = spans.map { _ in 1.0 }
    let starts = spans.indices.map { end in spans[..<end].reduce(0) { $0 + $1.metres } }
    route.spans = WireRouteSpans(
      startM: starts, lengthM: spans.map(\.metres), firstShapeIndex: numbers,
      firstSegment: numbers, segmentCount: numbers, durationFreeFlowS: seconds,
      durationTrafficS: seconds, durationLatestS: seconds, road: spans.map(\.road),
      baseSpeedMps: seconds, trafficSpeedMps: seconds,
      trafficKind: spans.map { _ in .freeFlow }, jamFactor: seconds)
    return route
  }

  @Test func `continue names what most of the way bears, VO-5`() throws {
    let roads = [
      WireRoad(name: "Mill Ln"), WireRoad(name: "Quay", number: "B 1"),
      WireRoad(number: "B 1;A 28"),
    ]
    var drive = try VoiceDrive()
    try drive.follow(town(roads, of: [(1100, 0), (900, 1), (10_000, 2)]), reason: .new)
    try drive.drive(from: 1050, to: 1300, speedMps: 13.9)
    #expect(drive.texts.last?.hasPrefix("Continue for 10 kilometers on B 1, then") == true)
    drive = try VoiceDrive()
    let halves = town(roads, of: [(1100, 0), (5000, 1), (5900, 0)])
    try drive.follow(halves, reason: .new)
    try drive.drive(from: 1050, to: 1300, speedMps: 13.9)
    #expect(drive.texts.last?.hasPrefix("Continue for 10 kilometers, then") == true)
  }

  @Test func `a gate is no tunnel, and nobody says one on foot, VO-5`() throws {
    let roads = [WireRoad(name: "Mill Ln"), WireRoad(name: "Mill Ln", tunnel: true)]
    let spans: [(Double, Int64)] = [(100, 0), (20, 1), (100, 0), (150, 1), (60, 1), (11_570, 0)]
    var drive = try VoiceDrive(["kinds": .strings([])])
    try drive.follow(town(roads, of: spans), reason: .new)
    try drive.drive(from: 60, to: 900, speedMps: 5)
    #expect(drive.texts == ["Tunnel."])
    drive = try VoiceDrive(["kinds": .strings([])])
    var walk = town(roads, of: spans)
    walk.request.mode = .pedestrian
    try drive.follow(walk, reason: .new)
    try drive.drive(from: 60, to: 900, speedMps: 5)
    #expect(drive.texts == [])
  }

  @Test func `a name that changes is said once, and a ferry is left in one sentence, VO-5`() throws
  {
    var route = WireRoute.town()
    route.maneuvers[1].action = .continue
    route.maneuvers[1].grade = nil
    route.maneuvers[1].signpost = nil
    route.maneuvers[2].offsetM = 5000
    var drive = try VoiceDrive()
    try drive.follow(route, reason: .new)
    try drive.drive(from: 100, to: 999, speedMps: 13.9)
    #expect(drive.texts == ["In 300 meters, continue onto High Street."])
    route.maneuvers[1].plain = true
    drive = try VoiceDrive()
    try drive.follow(route, reason: .new)
    try drive.drive(from: 100, to: 1200, speedMps: 13.9)
    #expect(drive.texts.isEmpty)
    route.maneuvers[1].fromRoad.ferry = true
    drive = try VoiceDrive()
    try drive.follow(route, reason: .new)
    try drive.drive(from: 100, to: 999, speedMps: 13.9)
    #expect(drive.texts == ["Leave the ferry."])
  }

  @Test(arguments: [1.0, 5, 15, 30])
  func `locations that come steadily are not lost, however rare, VO-5`(intervalS: Double) throws {
    var drive = try VoiceDrive(["kinds": .strings([])])
    drive.intervalS = intervalS
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 60, to: 5000, speedMps: 10)
    #expect(drive.texts == [])
    try drive.pass(100)
    #expect(drive.texts == ["Satellite signal lost."])
    try drive.drive(from: 6000, to: 6100, speedMps: 10)
    #expect(drive.texts == ["Satellite signal lost.", "Satellite signal found."])
  }

  @Test func `what is said lost is said found, and not lost again at once, VO-5`() throws {
    var drive = try VoiceDrive(["kinds": .strings([])])
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 60, to: 200, speedMps: 10)
    for round in 0..<6 {
      try drive.pass(12)
      try drive.drive(from: 400 + 20 * Double(round), to: 410 + 20 * Double(round), speedMps: 10)
    }
    try drive.pass(3)
    for (index, text) in drive.texts.enumerated() {
      #expect(text == (index % 2 == 0 ? "Satellite signal lost." : "Satellite signal found."))
    }
    #expect(drive.texts.count % 2 == 0 && (2...6).contains(drive.texts.count))
  }

  @Test func `who has not come to the route yet has not left it, VO-5`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .new)
    try drive.send(.off(first: true))
    try drive.pass(4)
    #expect(drive.texts == [])
    try drive.drive(from: 60, to: 100, speedMps: 10)
    try drive.send(.off(first: true))
    try drive.pass(4)
    #expect(drive.texts == ["You have left the route."])
  }

  @Test func `the first maneuver at once is part of the departure, VO-10`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .new)
    var near = WireRoute.town()
    near.maneuvers[1].offsetM = 40
    try drive.follow(near, reason: .new)
    try drive.drive(from: 0, to: 60, speedMps: 3)
    #expect(drive.texts == ["Head east on Mill Lane, then turn right."])
    #expect(drive.said.allSatisfy { !$0.message.interrupts })
  }

  @Test func `a destination behind a turn is announced with it, and not once more, VO-3`() throws {
    var route = WireRoute.town()
    route.maneuvers = [route.maneuvers[0], route.maneuvers[1], route.maneuvers[4]]
    route.maneuvers[2].offsetM = 1060
    var drive = try VoiceDrive()
    try drive.follow(route, reason: .new)
    try drive.drive(from: 800, to: 1059, speedMps: 10)
    #expect(drive.texts.last == "Turn right, then your destination is on the right.")
    try drive.send(
      GuidanceArrival(
        routeId: "r-1", event: .destinationReached, rule: .passedWithin, latDeg: 47, lonDeg: 9,
        distanceM: 5, side: .right))
    #expect(
      drive.texts.suffix(2) == [
        "Turn right, then your destination is on the right.", "You have reached your destination.",
      ])
    // Farther behind the turn it is announced again when it is near, without a distance.
    route.maneuvers[2].offsetM = 1150
    drive = try VoiceDrive()
    try drive.follow(route, reason: .new)
    try drive.drive(from: 800, to: 1149, speedMps: 10)
    #expect(
      drive.texts.suffix(2) == [
        "Turn right, then your destination is on the right.", "Your destination is on the right.",
      ])
  }

  @Test func `a vehicle stays only on a road that it is on, VO-5`() throws {
    let ring = WireRoad(name: "Ring Road")
    var route = town([WireRoad(name: "Mill Ln"), ring], of: [(550, 0), (11_450, 1)])
    route.maneuvers[1] = route.maneuvers[3]
    route.maneuvers[1].action = .fork
    route.maneuvers[1].offsetM = 1000
    route.maneuvers[1].signpost = nil
    route.maneuvers[1].fromRoad = ring
    route.maneuvers[1].ontoRoad = ring
    route.maneuvers[2].offsetM = 5000
    var drive = try VoiceDrive()
    try drive.follow(route, reason: .new)
    try drive.drive(from: 100, to: 999, speedMps: 13.9)
    #expect(
      drive.texts == [
        "In 600 meters, keep left onto Ring Road.",
        "In 300 meters, keep left to stay on Ring Road.",
        "Keep left.",
      ])
    // A leg that no name prevails on is no road to stay on.
    route = town(
      [WireRoad(name: "Mill Ln"), WireRoad(), ring], of: [(1100, 0), (10_000, 1), (900, 2)])
    route.maneuvers[3].action = .fork
    route.maneuvers[3].signpost = nil
    route.maneuvers[3].fromRoad = ring
    route.maneuvers[3].ontoRoad = ring
    drive = try VoiceDrive()
    try drive.follow(route, reason: .new)
    try drive.drive(from: 1050, to: 1300, speedMps: 13.9)
    #expect(drive.texts.last == "Continue for 10 kilometers, then keep left onto Ring Road.")
  }

  @Test func `that the road ends is never said without the destination, VO-5 OR-2`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.toTheCabin(), reason: .better)
    try drive.drive(from: 11_620, to: 11_990, speedMps: 13.9)
    #expect(
      drive.texts == [
        "In 300 meters, the road ends. Your destination lies off the road, to the southwest.",
        "The road ends ahead.",
      ])
  }
}
