import CLinux
import Foundation
import Glibc
import Launcher
import MapMaking
import RoadFile
import StackFile
import ZMQ

/// Builds a stack's map before its nodes start, so that a build is visible and no node waits for
/// it.
enum MapPreparation {
  /// Opens the map, building it first if it is an OSM file; nil if it succeeds.
  ///
  /// It reports what it does if that takes longer than opening. `stop` ends a build. A service
  /// manager in the `environment` is asked for more time.
  static func problem(
    of map: Located<String>, stop: ThreadWaker, environment: [String: String]
  ) -> StackProblem? {
    var step = ""
    var service = ServiceNotifier(environment, process: getpid())
    do {
      _ = try RoadFile.open(path: map.value, options: MapOptions()) { progress in
        service.report("building the map of \(map.value): \(progress.step)")
        service.tick(atS: Double(clinux_monotonic_ns()) / 1e9)
        if progress.step != step {
          step = progress.step
          try? FileHandle.standardOutput.write(
            contentsOf: Data("building the map of \(map.value): \(step)\n".utf8))
        }
        return !isRequested(stop)
      }
      return nil
    } catch {
      if case .stopped = error { return nil }
      return StackProblem(error.description, path: "map", at: map.place)
    }
  }

  private static func isRequested(_ stop: ThreadWaker) -> Bool {
    var item = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&item, 1, 0) > 0
  }
}
