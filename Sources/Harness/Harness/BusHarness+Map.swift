import Bus
import Dispatch
import NodeKit
import Stage

/// A map that is replaced under a running node, OF-2.
///
/// Once a second the map's files are looked at. A new one is loaded beside the loop while the old one
/// serves; then all stages change over between two events, so none is missed. One that cannot be
/// used is told and counted, and the old one goes on.
extension BusHarness {
  func followMap() {
    // What a conductor leads does the same in each run, whatever happens to files. Whoever waits to take
    // over may say nothing yet, and looks when it has.
    guard lockStep == nil, !isStill, maps.hasChanged() else { return }
    maps.isLoading = true
    let paths = maps.changedPaths.joined(separator: ", ")
    log.write(.info, "replaced: \(paths); loading it beside the loop", stampNS: stampNS(.now))
    let load = host.reloading(setUp.parameters)
    let jobs = jobs
    WorkQueue.shared.async {
      let loaded = load()
      jobs.post { harness in
        harness.whenNotLeaving { harness in harness.changeMap(loaded) }
      }
    }
  }

  private func changeMap(_ loaded: Result<any Sendable, StageFailure>) {
    maps.isLoading = false
    switch loaded {
    case .failure(let failure):
      figures.count("maps_refused", by: 1)
      setDegraded("map", "the new map is refused, the old one goes on: \(failure.message)")
    case .success(let shared):
      figures.count("maps_replaced", by: 1)
      setDegraded("map", nil)
      for (vehicle, outputs) in host.changeMap(to: shared) {
        keepAndPerform(
          outputs, vehicle: vehicle, cause: .map(at: setUp.environment.name))
      }
      maps.newest = shared
      for attachment in setUp.attachments { attachment.mapChanged(shared) }
      log.write(.info, "what was replaced is loaded", stampNS: stampNS(.now))
    }
  }
}
