import Foundations
import Geodesy
import Messages
import Positioning
import RoadGraph
import Stage

/// One vehicle of the fleet: it drives a trip, rests, drives the next, and publishes its position.
struct FleetDriver: Sendable {
  private let number: Int
  private var random: SplitMix64
  private var receiver: NoisyReceiver
  private var path: PathDriver?
  /// Position between trips; nil until the first wake-up.
  private var parked: RoadPosition?
  private var home = Coordinate(latitudeDeg: 0, longitudeDeg: 0)
  private var nextTrip = Instant(nanoseconds: .min)
  private var nextFix = Instant(nanoseconds: .min)
  private var lastFix: Instant?
  private var isGuided: Bool
  /// Number of fixes on this trip before guidance is requested; nil after the request.
  private var fixesToGuidance: Int?
  private var isLed = false
  private var hasLeft = false
  private var token: UInt64 = 0
  /// The replaced roads that it still drives on.
  private var former: FormerRoads?

  /// Guidance needs a matched position to start from, and the matcher needs some fixes to determine
  /// it.
  private static let fixesBeforeGuidance = 4
  private static let stopToken: UInt64 = 0
  private static let callMS: UInt32 = 20_000
  /// Maximum number of fixes after a late wake-up.
  private static let burst = 16

  init(number: Int, settings: FleetSettings) {
    self.number = number
    var random = SplitMix64(seed: settings.seed ^ (UInt64(number) &* 0x9e37_79b9_7f4a_7c15))
    receiver = NoisyReceiver(settings.noise, seed: random.next())
    self.random = random
    isGuided = settings.isGuided(number)
  }

  mutating func handle(_ event: StageEvent, _ settings: FleetSettings) -> [StageOutput] {
    switch event {
    case .wake(let now): return wake(at: now, settings)
    case .reply(let token, _, let outcome): return heard(token, outcome)
    case .message, .call, .cancelled, .clockReset: return []
    }
  }

  private mutating func wake(at now: Instant, _ settings: FleetSettings) -> [StageOutput] {
    guard !hasLeft else { return [] }
    if parked == nil { appear(at: now, settings) }
    var outputs: [StageOutput] = []
    for _ in 0..<Self.burst where nextFix <= now {
      let due = nextFix
      if number < settings.driving(at: due).lowerBound { return outputs + leave() }
      nextFix = due.advanced(bySeconds: settings.intervalS)
      if let former, due >= former.endAt {
        moveToNewMap(from: former.settings, to: settings, &outputs)
      }
      let roads = former?.settings ?? settings
      drive(to: due, roads, &outputs)
      publish(at: due, roads, &outputs)
    }
    outputs.append(.wake(at: nextFix))
    return outputs
  }

  private mutating func appear(at now: Instant, _ settings: FleetSettings) {
    let place = settings.trips.place(&random)
    parked = place
    home = settings.graph.coordinate(place)
    nextFix = settings.firstFix(of: number, from: now)
    nextTrip = nextFix
  }

  private mutating func leave() -> [StageOutput] {
    hasLeft = true
    path = nil
    let outputs: [StageOutput] = [.count("vehicles_left", 1), .leave]
    guard isLed else { return outputs }
    return [
      .call(
        .navigateStop(NavigateStopRequest()), timeoutMS: Self.callMS, token: Self.stopToken)
    ] + outputs
  }

  // MARK: Driving

