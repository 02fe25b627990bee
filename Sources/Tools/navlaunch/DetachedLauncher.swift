import CLinux
import Foundation
import Glibc

/// A launcher that continues when its terminal is closed.
enum DetachedLauncher {
  /// The variable with the descriptor on which the waiting launcher is notified that all is ready.
  private static let variable = "NAV_DETACHED"

  /// Starts this program again in a separate session, and waits until its stack is ready.
  ///
  /// `name` is used for the name of its log file. Returns the exit code: 0 once all is ready, the
  /// launcher's own if it ends before that.
  static func start(besides name: String) -> Int32 {
    let stem = ((name as NSString).lastPathComponent as NSString).deletingPathExtension
    guard let log = logPath(stem) else { return 1 }
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { return fail("cannot create a pipe: \(errno)") }
    _ = fcntl(ends[0], F_SETFL, 0)
    guard let child = spawn(log, ends[1]) else { return fail("navlaunch cannot be started again") }
    close(ends[1])
    var word: UInt8 = 0
    var count = 0
    repeat { count = read(ends[0], &word, 1) } while count < 0 && errno == EINTR
    guard count == 1 else { return code(of: child, log) }
    print("the stack is ready; its output is in \(log), and kill \(child) stops it")
    return 0
  }

  /// Called by the background launcher when all is ready.
  static func reportReady() {
    guard let text = ProcessInfo.processInfo.environment[variable], let descriptor = Int32(text)
    else { return }
    var word: UInt8 = 1
    _ = write(descriptor, &word, 1)
    close(descriptor)
  }

  /// The environment for a stack, without the variables between the two launchers.
  static func environment() -> [String: String] {
    ProcessInfo.processInfo.environment.filter { $0.key != variable }
  }

  private static func logPath(_ stem: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    let state =
      environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? "\(NSHomeDirectory())/.local/state"
    do {
      try FileManager.default.createDirectory(
        atPath: "\(state)/navstack", withIntermediateDirectories: true)
    } catch {
      _ = fail("\(state)/navstack cannot be created: \(error.localizedDescription)")
      return nil
    }
    return "\(state)/navstack/\(stem).log"
  }

  /// POSIX_SPAWN_SETSID, which Swift does not import.
  private static let sessionFlag: Int16 = 0x80

  private static func spawn(_ log: String, _ ready: Int32) -> pid_t? {
    let arguments = CommandLine.arguments.filter { $0 != "--detach" }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    posix_spawn_file_actions_adddup2(&actions, ready, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, sessionFlag)
    var environment = ProcessInfo.processInfo.environment
    environment[variable] = "3"
    let words = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid = pid_t()
    let failure = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, words, variables)
    return failure == 0 ? pid : nil
  }

  /// Handles the end of the background launcher: its lines are shown, and its code is returned.
  private static func code(of child: pid_t, _ log: String) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if let lines = try? String(contentsOfFile: log, encoding: .utf8) {
      try? FileHandle.standardError.write(contentsOf: Data(lines.utf8))
    }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  private static func fail(_ text: String) -> Int32 {
    try? FileHandle.standardError.write(contentsOf: Data("navlaunch: \(text)\n".utf8))
    return 1
  }
}
