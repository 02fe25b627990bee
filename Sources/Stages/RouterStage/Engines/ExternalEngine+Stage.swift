import ExternalRouting
import Route
import Stage

extension ExternalEngineSettings {
  init(parameters: Parameters) {
    self.init(
      kind: Kind(rawValue: parameters.string("engine_kind") ?? "") ?? .osrm,
      url: parameters.string("engine_url").flatMap { $0.isEmpty ? nil : $0 },
      timeoutS: parameters.double("engine_timeout_s"),
      callsPerHour: parameters.int("engine_calls_per_hour"),
      connectivity: Connectivity(rawValue: parameters.string("engine") ?? "") ?? .offline)
  }
}

extension ExternalEngine {
  /// Returns the status counters for calls that were not reported yet; each is reported once.
  func unreportedCounts() -> [StageOutput] {
    let new = drainUnreported()
    return [("engine_calls", new.calls), ("engine_failures", new.failures)].compactMap {
      $0.1 > 0 ? .count($0.0, $0.1) : nil
    }
  }
}
