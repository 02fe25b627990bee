import Dispatch
import NIOCore
import Synchronization

/// A request that waits for a worker.
struct HTTPJob: Sendable {
  var connection: NIOLoopBound<HTTPConnection>
  var head: HTTPHead
  var patience: HTTPCancellation
}

/// The worker threads of a server, and the requests that wait for one; light requests go first.
///
/// A worker takes the next request itself, so that a busy server wakes no thread for each request.
/// After some milliseconds it returns its thread, since Dispatch has only as many as processors, and
/// other work of the process waits for one.
final class HTTPWorkers: Sendable {
  private struct Queue {
    var light = CircularBuffer<HTTPJob>()
    var heavy = CircularBuffer<HTTPJob>()
    var running = 0
    var runningHeavy = 0
  }

  /// Milliseconds after which a worker returns its thread.
  private static let turnMS = 5

  private let queue = Mutex(Queue())
  private let threads = DispatchQueue(label: "navstack.http.work", attributes: .concurrent)
  private let bounds: HTTPLimits
  private let answer: @Sendable (HTTPJob) -> Void

  /// `answer` answers one request; it is called on several threads at once.
  init(_ bounds: HTTPLimits, answer: @escaping @Sendable (HTTPJob) -> Void) {
    self.bounds = bounds
    self.answer = answer
  }

  /// Whether no further request may wait.
  var isFull: Bool {
    queue.withLock { $0.light.count + $0.heavy.count >= bounds.waiting }
  }

  /// Adds a request, and starts a worker if not all of them run.
  func add(_ job: HTTPJob, isHeavy: Bool) {
    let needsWorker = queue.withLock { queue in
      if isHeavy { queue.heavy.append(job) } else { queue.light.append(job) }
      guard queue.running < bounds.workers else { return false }
      queue.running += 1
      return true
    }
    if needsWorker { threads.async { self.work(afterHeavy: false) } }
  }

  /// Answers requests for some milliseconds; then the same worker goes on after other work.
  private func work(afterHeavy: Bool) {
    let end = DispatchTime.now() + .milliseconds(Self.turnMS)
    var wasHeavy = afterHeavy
    while let (job, isHeavy) = next(afterHeavy: wasHeavy) {
      answer(job)
      wasHeavy = isHeavy
      guard .now() < end else {
        return threads.async { self.work(afterHeavy: isHeavy) }
      }
    }
  }

  /// The next request of a worker; nil if the worker is not needed any more.
  private func next(afterHeavy wasHeavy: Bool) -> (job: HTTPJob, isHeavy: Bool)? {
    queue.withLock { queue in
      if wasHeavy { queue.runningHeavy -= 1 }
      if let job = queue.light.popFirst() { return (job, false) }
      if queue.runningHeavy < bounds.heavyWorkers, let job = queue.heavy.popFirst() {
        queue.runningHeavy += 1
        return (job, true)
      }
      queue.running -= 1
      return nil
    }
  }
}
