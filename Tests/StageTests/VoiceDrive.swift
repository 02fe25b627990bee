import Foundations
import Messages
import Stage

@testable import VoiceStage

/// A voice stage that is fed the messages of a drive, with its wakes kept and its outputs
/// collected.
struct VoiceDrive {
  struct Heard<Message> {
    var atS: Double
    var placeM: Double
    var message: Message
    /// What it names itself; nil where the harness names the message at hand.
    var cause: Cause?
  }

  var stage: VoiceStage
  var nowS = 0.0
  var intervalS = 1.0
  var givesSpeed = true
  var limitMps: Double? = 13.9
  /// With a sink: it reports so many seconds for each announcement, when these are over.
  var sinkTakesS: Double?
  private(set) var said: [Heard<VoiceAnnouncement>] = []
  private(set) var spoken: [Heard<VoiceSpoken>] = []
  private(set) var counted: [String: Int] = [:]
  private var route: WireRoute?
  private var placeM = 0.0
  private var speedMps = 0.0
  private var wake: Instant?
  private var wakeS: Double? { wake?.seconds }
  private var reports: [(atS: Double, message: VoiceSpoken)] = []
  private var sequence: UInt64 = 0

  init(_ given: [String: ParameterValue] = [:]) throws {
    let given = given.merging(["sink": "none"]) { first, _ in first }
    let parameters = try Parameters(given, declared: VoiceStage.manifest.parameters)
    stage = VoiceStage(vehicle: "ego", shared: try VoiceStage.load(parameters))
  }

  var texts: [String] { said.map(\.message.text) }

  mutating func follow(
    _ route: WireRoute, reason: RouteActive.Reason, isLatched: Bool = false
  ) throws {
    self.route = route
    try send(RouteActive(reason: reason, paused: false, route: route), isLatched: isLatched)
  }

  /// Ends the route.
  mutating func stop() throws {
    route = nil
    try send(RouteActive(reason: .cleared, paused: false, route: nil))
  }

  /// Sends progress from one place to another at a steady speed.
  mutating func drive(from startM: Double, to endM: Double, speedMps: Double) throws {
    placeM = startM
    self.speedMps = speedMps
    while placeM < endM {
      try sendProgress()
      try pass(min(intervalS, (endM - placeM) / speedMps))
      if placeM > endM - 1e-6 { break }
    }
    self.speedMps = 0
  }

  /// Lets `seconds` go by: wakes and the sink's reports come when they are due.
  mutating func pass(_ seconds: Double) throws {
    let endS = nowS + seconds
    while true {
      let reportS = reports.first?.atS ?? .infinity
      let nextS = min(wakeS ?? .infinity, reportS)
      guard nextS <= endS else { break }
      moveTo(nextS)
      if reportS <= (wakeS ?? .infinity) {
        try send(reports.removeFirst().message)
      } else {
        let due = wake ?? Instant(seconds: nowS)
        wake = nil
        process(try stage.receive(.wake(now: due)))
      }
    }
    moveTo(endS)
  }

  mutating func send(_ message: some TopicMessage, isLatched: Bool = false) throws {
    sequence += 1
    let inbound = EncodedMessage(
      topic: type(of: message).topic, stamp: Instant(seconds: nowS), source: "test", run: 1,
      sequence: sequence, isLatched: isLatched, payload: message.encoded())
    process(try stage.receive(.message(inbound)))
  }

  /// The text of a repetition; nil where there is nothing to repeat.
  mutating func repeated() throws -> String? {
    let call = EncodedCall(
      id: "c", name: "voice/repeat", stamp: Instant(seconds: nowS), payload: [0x80])
    let outputs = try stage.receive(.call(call))
    process(outputs)
    for case .reply("c", .ok(let payload)) in outputs {
      return try VoiceRepeatReply(decoding: payload).text
    }
    return nil
  }

  private mutating func moveTo(_ second: Double) {
    placeM += (second - nowS) * speedMps
    nowS = max(nowS, second)
  }

  private mutating func sendProgress() throws {
    guard let route else { return }
    let ahead = route.maneuvers.enumerated().filter { $0.element.offsetM > placeM }.prefix(2)
    try send(
      GuidanceProgress(
        routeId: route.id, onRoute: .yes, section: 0, travelledOnSectionM: placeM,
        travelledM: placeM, remainingM: route.lengthM - placeM,
        remainingS: (route.lengthM - placeM) / 12, remainingText: "", remainingNumber: 0,
        remainingUnit: .m, etaNs: 0,
        maneuvers: ahead.map {
          WireManeuverProgress(
            index: Int64($0.offset), remainingM: $0.element.offsetM - placeM,
            remainingS: ($0.element.offsetM - placeM) / 12)
        }, shapeIndex: 0, shapeFraction: 0, latDeg: 47, lonDeg: 9, bearingDeg: 90,
        speedMps: givesSpeed ? speedMps : nil, speedLimitMps: limitMps))
  }

