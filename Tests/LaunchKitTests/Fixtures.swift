import Foundation
import LaunchKit
import Stage
import Testing

/// A folder of its own with a stack in it, and the programs that were built beside the tests.
final class Ground {
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
final class Launched {
  let process = Process()
  private let output = Pipe()
  private(set) var lines: [String] = []
  private var rest: [UInt8] = []
  private var hasEnded = false

  init(_ ground: Ground, _ arguments: String...) throws {
    process.executableURL = URL(fileURLWithPath: Ground.products + "/navlaunch")
    process.arguments = arguments
    process.environment = ground.environment
    process.currentDirectoryURL = URL(fileURLWithPath: ground.folder)
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let descriptor = output.fileHandleForReading.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Waits for the `count`-th line that contains `text`; nil when the launcher ends or half a minute passes.
  @discardableResult
  func line(with text: String, count: Int = 1) -> String? {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      let hasEnded = !process.isRunning
      read()
      let found = lines.filter { $0.contains(text) }
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
    while process.isRunning, ContinuousClock.now < deadline {
      read()
      wait()
    }
    read()
    return process.isRunning ? nil : process.terminationStatus
  }

  var text: String { lines.joined(separator: "\n") }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// The number after a word of a node's lines: `pid 123`.
  func number(after word: String, of node: String) -> Int32? {
    guard line(with: "| \(word) ") != nil else { return nil }
    let found = lines.last { $0.contains(" \(node) ") && $0.contains("| \(word) ") }
    return found?.split(separator: " ").last.flatMap { Int32($0) }
  }

  private func wait() {
    guard !hasEnded else {
      usleep(2_000)
      return
    }
    var item = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: 1, revents: 0)
    poll(&item, 1, 50)
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(output.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
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
