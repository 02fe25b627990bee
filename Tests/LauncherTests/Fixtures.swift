import Foundation
import Stage
import Testing

/// A folder of its own with a stack in it, and the programs that were built beside the tests.
final class StackFolder {
  let folder: String
  let environment: [String: String]

  /// Where navlaunch and nav-bus were built.
  static let products = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (own as NSString).deletingLastPathComponent
  }()

  init() throws {
    folder = "/tmp/nav-launch-\(UInt32.random(in: .min ... .max))"
    try FileManager.default.createDirectory(
      atPath: folder + "/run", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_RUNTIME_DIR"] = folder + "/run"
    environment["XDG_STATE_HOME"] = folder + "/state"
    self.environment = environment
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  /// Writes a stack; `@NODE` stands for a drawn node, `@BUS` for a bus that only says it is there.
  @discardableResult
  func stack(_ text: String) throws -> String {
    let text = text.replacing("@NODE", with: "drawn-node")
      .replacing("@BUS", with: "bus: {run: drawn-node}")
    try write(text, to: "stack.yaml")
    return "\(folder)/stack.yaml"
  }
}

/// navlaunch as a process of its own, with its lines.
final class LauncherProcess {
  let pid: Int32
  private let output: Int32
  private(set) var lines: [String] = []
  private var rest: [UInt8] = []
  private var hasEnded = false
  private var code: Int32?

  init(_ ground: StackFolder, _ arguments: String...) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    output = ends[0]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for target in [Int32(1), 2] { posix_spawn_file_actions_adddup2(&actions, ends[1], target) }
    let words =
      (["env", "-C", ground.folder, StackFolder.products + "/navlaunch"] + arguments).map {
        strdup($0)
      }
      + [nil]
    let variables = ground.environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, "/usr/bin/env", &actions, nil, words, variables)
    close(ends[1])
    try #require(failure == 0)
    self.pid = pid
  }

  deinit {
    if isRunning() {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    close(output)
  }

  private func isRunning() -> Bool {
    guard code == nil else { return false }
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return true }
    code = status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    return false
  }

  /// Waits for the `count`-th line that contains `text`; nil when the launcher ends or half a minute passes.
  @discardableResult
  func line(with text: String, count: Int = 1) -> String? {
    line(count: count) { $0.contains(text) }
  }

  private func line(count: Int = 1, where isWanted: (String) -> Bool) -> String? {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      let hasEnded = !isRunning()
      read()
      let found = lines.filter(isWanted)
      if found.count >= count { return found[count - 1] }
      if hasEnded { return nil }
      wait()
    }
    return nil
  }

  /// Waits for the end and gives the exit code.
  func end() -> Int32 { end(within: 30) ?? -1 }

  /// The exit code; nil while it runs after `seconds`.
  func end(within seconds: Double) -> Int32? {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while isRunning(), ContinuousClock.now < deadline {
      read()
      wait()
    }
    read()
    return code
  }

  var text: String { lines.joined(separator: "\n") }

  func signal(_ number: Int32) { kill(pid, number) }

  /// The number after a word of a node's lines: `pid 123`.
  func number(after word: String, of node: String) -> Int32? {
    func tells(_ line: String) -> Bool {
      line.contains(" \(node) ") && line.contains("| \(word) ")
    }
    // Of this node: another one may have told its own before.
    guard line(where: tells) != nil else { return nil }
    return lines.last(where: tells)?.split(separator: " ").last.flatMap { Int32($0) }
  }

  private func wait() {
    guard !hasEnded else {
      usleep(2_000)
      return
    }
    var item = pollfd(fd: output, events: 1, revents: 0)
    poll(&item, 1, 50)
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(output, &buffer, buffer.count)
      hasEnded = hasEnded || count == 0
      guard count > 0 else { return }
      for byte in buffer[..<count] {
        if byte == UInt8(ascii: "\n") {
          lines.append(String(decoding: rest, as: UTF8.self))
          rest = []
        } else {
          rest.append(byte)
        }
      }
    }
  }
}

/// Waits until something holds; false after `seconds`.
func comes(within seconds: Double = 10, _ holds: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while !holds() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(5_000)
  }
  return true
}

/// Whether a process is there and no zombie.
func isAlive(_ pid: Int32) -> Bool {
  guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
    let state = text.split(separator: ")").last?.split(separator: " ").first
  else { return false }
  return state != "Z"
}