  private mutating func process(_ outputs: [EncodedOutput]) {
    for output in outputs {
      switch output {
      case .publish(VoiceAnnouncement.topic, _, let payload, _, _, let cause):
        guard let message = try? VoiceAnnouncement(decoding: payload) else { continue }
        said.append(Heard(atS: nowS, placeM: placeM, message: message, cause: cause))
        if let sinkTakesS {
          let report = VoiceSpoken(
            key: message.key, outcome: .spoken, durationS: sinkTakesS, sink: "test")
          reports.append((nowS + sinkTakesS, report))
        }
      case .publish(VoiceSpoken.topic, _, let payload, _, _, _):
        guard let message = try? VoiceSpoken(decoding: payload) else { continue }
        spoken.append(Heard(atS: nowS, placeM: placeM, message: message))
      case .count(let name, let amount): counted[name, default: 0] += amount
      case .wake(let at): wake = at
      default: break
      }
    }
  }
}

extension WireRoute {
  /// 12 km: right at 1000 m, a roundabout at 1100 m, a motorway with an exit at 11,400 m, an
  /// arrival.
  static func town(id: String = "r-1") -> WireRoute {
    func maneuver(
      _ action: WireManeuverAction, at offsetM: Double, grade: WireTurnGrade? = nil,
      side: WireSide? = nil, exit: Int64? = nil, onto: WireRoad = WireRoad(),
      signpost: WireSignpost? = nil, arrivalSide: WireSide? = nil
    ) -> WireManeuver {
      WireManeuver(
        action: action, grade: grade, side: side, exitCount: exit, latDeg: 47,
        lonDeg: 9 + offsetM / 100_000, offsetM: offsetM, section: 0, segment: 0, shapeIndex: 0,
        bearingBeforeDeg: 90, bearingAfterDeg: 90, fromRoad: WireRoad(), ontoRoad: onto,
        signpost: signpost, lengthM: 0, durationS: 0, arrivalSide: arrivalSide, text: "")
    }
    let high = WireRoad(name: "High St", number: "B12")
    let motorway = WireRoad(number: "A 28")
    return WireRoute(
      id: id, request: WireRouteRequest(), lengthM: 12_000, durationFreeFlowS: 900,
      durationTrafficS: 900, durationLatestS: 900, southDeg: 47, westDeg: 9, northDeg: 47,
      eastDeg: 9.1, shape: "", segments: WireRouteSegments(), spans: WireRouteSpans(),
      maneuvers: [
        maneuver(.depart, at: 0, onto: WireRoad(name: "Mill Ln")),
        maneuver(
          .turn, at: 1000, grade: .right, onto: high,
          signpost: WireSignpost(destinations: ["Harbour"])),
        maneuver(.roundabout, at: 1100, exit: 2, onto: motorway),
        maneuver(
          .exit, at: 11_400, side: .left,
          signpost: WireSignpost(exitNumber: "4", destinations: ["Old Town"])),
        maneuver(.arrive, at: 12_000, arrivalSide: .right),
      ], computedNs: 0)
  }
}

extension WireRoute {
  /// The town's route to a place 1.3 km to the southwest of the end of the road; with `isStop` it
  /// goes on from there.
  static func toTheCabin(isStop: Bool = false) -> WireRoute {
    var route = town()
    let end = route.maneuvers[route.maneuvers.count - 1]
    let (latDeg, lonDeg) = (end.latDeg - 0.0054, end.lonDeg - 0.0151)
    let start = WireWaypoint(latDeg: 47, lonDeg: 9)
    let cabin = WireWaypoint(latDeg: latDeg, lonDeg: lonDeg, name: "Old Cabin")
    route.waypoints = [
      WireRouteWaypoint(
        original: start, matchedLatDeg: 47, matchedLonDeg: 9, offsetM: 0, section: 0),
      WireRouteWaypoint(
        original: cabin, matchedLatDeg: end.latDeg, matchedLonDeg: end.lonDeg,
        offsetM: end.offsetM, section: 0, side: .right, distanceM: 1298, offRoad: true),
    ]
    route.maneuvers[route.maneuvers.count - 1].arrivalSide = nil
    if isStop {
      var last = end
      last.section = 1
      last.offsetM = 13_000
      last.lonDeg += 0.01
      route.maneuvers.append(last)
      route.lengthM = 13_000
    } else {
      route.offRoadLatDeg = latDeg
      route.offRoadLonDeg = lonDeg
    }
    return route
  }
}

extension TopicMessage where Self == GuidanceDeviation {
  static func off(first: Bool) -> GuidanceDeviation {
    GuidanceDeviation(
      routeId: "r-1", first: first, location: LocationMatched(state: .matched),
      evidence: WireDeviationEvidence(rule: .matchedOffRoute, fixes: 3, spanS: 2))
  }
}
