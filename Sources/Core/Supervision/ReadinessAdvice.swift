import StackFile

extension NodePolicy.Readiness {
  /// Advice for a node that was not ready in time: the steps by which it counts as ready.
  var advice: String {
    switch self {
    case .notify:
      "it never reported READY=1: send the datagram READY=1 to the Unix socket that NOTIFY_SOCKET names (as sd_notify "
        + "and systemd-notify --ready do) after its setup; or write ready: {log: REGEX}, {port: N} or {exit: true} "
        + "in the stack file; for a longer start write ready: 60s"
    case .log(let pattern):
      "no output line matched ready.log: \"\(pattern)\"; print one, or correct the expression; for a longer start "
        + "write ready: {log: …, within: 60s}"
    case .port(let port):
      "no program accepted a connection on ready.port \(port) of 127.0.0.1: listen there; for a longer start write "
        + "ready: {port: \(port), within: 60s}"
    case .exit:
      "it did not end, as ready: {exit: true} expects; for longer work write ready: {exit: true, within: 5min}"
    }
  }
}
