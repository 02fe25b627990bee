public import StackFile

/// How a process ended.
public enum ProcessEnd: Hashable, Sendable {
  case code(Int32)
  case signal(Int32)

  /// `exit 3`, `SIGSEGV`.
  public var text: String {
    switch self {
    case .code(let code): "exit \(code)"
    case .signal(let number): Self.signals[number] ?? "signal \(number)"
    }
  }

  private static let signals: [Int32: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
    8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
  ]

  /// Exit codes EX_USAGE and EX_CONFIG of sysexits.h: a restart would fail in the same way.
  static let permanentFailures: Set<Int32> = [64, 78]

  /// Whether it is the kind of end that SIGTERM or SIGINT requests.
  var isOrderly: Bool {
    switch self {
    case .code(let code): [0, 130, 143].contains(code)
    case .signal(let number): [2, 15].contains(number)
    }
  }
}

/// The state of a process.
public enum NodePhase: Hashable, Sendable {
  /// Waits for other nodes.
  case pending
  case starting(sinceS: Double)
  case ready(sinceS: Double)
  /// Ended by the supervisor for a reason; will be started again.
  case ending(sinceS: Double, isKilled: Bool)
  /// Waits for its next start after a failure.
  case backoff(untilS: Double)
  /// Ordered to stop: with the stack, in favour of another process, or on request.
  case stopping(sinceS: Double, isKilled: Bool)
  /// Another process has replaced it, and it may end by itself.
  case leaving(sinceS: Double)
  /// Stopped on request, until it is started on request.
  case stopped
  /// Ended as intended.
  case exited
  /// Failed permanently.
  case failed(String)

  /// Whether a process exists.
  public var isLive: Bool {
    switch self {
    case .starting, .ready, .ending, .stopping, .leaving: true
    case .pending, .backoff, .stopped, .exited, .failed: false
    }
  }

  public var word: String {
    switch self {
    case .pending: "pending"
    case .starting: "starting"
    case .ready: "ready"
    case .ending: "ending"
    case .backoff: "backoff"
    case .stopping: "stopping"
    case .leaving: "leaving"
    case .stopped: "stopped"
    case .exited: "exited"
    case .failed: "failed"
    }
  }
}

/// The supervisor's state of a process.
public struct SupervisedProcess: Hashable, Sendable {
  public enum Role: String, Hashable, Sendable {
    /// Part of the stack; restarted when it dies.
    case member
    /// Waits to replace a member; not restarted when it ends.
    case standby
    /// Was replaced, or has handed over its vehicles; not restarted when it ends.
    case retired
  }

  /// The next step after a requested end.
  enum Next: Hashable, Sendable {
    case restart
    case stop
  }

  /// How it is replaced by another process.
  struct Departure: Hashable, Sendable {
    /// Whether it has started to end by itself (STOPPING=1), and only finishes its current work.
    var isFinishing = false
    /// Whether its orderly end means that another process has replaced it.
    var isAllowed = false
    /// Whether it died while another process was about to replace it.
    var hasDied = false
  }

  /// Its earlier runs.
  public struct History: Hashable, Sendable {
    public internal(set) var restarts = 0
    public internal(set) var lastEnd: String?
    /// Time of the last end, in seconds of the supervisor's clock.
    public internal(set) var lastEndS: Double?
    /// Whether the last end was a requested stop or restart.
    public internal(set) var wasAskedToEnd = false
    /// Seconds of all its runs before the present one.
    var pastS = 0.0
  }

  public internal(set) var name: String
  /// The node of the file that the process is, or is a replica of.
  public let node: String
  public let policy: NodePolicy
  public let isRequired: Bool
  public internal(set) var role: Role
  let follows: Bool
  var next: Next?
  var departure = Departure()
  public internal(set) var phase = NodePhase.pending
  public internal(set) var hasBeenReady = false
  public internal(set) var history = History()
  var startedS = 0.0
  var lastHeartbeatS = 0.0
  /// The reason why the supervisor ends it; nil if it ends by itself.
  var cause: String?
  var backoff = RestartBackoff()

  init(
    name: String, node: String, policy: NodePolicy, isRequired: Bool, follows: Bool = false,
    role: Role = .member
  ) {
    self.name = name
    self.node = node
    self.policy = policy
    self.isRequired = isRequired
    self.follows = follows
    self.role = role
  }

  /// Whether its orderly end means that another process has replaced it.
  package var mayLeave: Bool { departure.isAllowed }

  public var isReady: Bool { if case .ready = phase { true } else { false } }

  /// Total uptime in seconds.
  public func uptimeS(atS now: Double) -> Double {
    history.pastS + (phase.isLive ? max(0, now - startedS) : 0)
  }

  /// Time between SIGABRT and SIGKILL.
  static let abortGraceS = 2.0
  /// Time for a process that was replaced to end by itself.
  ///
  /// If it is finishing, the time starts at its last heartbeat.
  static let leaveWithinS = 1.0
  /// Longest time for a process that is finishing: it may still answer requests.
  static let longestLeaveS = 60.0

  /// Time of the next action if nothing happens before; nil for never.
  var deadlineS: Double? {
    switch phase {
    case .starting(let since): since + policy.readyWithinS
    case .ready: policy.watchdogS.map { lastHeartbeatS + $0 }
    case .ending(let since, isKilled: false): since + Self.abortGraceS
    case .stopping(let since, isKilled: false): since + policy.stopWithinS
    case .leaving(let since):
      departure.isFinishing
        ? min(since + Self.longestLeaveS, max(since, lastHeartbeatS) + Self.leaveWithinS)
        : since + Self.leaveWithinS
    case .backoff(let until): until
    case .pending, .ending, .stopping, .stopped, .exited, .failed: nil
    }
  }

  /// Records a failure; returns the seconds until the next start, or nil for a crash loop.
  mutating func backoffS(
    atS now: Double, using generator: inout some RandomNumberGenerator
  ) -> Double? {
    backoff.waitS(policy, readyS: readyS(atS: now), atS: now, using: &generator)
  }

  /// Resets the failure count of a node that has been ready for long enough.
  mutating func forgive(atS now: Double) {
    guard let readyS = readyS(atS: now), readyS >= RestartBackoff.forgivenessS else { return }
    backoff = RestartBackoff()
  }

  /// Seconds for which it has been ready; nil if it is not ready.
  private func readyS(atS now: Double) -> Double? {
    guard case .ready(let since) = phase else { return nil }
    return now - since
  }

  /// Whether it has ended and will not be started again.
  var isDone: Bool {
    switch phase {
    case .exited, .failed: true
    case .pending, .starting, .ready, .ending, .backoff, .stopping, .leaving, .stopped: false
    }
  }
}

extension SupervisedProcess {
  init(_ process: String, of node: NodeSettings, role: Role = .member) {
    self.init(
      name: process, node: node.name.value, policy: node.policy, isRequired: node.isRequired,
      follows: node.follows, role: role)
  }
}
