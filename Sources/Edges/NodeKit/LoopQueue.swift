import Synchronization
public import ZMQ

/// Work that other threads pass to a loop, in order.
public final class LoopQueue<Job: Sendable>: Sendable {
  public let wakeUp: ThreadWaker
  private let jobs = Mutex<[Job]>([])

  public init() throws(BusError) { wakeUp = try ThreadWaker() }

  public func post(_ job: Job) {
    jobs.withLock { $0.append(job) }
    wakeUp.signal()
  }

  /// Takes everything that was posted.
  public func drain() -> [Job] {
    wakeUp.drain()
    return jobs.withLock { jobs in
      var taken: [Job] = []
      swap(&taken, &jobs)
      return taken
    }
  }
}
