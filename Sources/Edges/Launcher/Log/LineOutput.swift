import CLinux
import Dispatch
import Foundation
import Synchronization

/// Writes lines to a descriptor on its own thread, so that a slow reader does not block the caller.
///
/// Such a reader is a stopped terminal or an unread pipe.
///
/// Lines beyond `maximumBytes` are dropped; their number is written in their place.
public final class LineOutput: Sendable {
  /// Maximum number of bytes that are buffered for a slow reader.
  public static let maximumBytes = 4 << 20

  private struct State {
    var lines: [UInt8] = []
    var dropped = 0
    var isEnding = false
  }

  private let state = Mutex(State())
  private let semaphore = DispatchSemaphore(value: 0)
  /// Signalled once, when all lines are written.
  private let ended = DispatchSemaphore(value: 0)
  private let descriptor: Int32

  public init(descriptor: Int32) {
    self.descriptor = descriptor
    Thread.detachNewThread { [self] in run() }
  }

  /// Appends a line to the buffer; never blocks.
  public func put(_ line: String) {
    let isFirst = state.withLock { state in
      guard state.lines.count + line.utf8.count < Self.maximumBytes else {
        state.dropped += 1
        return false
      }
      let isFirst = state.lines.isEmpty
      state.lines += line.utf8
      state.lines.append(UInt8(ascii: "\n"))
      return isFirst
    }
    if isFirst { semaphore.signal() }
  }

  /// Waits until everything is written, at most `seconds`.
  public func end(withinS seconds: Double) {
    state.withLock { $0.isEnding = true }
    semaphore.signal()
    _ = ended.wait(timeout: .now() + seconds)
  }

  private func run() {
    while true {
      semaphore.wait()
      while let bytes = next() { write(bytes) }
      if state.withLock({ $0.isEnding && $0.lines.isEmpty && $0.dropped == 0 }) {
        ended.signal()
        return
      }
    }
  }

  private func next() -> [UInt8]? {
    state.withLock { state in
      guard !state.lines.isEmpty || state.dropped > 0 else { return nil }
      var bytes = state.lines
      if state.dropped > 0 {
        bytes += Array("(\(state.dropped) lines were dropped here: the output was not read)\n".utf8)
      }
      state.lines = []
      state.dropped = 0
      return bytes
    }
  }

  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN || errno == EINTR {
        var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if errno == EAGAIN { _ = poll(&item, 1, 1_000) }
      } else {
        // The reader has closed its end; the stack continues.
        return
      }
    }
  }
}
