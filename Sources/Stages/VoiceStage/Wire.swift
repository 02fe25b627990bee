import EventTime
import Messages
import Speech
import Stage

import enum Route.WarningKind

extension VoiceInput {
  /// - Throws: `Refusal` for a payload that does not decode; names the topic and the field.
  init(_ message: Inbound) throws(Refusal) {
    do throws(DecodeError) {
      self = try Self.decoded(message)
    } catch {
      throw Refusal(error, of: message.topic)
    }
  }

  private static func decoded(_ message: Inbound) throws(DecodeError) -> VoiceInput {
    let bytes = message.payload
    switch message.topic {
    case RouteActive.topic:
      return bytes.isEmpty
        ? .route(nil, .changed, isPaused: false) : route(try .init(decoding: bytes))
    case GuidanceProgress.topic: return .progress(Progress(try .init(decoding: bytes)))
    case GuidanceManeuver.topic:
      let maneuver = try GuidanceManeuver(decoding: bytes)
      guard maneuver.event == .done else { return .nothing }
      return .maneuverDone(routeID: maneuver.routeId, index: Int(clamping: maneuver.index))
    case GuidanceDeviation.topic:
      return .deviated(isEstimated: try GuidanceDeviation(decoding: bytes).location.estimated)
    case GuidanceReroute.topic: return .reroute(Reroute(try .init(decoding: bytes)))
    case GuidanceMilestone.topic: return milestone(try .init(decoding: bytes))
    case GuidanceArrival.topic: return .arrival(Arrival(try .init(decoding: bytes)))
    case GuidanceOffroad.topic:
      let way = try GuidanceOffroad(decoding: bytes)
      return .offRoad(
        routeID: way.routeId, remainingM: way.remainingM, Heading(bearingDeg: way.bearingDeg))
    case GuidanceWarning.topic: return warning(try .init(decoding: bytes))
    case GuidanceSpeed.topic:
      guard !bytes.isEmpty else { return .speed(limitMps: nil, isExceeded: false) }
      let speed = try GuidanceSpeed(decoding: bytes)
      return .speed(
        limitMps: limit(speed.limitMps),
        isExceeded: speed.warning == .exceeded && !message.isLatched)
    case GuidanceRoad.topic:
      guard !bytes.isEmpty else { return .road(isTunnel: false) }
      return .road(isTunnel: try GuidanceRoad(decoding: bytes).road?.tunnel ?? false)
    case RouteBetter.topic: return better(try .init(decoding: bytes))
    case VoiceSpoken.topic: return spoken(try .init(decoding: bytes))
    default: return .nothing
    }
  }

  /// Converts a limit from the wire, where 0 means no limit.
  static func limit(_ mps: Double?) -> Double? { mps.map { $0 == 0 ? .infinity : $0 } }

  private static func route(_ active: RouteActive) -> VoiceInput {
    let reason: RouteReason =
      switch active.reason {
      case .new, .import: .started
      case .reroute: .rerouted
      case .better, .refresh, .traffic, .waypoints, .cleared: .changed
      }
    return .route(active.route.map(GuidedRoute.init), reason, isPaused: active.paused)
  }

  private static func milestone(_ milestone: GuidanceMilestone) -> VoiceInput {
    guard
      milestone.kind == .stopover || (milestone.kind == .destination && milestone.event == .missed)
    else { return .nothing }
    let isDestination = milestone.kind == .destination
    return .milestone(
      Milestone(
        key: "\(milestone.routeId)/stop/\(milestone.waypoint)/\(milestone.event.rawValue)",
        routeID: milestone.routeId, section: Int(clamping: milestone.section),
        stop: isDestination ? .destination : .stop(name: milestone.name),
        isReached: milestone.event == .reached))
  }

  private static func warning(_ warning: GuidanceWarning) -> VoiceInput {
    guard warning.event == .ahead || warning.event == .reached else {
      return .warningEnded(id: warning.id)
    }
    guard
      let warner = WarningKind(rawValue: warning.kind.rawValue)
    else { return .nothing }
    return .warning(
      Warning(
        id: warning.id, warner: warner, distanceM: warning.distanceM,
        isReached: warning.event == .reached))
  }

  private static func better(_ better: RouteBetter) -> VoiceInput {
    let state: BetterRoute =
      switch better.state {
      case .proposed: .proposed
      case .accepted: .accepted
      case .rejected, .expired, .withdrawn: .ended
      case .found: .found
      }
    // The navigator proposes the route that the poller found.
    return state == .found
      ? .nothing
      : .better(id: better.id, state, gainS: better.gainS, avoidsClosure: better.avoidsClosure)
  }

