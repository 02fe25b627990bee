import BusProtocol
import EventTime
import NodeKit
import Stage

/// Which vehicles a node has a stage for: they are added with their first message and removed after
/// silence.
extension BusHarness {
  /// Whether to handle a message of the vehicle; creates its stage if it is new.
  func admitIfServed(_ vehicle: String) -> Bool {
    let served = setUp.environment.vehicles
    guard served.isEmpty || served.contains(vehicle) else { return false }
    if host.has(vehicle) || recreateStage(vehicle) { return true }
    // A message that was in transit when its slot was moved belongs to another replica.
    guard servesVehicle(vehicle) else { return false }
    guard hasRoom(for: vehicle) else { return false }
    admit(vehicle)
    return true
  }

  /// Whether one more vehicle may be added; a rejected vehicle is counted and reported.
  func hasRoom(for vehicle: String) -> Bool {
    guard host.vehicleCount >= Self.maximumVehicles else { return true }
    figures.count("vehicles_refused", by: 1)
    log.write(
      .warning, kind: "vehicles_refused",
      "\(vehicle) is refused: this node already serves \(Self.maximumVehicles) vehicles",
      stampNS: stampNS(.now))
    return false
  }

  /// Creates the stage of a vehicle, and wakes it for the first time if time is known.
  func admit(_ vehicle: String) {
    guard host.admit(vehicle), !setsClock, let now = time.now(at: .now) else { return }
    handle(.wake(now: now), vehicle: vehicle)
  }

  /// Forgets a vehicle: its stage, its wake-up, and its saved state.
  func drop(_ vehicle: String) {
    guard host.drop(vehicle) else { return }
    wakes[vehicle] = nil
    promises.forget(vehicle)
    setDegraded("stage \(vehicle)", nil)
    save(vehicle, now: .now)
    figures.count("vehicles_dropped", by: 1)
  }

  /// Forgets vehicles that were silent for the time that the stack allows.
  ///
  /// Only if any vehicle is served: vehicles named by the stack are never forgotten.
  func dropSilent(at now: Instant?) {
    guard let silenceS = setUp.environment.forgetAfterS, setUp.environment.vehicles.isEmpty,
      !inputs.isEmpty, let now
    else { return }
    var silent = host.silent(forS: silenceS, at: now)
    // A saved state is valid until its vehicle is watched again, so the vehicle is not forgotten.
    if demand != nil { silent.removeAll { host.savedState(of: $0) != nil } }
    for vehicle in silent { drop(vehicle) }
    if let first = silent.first {
      let others = silent.count > 1 ? " and \(silent.count - 1) more" : ""
      log.write(
        .info, "\(first)\(others) removed: no message for \(Int(silenceS)) s",
        stampNS: now.nanoseconds)
    }
  }
}
