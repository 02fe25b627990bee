import BusProtocol
import Dispatch
import NodeKit
import Stage

/// Replacement of a map under a running node, OF-2.
///
/// The map's files are checked once per second. A new map is loaded outside the loop while the old
/// one is used. Then all stages switch between two events, so none is missed. If the new map is
/// unusable, this is reported and counted, and the old one stays in use.
extension BusHarness {
  func followMap() {
    // A node of a conductor behaves the same in each run, whatever happens to files. A process that
    // waits to take over may not publish yet, and checks afterwards.
    guard lockStep == nil, !isStill, maps.hasChanged() else { return }
    maps.isLoading = true
    let paths = maps.changedPaths.joined(separator: ", ")
    log.write(.info, "replaced: \(paths); loading it in the background", stampNS: stampNS(.now))
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
      setDegraded("map", "the new map is refused, the old one stays in use: \(failure.message)")
    case .success(let shared):
      figures.count("maps_replaced", by: 1)
      setDegraded("map", nil)
      for (vehicle, outputs) in host.changeMap(to: shared) {
        keepAndPerform(
          outputs, vehicle: vehicle, cause: .map(at: setUp.environment.name))
      }
      maps.newest = shared
      for attachment in setUp.attachments { attachment.mapChanged(shared) }
      log.write(.info, "the replaced files are loaded", stampNS: stampNS(.now))
    }
  }
}