  private static func spoken(_ spoken: VoiceSpoken) -> VoiceInput {
    let outcome: SinkOutcome =
      switch spoken.outcome {
      case .spoken: .spoken
      case .written: .written
      case .interrupted: .interrupted
      case .dropped, .failed: .failed
      }
    return .spoken(key: spoken.key, outcome, durationS: spoken.durationS, sink: spoken.sink)
  }
}

extension VoiceInput.Progress {
  init(_ progress: GuidanceProgress) {
    routeID = progress.routeId
    isOnRoute = progress.onRoute == .yes
    travelledM = progress.travelledM
    remainingM = progress.remainingM
    speedMps = progress.speedMps
    speedLimitMps = VoiceInput.limit(progress.speedLimitMps)
    bearingDeg = progress.bearingDeg
    isEstimated = progress.estimated
    ahead = progress.maneuvers.map {
      Ahead(index: Int(clamping: $0.index), remainingM: $0.remainingM)
    }
    expectedSpeedMps = progress.maneuvers.first.flatMap {
      $0.remainingS > 1 ? $0.remainingM / $0.remainingS : nil
    }
  }
}

extension VoiceInput.Reroute {
  init(_ reroute: GuidanceReroute) {
    switch reroute.state {
    // The vehicle follows the current route until the proposal is accepted.
    case .started where reroute.proposes || reroute.reason == .passedStop: self = .ended
    case .started: self = .started
    case .failed: self = .failed
    case .proposed, .completed, .cancelled, .dropped, .rejected: self = .ended
    }
  }
}

extension VoiceInput.Arrival {
  init(_ arrival: GuidanceArrival) {
    routeID = arrival.routeId
    side = arrival.side.flatMap(Side.init)
    leadsOffRoad = arrival.event == .destinationReached && arrival.offRoad
    isOffRoad = arrival.event == .offRoadDestinationReached
  }
}

/// An announcement as encoded in `voice/announcement`.
struct AnnouncementWire {
  var announcement: Announcement
  var occasion: AnnouncementContext
  var utterance: Utterance
  var interrupts: Bool
  var distanceM: Double?
  var timeS: Double?
  var durationS: Double

  func encoded() -> [UInt8] {
    VoiceAnnouncement(
      key: announcement.key, kind: occasion.kind.wire, text: utterance.text, ssml: utterance.ssml,
      language: utterance.language, priority: announcement.priority.wire, interrupts: interrupts,
      routeId: occasion.maneuver?.routeID,
      maneuverIndex: occasion.maneuver.map { Int64($0.index) }, distanceM: distanceM,
      timeS: timeS, expectedDurationS: durationS, rule: occasion.rule
    ).encoded()
  }
}

/// Reports on `voice/spoken` by the stage itself, and the reply to `voice/repeat`.
enum SpokenWire {
  /// Name of the sink if there is none here.
  static let noSink = "none"

  static func encoded(
    _ announcement: Announcement, _ outcome: SpokenOutcome, latencyS: Double
  ) -> [UInt8] {
    let word: VoiceSpoken.Outcome =
      switch outcome {
      case .completed: .spoken
      case .interrupted: .interrupted
      case .failed: .failed
      }
    return VoiceSpoken(
      key: announcement.key, outcome: word,
      durationS: outcome == .completed ? max(0, announcement.durationS - latencyS) : nil,
      sink: noSink
    ).encoded()
  }

  static func repeated(_ text: String) -> [UInt8] { VoiceRepeatReply(text: text).encoded() }
}

extension Priority {
  /// Priority from 0 to 100 in wire form.
  var wire: Int64 {
    switch self {
    case .low: 20
    case .normal: 50
    case .high: 70
    case .urgent: 90
    }
  }
}

extension AnnouncementContext.Kind {
  var wire: VoiceAnnouncement.Kind {
    switch self {
    case .range: .range
    case .reminder: .reminder
    case .distance: .distance
    case .action: .action
    case .continueFor: .continue
    case .depart: .depart
    case .arrive: .arrive
    case .offRoad: .offRoad
    case .deviation: .deviation
    case .reroute: .reroute
    case .betterRoute: .betterRoute
    case .speed: .speed
    case .warning: .warning
    case .locationLost: .locationLost
    case .locationFound: .locationFound
    case .tunnel: .tunnel
    case .repetition: .repeat
    }
  }
}