  private mutating func drive(
    to due: Instant, _ settings: FleetSettings, _ outputs: inout [StageOutput]
  ) {
    let elapsedS = lastFix.map { due.seconds(since: $0) } ?? 0
    lastFix = due
    path?.advance(
      byS: elapsedS, on: settings.graph, mode: settings.mode, driving: settings.driving)
    if let path, path.isAtEnd {
      parked = path.position
      self.path = nil
      fixesToGuidance = nil
      nextTrip = due.advanced(bySeconds: settings.longestStopS * random.unit())
      outputs.append(.count("trips_ended", 1))
    }
    guard path == nil, due >= nextTrip, let here = parked else { return }
    guard let trip = settings.trips.trip(from: here, home: home, &random),
      let driver = PathDriver(
        path: trip, on: settings.graph, mode: settings.mode, driving: settings.driving)
    else {
      // No road continues from here: the vehicle moves to another place.
      parked = settings.trips.place(&random)
      home = settings.graph.coordinate(parked ?? here)
      outputs.append(.count("trips_without_way", 1))
      return
    }
    path = driver
    outputs.append(.count("trips_started", 1))
    destination = settings.graph.coordinate(
      RoadPosition(edge: trip.edges[trip.edges.count - 1], offsetM: trip.endOffsetM))
    if isGuided { fixesToGuidance = Self.fixesBeforeGuidance }
  }

  // MARK: Another map

  /// Roads that were replaced, and the time until which a driver uses them.
  private final class FormerRoads: Sendable {
    let settings: FleetSettings
    let endAt: Instant

    init(_ settings: FleetSettings, endAt: Instant) {
      self.settings = settings
      self.endAt = endAt
    }
  }

  /// Seconds over which the vehicles of a fleet are spread, so that they do not all search for a
  /// new path at once.
  private static let changeS = 30

  /// Switches to the roads of another map soon; `old` contains the roads used until now.
  mutating func changeMap(from old: FleetSettings) {
    guard parked != nil, former == nil else { return }
    former = FormerRoads(
      old, endAt: nextFix.advanced(bySeconds: Double(number % Self.changeS)))
  }

  /// Moves to the nearest place on the new map and searches for a path from there to the
  /// destination.
  private mutating func moveToNewMap(
    from old: FleetSettings, to new: FleetSettings, _ outputs: inout [StageOutput]
  ) {
    former = nil
    guard
      let truth = path?.truth(on: old.graph)
        ?? parked.map({ VehicleTruth(at: $0, speedMps: 0, on: old.graph) })
    else { return }
    let isDriving = path != nil
    path = nil
    guard let place = new.trips.place(near: truth.place, bearingDeg: truth.bearingDeg) else {
      let place = new.trips.place(&random)
      parked = place
      home = new.graph.coordinate(place)
      outputs.append(.count("vehicles_displaced", 1))
      return
    }
    parked = place
    outputs.append(.count("vehicles_on_new_map", 1))
    guard isDriving else { return }
    // If the destination has become unreachable, the vehicle draws another trip at once.
    path = new.trips.way(from: place, to: destination).flatMap {
      PathDriver(
        path: $0, on: new.graph, mode: new.mode, driving: new.driving, speedMps: truth.speedMps)
    }
  }

  private var destination = Coordinate(latitudeDeg: 0, longitudeDeg: 0)

  private mutating func publish(
    at due: Instant, _ settings: FleetSettings, _ outputs: inout [StageOutput]
  ) {
    guard
      let truth = path?.truth(on: settings.graph)
        ?? parked.map({ VehicleTruth(at: $0, speedMps: 0, on: settings.graph) })
    else { return }
    guard let fix = receiver.fix(of: truth, at: due) else {
      outputs.append(.count("silent", 1))
      return
    }
    outputs.append(.publish(.locationRaw(Wire.raw(fix)), stamp: due))
    guard let left = fixesToGuidance else { return }
    fixesToGuidance = left > 1 ? left - 1 : nil
    guard left <= 1 else { return }
    token += 1
    outputs.append(
      .call(
        .navigateStart(Wire.start(to: destination, mode: settings.mode)),
        timeoutMS: Self.callMS, token: token))
  }

  private mutating func heard(_ token: UInt64, _ outcome: CallOutcome) -> [StageOutput] {
    guard token != Self.stopToken else { return [] }
    switch outcome {
    case .ok:
      isLed = true
      return [.count("guidance_started", 1)]
    case .failed(let error):
      // Requested again on this trip only if the answer may soon change.
      if path != nil, token == self.token, ["no_location", "busy"].contains(error.code) {
        fixesToGuidance = Self.fixesBeforeGuidance
      }
      return [.count("guidance_failed \(error.code)", 1)]
    }
  }
}
