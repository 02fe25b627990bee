import Foundations
import Speech
public import Stage

extension VoiceStage {
  /// The state that a successor needs to continue speaking at the same word.
  private struct VehicleSnapshot: Codable {
    static let version = 4

    var timing: AnnouncementTiming
    var arbiter: Arbiter
    var estimate: DurationEstimate
    var route: GuidedRoute?
    var routeID: String?
    var departsNext: Bool
    var stopDeparture: StopDeparture?
    var hasBeenOnRoute: Bool
    var course: Course?
    var isPaused: Bool
    var isInTunnel: Bool?
    var occasions: [UInt64: AnnouncementContext]
    var nextID: UInt64
    var clock: EventClock
    var episode: Deviation
    var signal: LocationLossDetector
    var awaitsOffRoad: String?
    var aheadWarnings: [String]
    var sentenceS: [SentenceKey: [AnnouncementKind: Double]]
    var sent: [Sent]
    var wakes: [WakeUpSource: Instant]
    var reckonedFrom: Origin?
    var hasNoted: Bool
  }

  /// A cause in the form for the handover.
  private struct Origin: Codable {
    var topic: String
    var source: String
    var run: UInt64
    var sequence: UInt64
  }

  public var handOverState: [UInt8]? {
    let whole = VehicleSnapshot(
      timing: timing, arbiter: arbiter, estimate: estimate, route: route, routeID: routeID,
      departsNext: departsNext, stopDeparture: stopDeparture, hasBeenOnRoute: hasBeenOnRoute,
      course: course,
      isPaused: isPaused,
      isInTunnel: isInTunnel, occasions: occasions, nextID: nextID, clock: clock, episode: episode,
      signal: signal, awaitsOffRoad: awaitsOffRoad, aheadWarnings: aheadWarnings,
      sentenceS: sentenceS, sent: sent, wakes: wakes,
      reckonedFrom: reckonedFrom.map {
        Origin(topic: $0.topic, source: $0.source, run: $0.run, sequence: $0.sequence)
      }, hasNoted: hasNoted)
    return HandoverCoding.encode(whole, version: VehicleSnapshot.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandoverCoding.decode(
      VehicleSnapshot.self, from: state, version: VehicleSnapshot.version)
    timing = whole.timing
    timing.tuning = settings.timing
    arbiter = whole.arbiter
    arbiter.tuning = settings.arbiter
    estimate = whole.estimate
    route = whole.route
    routeID = whole.routeID
    departsNext = whole.departsNext
    stopDeparture = whole.stopDeparture
    hasBeenOnRoute = whole.hasBeenOnRoute
    course = whole.course
    isPaused = whole.isPaused
    isInTunnel = whole.isInTunnel
    occasions = whole.occasions
    nextID = whole.nextID
    clock = whole.clock
    episode = whole.episode
    signal = whole.signal
    awaitsOffRoad = whole.awaitsOffRoad
    aheadWarnings = whole.aheadWarnings
    sentenceS = whole.sentenceS
    sent = whole.sent
    wakes = whole.wakes
    reckonedFrom = whole.reckonedFrom.map {
      Cause(topic: $0.topic, source: $0.source, run: $0.run, sequence: $0.sequence)
    }
    hasNoted = whole.hasNoted
  }
}
