import BusProtocol
import Dispatch
import Glibc
import Synchronization
import ZMQ

/// Writes the last values of all states to a file, on its own thread.
///
/// The file is rewritten after a change, at most four times a second. Writing takes at most a twentieth of the time, so
/// a large file is written less often.
final class StateFileWriter: Sendable {
  static let shortestPauseMS: Int64 = 250
  /// Factor of the last write's duration for which the thread then pauses.
  static let pauseFactor: Int64 = 20

  private struct State {
    var changes: [Frame] = []
    var isStopping = false
  }

  private let state = Mutex(State())
  private let bell: ThreadWaker
  /// Signalled once, when the thread is to end.
  private let stopping = DispatchSemaphore(value: 0)
  private let path: String
  private let thread = Mutex<OSThread?>(nil)

  init(_ path: String, kept: [Frame]) throws(BusError) {
    self.path = path
    bell = try ThreadWaker()
    let thread = OSThread("states") { [self] in run(kept) }
    self.thread.withLock { $0 = thread }
  }

  /// Queues changed values; linear in the list.
  func put(_ frames: [Frame]) {
    state.withLock { $0.changes += frames }
    bell.signal()
  }

  /// Ends the thread after it has written all queued values.
  func end() {
    state.withLock { $0.isStopping = true }
    stopping.signal()
    bell.signal()
    thread.withLock { $0.take() }?.join()
  }

  private func run(_ kept: [Frame]) {
    var values: [String: [String: Frame]] = [:]
    func keep(_ frames: [Frame]) {
      for frame in frames {
        let key = frame.header.key ?? ""
        if !frame.payload.isEmpty {
          values[frame.topic, default: [:]][key] = frame
        } else {
          values[frame.topic]?[key] = nil
          if values[frame.topic]?.isEmpty == true { values[frame.topic] = nil }
        }
      }
    }
    keep(kept)
    while true {
      var item = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&item, 1, -1)
      bell.drain()
      let (changes, isStopping) = state.withLock { state in
        defer { state.changes = [] }
        return (state.changes, state.isStopping)
      }
      let begin = MonotonicTime.now
      if !changes.isEmpty {
        keep(changes)
        let frames = values.values.flatMap(\.values)
        let isSmall = frames.reduce(0) { $0 + $1.payload.count + 256 } < StateFile.maximumBytes
        if !isSmall || !StateFile.write(StateFile.encoded(frames), to: path) { failures.add() }
      }
      if isStopping { return }
      let tookMS = MonotonicTime.now.milliseconds(since: begin)
      pause(max(Self.shortestPauseMS, Self.pauseFactor * tookMS))
    }
  }

  /// Writes that failed, or would have been too large.
  let failures = AtomicCount()

  /// Waits so many milliseconds, or until `end` is called.
  private func pause(_ ms: Int64) {
    _ = stopping.wait(timeout: .now() + .milliseconds(Int(ms)))
  }
}

/// A counter that several threads may increment.
final class AtomicCount: Sendable {
  private let count = Atomic<UInt64>(0)

  var value: UInt64 { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}
