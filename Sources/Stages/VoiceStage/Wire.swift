import Foundations
import Messages
import Speech
import Stage

import enum Route.WarningKind

extension VoiceInput {
  init(_ message: Inbound) {
    switch message.value {
    case .routeActive(let active): self = Self.route(active)
    case .deleted(.routeActive): self = .route(nil, .changed, isPaused: false)
    case .guidanceProgress(let progress): self = .progress(Progress(progress))
    case .guidanceManeuver(let maneuver) where maneuver.event == .done:
      self = .maneuverDone(routeID: maneuver.routeId, index: Int(clamping: maneuver.index))
    case .guidanceDeviation(let deviation):
      self = .deviated(isEstimated: deviation.location.estimated)
    case .guidanceReroute(let reroute): self = .reroute(Reroute(reroute))
    case .guidanceMilestone(let milestone): self = Self.milestone(milestone)
    case .guidanceArrival(let arrival): self = .arrival(Arrival(arrival))
    case .guidanceOffroad(let way):
      self = .offRoad(
        routeID: way.routeId, remainingM: way.remainingM, Heading(bearingDeg: way.bearingDeg))
    case .guidanceWarning(let warning): self = Self.warning(warning)
    case .guidanceSpeed(let speed):
      self = .speed(
        limitMps: Self.limit(speed.limitMps),
        isExceeded: speed.warning == .exceeded && !message.isLatched)
    case .deleted(.guidanceSpeed): self = .speed(limitMps: nil, isExceeded: false)
    case .guidanceRoad(let place): self = .road(isTunnel: place.road?.tunnel ?? false)
    case .deleted(.guidanceRoad): self = .road(isTunnel: false)
    case .routeBetter(let better): self = Self.better(better)
    case .voiceSpoken(let spoken): self = Self.spoken(spoken)
    default: self = .nothing
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

/// An announcement as published on `voice/announcement`.
struct AnnouncementWire {
  var announcement: Announcement
  var occasion: AnnouncementContext
  var utterance: Utterance
  var interrupts: Bool
  var distanceM: Double?
  var timeS: Double?
  var durationS: Double

  var message: VoiceAnnouncement {
    VoiceAnnouncement(
      key: announcement.key, kind: occasion.kind.wire, text: utterance.text, ssml: utterance.ssml,
      language: utterance.language, priority: announcement.priority.wire, interrupts: interrupts,
      routeId: occasion.maneuver?.routeID,
      maneuverIndex: occasion.maneuver.map { Int64($0.index) }, distanceM: distanceM,
      timeS: timeS, expectedDurationS: durationS, rule: occasion.rule)
  }
}

/// Reports on `voice/spoken` by the stage itself.
enum SpokenWire {
  /// Name of the sink if there is none here.
  static let noSink = "none"

  static func message(
    _ announcement: Announcement, _ outcome: SpokenOutcome, latencyS: Double
  ) -> VoiceSpoken {
    let word: VoiceSpoken.Outcome =
      switch outcome {
      case .completed: .spoken
      case .interrupted: .interrupted
      case .failed: .failed
      }
    return VoiceSpoken(
      key: announcement.key, outcome: word,
      durationS: outcome == .completed ? max(0, announcement.durationS - latencyS) : nil,
      sink: noSink)
  }
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
