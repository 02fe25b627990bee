import BusProtocol
import CLinux
import Foundation
public import ZMQ

/// Detects external reasons to end a process: SIGTERM, SIGINT, or its launcher's death.
public final class Supervision: Sendable {
  /// Readable when the process must end.
  public let stop: ThreadWaker
  private let parent: pid_t?
  /// The launcher's process; differs from the parent if a wrapper is in between.
  private let launcher: pid_t?

  /// Routes the signals (not in tests); `isSupervised` also ties the process to its parent's life.
  public init(isSupervised: Bool, routesSignals: Bool = true) throws(BusError) {
    stop = try ThreadWaker()
    if routesSignals { _ = clinux_route_stop_signals(stop.descriptor) }
    launcher =
      isSupervised
      ? ProcessInfo.processInfo.environment["NAV_LAUNCHER_PID"].flatMap { pid_t($0) } : nil
    guard isSupervised else {
      parent = nil
      return
    }
    _ = clinux_set_parent_death_signal(SIGTERM)
    parent = getppid()
    // The launcher may have died before the signal was requested.
    if isOrphaned { stop.signal() }
  }

  /// Whether the parent of this process, or the launcher that started the parent, has ended.
  public var isOrphaned: Bool {
    if let parent, parent != getppid() { return true }
    guard let launcher else { return false }
    return kill(launcher, 0) != 0 && errno == ESRCH
  }
}

/// Resource use of the process, for its status.
public struct ProcessFigures: Sendable {
  private let start: MonotonicTime
  private var lastCPU: Int64
  private var lastAt: MonotonicTime

  public init() {
    start = .now
    lastAt = start
    lastCPU = clinux_cpu_ns()
  }

  public var pid: Int64 { Int64(getpid()) }
  public var uptimeS: Double { Double(MonotonicTime.now.nanoseconds - start.nanoseconds) / 1e9 }
  public var residentBytes: UInt64 { UInt64(max(0, clinux_resident_bytes())) }

  /// CPU share of one core since the last call.
  public mutating func measureCPUFraction() -> Double {
    let now = MonotonicTime.now
    let cpu = clinux_cpu_ns()
    defer { (lastCPU, lastAt) = (cpu, now) }
    let elapsed = now.nanoseconds - lastAt.nanoseconds
    return elapsed > 0 ? max(0, Double(cpu - lastCPU) / Double(elapsed)) : 0
  }
}
