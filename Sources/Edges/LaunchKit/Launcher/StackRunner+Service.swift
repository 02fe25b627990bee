import Glibc
import ZMQ

extension StackRunner {
  /// Reports the state of the stack to the service manager, and that the launcher's loop runs.
  func reportToService() {
    guard service.isThere else { return }
    if supervisor.isStopping { service.beginStop() }
    service.report(supervisor.summary)
    service.tick(atS: nowS)
  }

  /// Handles SIGHUP: opens a new log file after a log rotation has renamed the old one.
  func reload() {
    guard let requests = options.reloadRequests else { return }
    var count: UInt64 = 0
    guard read(requests.descriptor, &count, 8) == 8, !supervisor.isStopping else { return }
    if service.isReady { service.beginReload() }
    log.reopen()
    log.say("nav", log.hasFile ? "the log file was reopened" : "there is no log file to reopen")
    if service.isReady { service.becameReady() }
  }
}
