import CLinux
import Foundation
import Supervision

/// A child process, with its pipes; has one owner and one thread.
struct ChildProcess {
  let pid: Int32
  /// Readable when the process has ended.
  let endDescriptor: Int32
  private(set) var output: Int32
  private(set) var errors: Int32
  /// Peak memory use in bytes; known once the process has been reaped.
  private(set) var peakBytes = 0

  /// Starts `words`; their standard input ends when this process does.
  init(
    _ words: [String], environment: [String: String], folder: String,
    share: clinux_share = clinux_share()
  ) throws(LaunchError) {
    var out: [Int32] = [-1, -1]
    var err: [Int32] = [-1, -1]
    guard clinux_pipe(&out) == 0, clinux_pipe(&err) == 0 else {
      throw LaunchError("cannot create a pipe: \(String(cString: strerror(errno)))")
    }
    defer {
      Glibc.close(out[1])
      Glibc.close(err[1])
    }
    // The write ends belong to the child, which expects blocking writes.
    for end in [out[1], err[1]] { _ = fcntl(end, F_SETFL, 0) }
    let arguments = words.map { strdup($0) } + [nil]
    let variables =
      environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    let files = [LifeLine.descriptor, out[1], err[1]]
    var share = share
    let pid = clinux_spawn(words.first ?? "", arguments, variables, folder, files, &share)
    guard pid > 0 else {
      let reason = String(cString: strerror(errno))
      Glibc.close(out[0])
      Glibc.close(err[0])
      throw LaunchError("\(words.first ?? "") cannot be started: \(reason)")
    }
    self.pid = pid
    endDescriptor = clinux_pidfd(pid)
    output = out[0]
    errors = err[0]
  }

  var descriptors: [Int32] { [endDescriptor, output, errors] }

  /// Available standard output; the pipe is closed at its end.
  mutating func readOutput() -> [UInt8] { Self.read(&output) }
  mutating func readError() -> [UInt8] { Self.read(&errors) }

  func signal(_ signal: Supervisor.StopSignal) {
    switch signal {
    case .terminate: _ = clinux_signal(pid, SIGTERM, 0)
    case .abort: _ = clinux_signal(pid, SIGABRT, 0)
    case .kill: _ = clinux_signal(pid, SIGKILL, 1)
    }
  }

  /// Returns how the process ended, once; nil while it runs.
  ///
  /// The remaining processes of its group are killed.
  mutating func reap() -> ProcessEnd? {
    var end = clinux_end()
    let result = clinux_reap(pid, &end)
    guard result != 0 else { return nil }
    guard result > 0 else { return .code(127) }
    peakBytes = Int(end.peak_bytes)
    return end.is_signal != 0 ? .signal(end.value) : .code(end.value)
  }

  func close() {
    for descriptor in descriptors where descriptor >= 0 { Glibc.close(descriptor) }
  }

  private static func read(_ descriptor: inout Int32) -> [UInt8] {
    guard descriptor >= 0 else { return [] }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while all.count < 1 << 20 {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        all += buffer[..<count]
      } else if count < 0, errno == EINTR {
        continue
      } else {
        if count == 0 || errno != EAGAIN {
          Glibc.close(descriptor)
          descriptor = -1
        }
        break
      }
    }
    return all
  }
}

/// The standard input of all children.
///
/// It is a pipe that never contains data and that closes with the launcher, however the launcher
/// ends.
enum LifeLine {
  static let descriptor: Int32 = {
    var files: [Int32] = [-1, -1]
    guard clinux_pipe(&files) == 0 else { return open("/dev/null", O_RDONLY | O_CLOEXEC) }
    // Children that read their input must block, not spin.
    _ = fcntl(files[0], F_SETFL, 0)
    return files[0]
  }()
}
