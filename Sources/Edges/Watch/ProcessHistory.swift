import Messages

/// The state of a process of a running stack and its last end, according to its launcher.
struct ProcessHistory {
  let process: WireStackProcess
  let evidence: Evidence

  /// The reason why the process is down, with what to do; nil if it is up or about to be.
  var trouble: String? {
    let name = process.name
    let output = "`nav node output \(name)` shows its last lines"
    switch process.state {
    case .stopped:
      guard let caller = process.stoppedBy else {
        return "is stopped; `nav node start \(name)` starts it"
      }
      return "was stopped\(evidence.moment(process.lastEndWallNs)) by \(caller); "
        + "`nav node start \(name)` starts it again"
    case .failed:
      return
        "\(end) and stays down, after \(restarts); \(output), `nav node start \(name)` starts it again"
    case .backoff: return "\(end) and waits for its next start, after \(restarts); \(output)"
    case .exited where process.lastEnd.map { $0 != "exit 0" } ?? false: return "\(end); \(output)"
    case .starting where process.restarts > 0 && process.stoppedBy == nil:
      return "\(end) and is starting again, restart \(process.restarts); \(output)"
    case .ending: return "is being ended by the launcher, which will start it again; \(output)"
    case .pending, .starting, .ready, .stopping, .leaving, .exited: return nil
    }
  }

  /// The last end of a process that is up again; nil if it never ended.
  var past: String? {
    guard process.lastEnd != nil, trouble == nil else { return nil }
    if let caller = process.stoppedBy {
      return "was restarted by \(caller): it ended\(evidence.moment(process.lastEndWallNs))"
    }
    return "\(end); it was started again, \(restarts) in total; "
      + "`nav node output \(process.name)` shows its lines"
  }

  private var restarts: String {
    process.restarts == 1 ? "1 restart" : "\(process.restarts) restarts"
  }

  /// `crashed at 12:04:40 UTC (14 s ago): SIGSEGV`.
  private var end: String {
    guard let last = process.lastEnd else { return "has ended" }
    return "\(Self.verb(of: last))\(evidence.moment(process.lastEndWallNs)): \(last)"
  }

  /// The kind of an end, derived from the launcher's description.
  private static func verb(of end: String) -> String {
    if end.contains("work loop was silent") { return "hung and was ended by the watchdog" }
    if end.hasPrefix("memory ") { return "was stopped because of its memory use" }
    if end.hasPrefix("not ready") { return "was not ready in time" }
    let crashes = ["SIGSEGV", "SIGABRT", "SIGILL", "SIGBUS", "SIGFPE", "SIGTRAP"]
    if crashes.contains(where: end.contains) { return "crashed" }
    if end.contains("SIG") { return "was killed" }
    return end == "exit 0" ? "ended" : "ended with an error"
  }
}

extension Evidence {
  /// ` at 12:04:40 UTC (14 s ago)` for a time of the machine's clock; empty if it is unknown.
  func moment(_ moment: Int64?) -> String {
    guard let moment else { return "" }
    let text = " at \(Watch.clock(moment)) UTC"
    guard let wallNS, wallNS >= moment else { return text }
    return "\(text) (\(Explanation.text(ms: UInt64(wallNS - moment) / 1_000_000)) ago)"
  }

  /// The process of a name; nil where no launcher reported one.
  func history(of name: String) -> ProcessHistory? {
    processes.first { $0.name == name && $0.role == .member }.map {
      ProcessHistory(process: $0, evidence: self)
    }
  }
}
