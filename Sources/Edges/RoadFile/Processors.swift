import Dispatch

/// Access to the machine's processors, for pure modules that divide their work and own no threads.
public enum Processors {
  /// Runs `body` for each number below `count` on all processors; returns when all are done.
  public static func inParallel(_ count: Int, _ body: @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: count) { body($0) }
  }

  /// Runs `body` soon on a system thread; returns immediately.
  public static func later(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: body)
  }
}
