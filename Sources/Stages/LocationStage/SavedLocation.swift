import Foundations
import Geodesy
import Messages
import Positioning
import RoadGraph
import RouteWire
public import Stage

extension LocationStage {
  /// Time, clock run and place, so that a restarted provider continues where it was killed.
  public var savedState: [UInt8]? {
    guard hasStarted else { return nil }
    var saved = WireLocationState(
      nowNs: now.nanoseconds, run: run, rate: rate, paused: isPaused, wrongTurnsM: [])
    switch source {
    case .simulator(let simulator, _):
      saved.nextFixNs = nextSimulated.nanoseconds
      saved.set(simulator.memory(at: now))
    case .replay(let replay):
      saved.nextIndex = Int64(replay.next)
      saved.held = isHeld
    case .external:
      break
    }
    return saved.encoded()
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    let saved = try WireLocationState(savedState: state)
    wasRestored = true
    now = Instant(nanoseconds: saved.nowNs)
    run = saved.run
    rate = saved.rate
    isPaused = saved.paused
    switch source {
    case .simulator(var simulator, let receiver):
      nextSimulated = Instant(nanoseconds: saved.nextFixNs)
      if let driver = saved.driver { simulator.resume(driver, at: now) }
      source = .simulator(simulator, receiver)
    case .replay(var replay):
      let next = Int(clamping: saved.nextIndex)
      if next < replay.dues.count {
        replay.seek(to: replay.dues[max(0, next)])
      } else if let last = replay.dues.last {
        replay.seek(to: last.advanced(bySeconds: 1))
      }
      // Among fixes due at the same moment, those already published are skipped.
      while replay.next < next, replay.nextFix() != nil {}
      source = .replay(replay)
    case .external:
      break
    }
  }
}

extension WireLocationState {
  /// The driver of a simulation; nil for the state of a recording.
  fileprivate var driver: RouteSimulator.Memory? {
    guard let latDeg, let lonDeg else { return nil }
    return RouteSimulator.Memory(
      place: Coordinate(latitudeDeg: latDeg, longitudeDeg: lonDeg), bearingDeg: bearingDeg ?? 0,
      reference: segment.map { SegmentReference(wire: $0) }, offsetM: offsetM ?? 0,
      drivenM: drivenM ?? 0, wrongTurnsAtM: wrongTurnsM, strayM: strayM ?? 0)
  }

  fileprivate mutating func set(_ driver: RouteSimulator.Memory?) {
    guard let driver else { return }
    (latDeg, lonDeg) = (driver.place.latitudeDeg, driver.place.longitudeDeg)
    (bearingDeg, segment) = (driver.bearingDeg, driver.reference?.wire)
    (offsetM, drivenM) = (driver.offsetM, driver.drivenM)
    (wrongTurnsM, strayM) = (driver.wrongTurnsAtM, driver.strayM)
  }
}
