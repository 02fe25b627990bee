import Glibc
import Synchronization

/// Keeps a file with the last values of states up to date, on a thread of its own.
///
/// The file is written anew where something changed, a few times a second and never more than one part in twenty of
/// the time: what is large is written less often.
final class StateFileWriter: Sendable {
  static let shortestPauseMS: Int64 = 250
  /// The pause is so many times what the last write took.
  static let pauseFactor: Int64 = 20

  private struct State {
    var changes: [Frame] = []
    var isStopping = false
  }

  private let state = Mutex(State())
  private let bell: WakeUp
  private let path: String
  private let thread = Mutex<OSThread?>(nil)

  init(_ path: String, kept: [Frame]) throws(BusError) {
    self.path = path
    bell = try WakeUp()
    let thread = OSThread("states") { [self] in run(kept) }
    self.thread.withLock { $0 = thread }
  }

  /// Hands changed values over; costs no more than the list.
  func put(_ frames: [Frame]) {
    state.withLock { $0.changes += frames }
    bell.signal()
  }

  /// Ends the thread; what was handed over last is written before.
  func end() {
    state.withLock { $0.isStopping = true }
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

  /// Waits, or until the end.
  private func pause(_ ms: Int64) {
    let until = MonotonicTime.now.advanced(byMS: ms)
    while MonotonicTime.now < until, !state.withLock({ $0.isStopping }) {
      usleep(UInt32(min(50, max(1, until.millisecondsLeft()))) * 1_000)
    }
  }
}

/// A number that several threads add to.
final class AtomicCount: Sendable {
  private let count = Atomic<UInt64>(0)

  var value: UInt64 { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}
