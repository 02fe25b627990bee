import CLinux
import Foundation
import StackFile

/// The reason why a stack cannot start, as a sentence.
public struct LaunchError: Error, Hashable, Sendable, CustomStringConvertible {
  public var message: String
  public init(_ message: String) { self.message = message }
  public var description: String { message }
}

/// A stack's private folder while it runs: sockets, parameters, its lock, its address.
///
/// `$XDG_RUNTIME_DIR/navstack/<stack>`, or `navstack-<uid>/<stack>` in the temporary directory.
public struct RunDirectory: Sendable {
  public let path: String
  /// Holds the lock; the kernel releases it when the last process that has it ends.
  let lock: Int32

  /// The locked file, which contains the launcher's process number.
  static let lockName = "launch.lock"

  /// The folder of all of a user's stacks.
  public static func root(_ environment: [String: String]) -> String {
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      return "\(runtime)/navstack"
    }
    let temporary = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let trimmed =
      temporary.count > 1 && temporary.hasSuffix("/") ? temporary.dropLast() : temporary[...]
    return "\(trimmed)/navstack-\(getuid())"
  }

  /// Creates the folder of a stack, and removes the leftovers of a launcher that was killed.
  ///
  /// - Throws: `LaunchError` if the stack already runs, or the folder is not private.
  public init(stack: String, environment: [String: String]) throws(LaunchError) {
    let root = Self.root(environment)
    let path = "\(root)/\(stack)"
    let longest = "\(path)/notify/99999"
    guard longest.utf8.count <= 107 else {
      throw LaunchError(
        "the socket \(longest) has \(longest.utf8.count) bytes, the maximum is 107: "
          + "set XDG_RUNTIME_DIR to a shorter path, or shorten the stack's name")
    }
    for folder in [root, path] { try Self.makePrivate(folder) }
    lock = try Self.lock(path, stack)
    self.path = path
    clear(keeping: [Self.lockName])
    for folder in ["notify", "params"] { try Self.makePrivate("\(path)/\(folder)") }
    try write("\(getpid())\n", to: Self.lockName)
  }

  public func notifyPath(_ number: Int) -> String { "\(path)/notify/\(number)" }
  public func parametersPath(_ node: String) -> String { "\(path)/params/\(node).json" }

  /// Writes a file of the folder under a temporary name, and renames it.
  public func write(_ text: String, to name: String) throws(LaunchError) {
    let target = "\(path)/\(name)"
    do {
      if name == Self.lockName {
        // The lock belongs to the file itself, so the file is not replaced.
        try Data(text.utf8).write(to: URL(fileURLWithPath: target))
      } else {
        try Data(text.utf8).write(to: URL(fileURLWithPath: target), options: .atomic)
      }
    } catch {
      throw LaunchError("\(target) cannot be written: \(error.localizedDescription)")
    }
  }

  /// Removes the folder and its contents.
  public func remove() {
    _ = clinux_remove_tree(path)
    close(lock)
    // Fails as intended while another stack has its folder there.
    rmdir((path as NSString).deletingLastPathComponent)
  }

  /// The running stacks of this user by name, with their bus addresses, for tools.
  public static func running(
    _ environment: [String: String]? = nil
  ) -> [(stack: String, address: String)] {
    let root = root(environment ?? ProcessInfo.processInfo.environment)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return names.sorted().compactMap { name in
      let lock = clinux_lock_file("\(root)/\(name)/\(lockName)")
      guard lock < 0 else {
        close(lock)
        return nil
      }
      guard let text = try? String(contentsOfFile: "\(root)/\(name)/address", encoding: .utf8)
      else { return nil }
      return (name, Quantity.trimmed(text))
    }
  }

  private func clear(keeping kept: Set<String>) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    where !kept.contains(name) {
      _ = clinux_remove_tree("\(path)/\(name)")
    }
  }

  private static func makePrivate(_ folder: String) throws(LaunchError) {
    do {
      try FileManager.default.createDirectory(
        atPath: (folder as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    } catch {
      throw LaunchError("\(folder) cannot be created: \(error.localizedDescription)")
    }
    if mkdir(folder, 0o700) != 0, errno != EEXIST {
      throw LaunchError("\(folder) cannot be created: \(String(cString: strerror(errno)))")
    }
    var info = stat()
    guard lstat(folder, &info) == 0, info.st_mode & S_IFMT == S_IFDIR, info.st_uid == getuid()
    else { throw LaunchError("\(folder) must be a folder owned by the current user; remove it") }
    guard info.st_mode & 0o077 == 0 else {
      throw LaunchError("\(folder) is open to other users: chmod 700 \(folder)")
    }
  }

  /// Time for which a start waits for the guard of a launcher that was killed.
  private static let patienceS = 5.0

  private static func lock(_ path: String, _ stack: String) throws(LaunchError) -> Int32 {
    let deadlineNS = clinux_monotonic_ns() + Int64(patienceS * 1e9)
    while true {
      let descriptor = clinux_lock_file("\(path)/\(lockName)")
      if descriptor >= 0 {
        if isSame(descriptor, "\(path)/\(lockName)") { return descriptor }
        close(descriptor)
      } else if errno == ENOENT {
        try makePrivate(path)
      } else if errno != EWOULDBLOCK {
        throw LaunchError("\(path)/\(lockName): \(String(cString: strerror(errno)))")
      }
      let holder = (try? String(contentsOfFile: "\(path)/\(lockName)", encoding: .utf8))
        .flatMap { Int32(Quantity.trimmed($0)) }
      let isAlive = holder.map { kill($0, 0) == 0 } ?? false
      guard !isAlive, clinux_monotonic_ns() < deadlineNS else {
        throw LaunchError(running(stack, path, holder))
      }
      // The holder has died, and its lock is released with the last of its children; no event
      // reports this.
      usleep(20_000)
    }
  }

  private static func running(_ stack: String, _ path: String, _ holder: Int32?) -> String {
    let address =
      (try? String(contentsOfFile: "\(path)/address", encoding: .utf8))
      .map { ", bus \(Quantity.trimmed($0))" } ?? ""
    let process =
      holder.map { "process \($0)\(address): stop it with kill \($0)" } ?? "stop it first"
    return "stack \"\(stack)\" is already running (\(process), or start this one with --name OTHER)"
  }

  /// Whether the locked file is still the one at the path, and was not removed meanwhile.
  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var held = stat()
    var there = stat()
    return fstat(descriptor, &held) == 0 && stat(path, &there) == 0
      && held.st_ino == there.st_ino && held.st_dev == there.st_dev
  }
}
