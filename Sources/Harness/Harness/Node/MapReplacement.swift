import BusProtocol
import Dispatch
import NodeKit
import Stage

/// Replacement of a map under a running node, OF-2.
///
/// The map's files are checked once per second. A new map is loaded outside the loop while the old
/// one is used. Then all stages switch between two events, so none is missed. If the new map is
/// unusable, this is reported and counted, and the old one stays in use.
final class MapReplacement {
  /// The last loaded shared part; nil while the first maps are used.
  private(set) var newest: (any Sendable)?
  private var watcher: FileWatcher
  private let node: String
  private let parameters: Parameters
  private let stages: StageRunner
  private let attachments: NodeAttachments
  private let report: NodeReport
  private let role: NodeRole
  private let jobs: NodeJobs

  init(
    _ environment: NodeEnvironment, parameters: Parameters, stages: StageRunner,
    attachments: NodeAttachments, report: NodeReport, role: NodeRole,
    jobs: NodeJobs
  ) {
    // A node of a conductor behaves the same in each run, whatever happens to files.
    watcher = FileWatcher(environment.isLockStep ? [] : stages.host.maps(parameters))
    node = environment.name
    self.parameters = parameters
    self.stages = stages
    self.attachments = attachments
    self.report = report
    self.role = role
    self.jobs = jobs
  }

  /// Starts to load the map if its files have changed.
  func follow() {
    // A process that waits to take over may not publish yet, and checks afterwards.
    guard !role.isStill, watcher.hasChanged() else { return }
    watcher.isLoading = true
    let paths = watcher.changedPaths.joined(separator: ", ")
    report.write(.info, "replaced: \(paths); loading it in the background")
    let load = stages.host.reloading(parameters)
    let jobs = jobs
    WorkQueue.shared.async {
      let loaded = load()
      jobs.post { node in node.whenNotLeaving { $0.maps.replace(loaded) } }
    }
  }

  private func replace(_ loaded: Result<any Sendable, StageFailure>) {
    watcher.isLoading = false
    switch loaded {
    case .failure(let failure):
      report.figures.count("maps_refused", by: 1)
      report.setDegraded(
        "map", "the new map is refused, the old one stays in use: \(failure.message)")
    case .success(let shared):
      report.figures.count("maps_replaced", by: 1)
      report.setDegraded("map", nil)
      for (vehicle, outputs) in stages.host.changeMap(to: shared) {
        stages.keepAndPerform(outputs, vehicle: vehicle, cause: .map(at: node))
      }
      newest = shared
      attachments.mapChanged(shared)
      report.write(.info, "the replaced files are loaded")
    }
  }
}
