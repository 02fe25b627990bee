import CLinux
import Foundation
import MessagePack
public import StackFile
import Stage
import Supervision

/// Finds programs and requests their manifests.
public struct ProgramFinder: Sendable {
  /// The folders in which programs are searched for, in this order.
  public let folders: [String]

  /// `besides` is navlaunch's own folder; PATH follows.
  public init(besides folder: String?, path: String) {
    folders = (folder.map { [$0] } ?? []) + path.split(separator: ":").map(String.init)
  }

  /// The program's path; nil if it was not found.
  ///
  /// A word with `/` is a path from `base`.
  public func find(_ word: String, base: String) -> String? {
    if word.contains("/") {
      let path = word.hasPrefix("/") || base.isEmpty ? word : "\(base)/\(word)"
      return Self.isProgram(path) ? path : nil
    }
    return folders.lazy.map { "\($0)/\(word)" }.first(where: Self.isProgram)
  }

  /// The reason why `find` returns nil, with the program that was probably meant.
  public func missingReason(_ word: String, base: String) -> String {
    let isPath = word.contains("/")
    let path = word.hasPrefix("/") || base.isEmpty ? word : "\(base)/\(word)"
    if isPath, FileManager.default.fileExists(atPath: path) {
      return "\(path) is not a program: it is a folder, or not executable (chmod +x)"
    }
    let hint = suggestion(for: word, base: base).map { " (did you mean \"\($0)\"?)" } ?? ""
    return isPath
      ? "there is no program \(path)\(hint)"
      : "there is no program \"\(word)\" next to navlaunch or on PATH\(hint)"
  }

  /// The program that was probably meant: the nearest of the folder that a path names, or of navlaunch's own.
  public func suggestion(for word: String, base: String = "") -> String? {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    let name = String(parts.last ?? "")
    let prefix = parts.dropLast().map { "\($0)/" }.joined()
    if !prefix.isEmpty {
      let folder = prefix.hasPrefix("/") || base.isEmpty ? prefix : "\(base)/\(prefix)"
      if let near = Suggestion.nearest(to: name, among: Self.programs(in: folder)) {
        return prefix + near
      }
    }
    return folders.first.flatMap { folder in
      Suggestion.nearest(
        to: name, among: Self.programs(in: folder).filter { $0.hasPrefix("nav") })
    }
  }

  private static func programs(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { isProgram("\(folder)/\($0)") }
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }

  /// Time limit for a program to print its manifest; a busy machine may need seconds to start one.
  public static let describeLimitS = 30.0

  /// Requests the manifests of several programs at the same time.
  ///
  /// Returns the manifest of each of `commands` (program and words), with its faults.
  public func describe(_ commands: [[String]], folder: String = "") -> [DescribedManifest] {
    var results: [DescribedManifest?] = commands.map { _ in nil }
    // A program that prints its manifest must not report readiness to a service manager.
    let environment = ProcessInfo.processInfo.environment.filter { $0.key != "NOTIFY_SOCKET" }
    var asked: [(index: Int, child: ChildProcess, answer: [UInt8], complaint: [UInt8])] = []
    for (index, words) in commands.enumerated() {
      do {
        let child = try ChildProcess(
          words + ["--describe"], environment: environment, folder: folder)
        asked.append((index, child, [], []))
      } catch {
        results[index] = .failed(error.message)
      }
    }
    let deadlineNS = clinux_monotonic_ns() + Int64(Self.describeLimitS * 1e9)
    while !asked.isEmpty {
      let leftMS = (deadlineNS - clinux_monotonic_ns()) / 1_000_000
      let isLate = leftMS <= 0
      Self.wait(asked.flatMap(\.child.descriptors), milliseconds: Int32(max(0, min(leftMS, 1_000))))
      for position in asked.indices.reversed() {
        asked[position].answer += asked[position].child.readOutput()
        asked[position].complaint += asked[position].child.readError()
        let program = commands[asked[position].index].joined(separator: " ")
        if let end = asked[position].child.reap() {
          asked[position].answer += asked[position].child.readOutput()
          asked[position].complaint += asked[position].child.readError()
          results[asked[position].index] = Self.manifest(
            asked[position].answer, asked[position].complaint, end, program)
        } else if isLate {
          asked[position].child.signal(.kill)
          while asked[position].child.reap() == nil {
            Self.wait([asked[position].child.endDescriptor], milliseconds: 1_000)
          }
          results[asked[position].index] = .failed(
            "\(program) --describe took over \(Figures.plain(Self.describeLimitS)) s")
        } else {
          continue
        }
        asked[position].child.close()
        asked.remove(at: position)
      }
    }
    return results.map { $0 ?? .failed("its manifest was not requested") }
  }

  private static func manifest(
    _ answer: [UInt8], _ complaint: [UInt8], _ end: ProcessEnd, _ program: String
  ) -> DescribedManifest {
    let hint =
      "set manifest: FILE.json, or let the program print one (navlaunch --manifest-schema lists the keys)"
    guard end == .code(0) else {
      let last =
        String(decoding: complaint, as: UTF8.self)
        .split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
      return .failed("\(program) --describe printed no manifest (\(end.text)\(last)); \(hint)")
    }
    guard answer.contains(where: { $0 > UInt8(ascii: " ") }) else {
      return .failed("\(program) --describe printed nothing; \(hint)")
    }
    return read(String(decoding: answer, as: UTF8.self), file: "\(program) --describe")
  }

  /// Reads a manifest from a file; messages call it `name`.
  public static func manifest(file path: String, as name: String? = nil) -> DescribedManifest {
    guard let data = FileManager.default.contents(atPath: path) else {
      return .failed("there is no readable file \(path)")
    }
    guard let text = String(bytes: data, encoding: .utf8) else {
      return .failed("\(path) is not text (UTF-8)")
    }
    return read(text, file: name ?? path)
  }

  /// Reads the text of a manifest; `file` is the name of the file or command that it comes from.
  static func read(_ text: String, file: String) -> DescribedManifest {
    let described = ManifestText.read(text, file: file)
    guard described.manifest == nil, text.utf8.count <= ManifestText.maximumBytes else {
      return described
    }
    // JSON has escapes that YAML does not have.
    let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
    return manifest.map { DescribedManifest(manifest: $0) } ?? described
  }

  static func wait(_ descriptors: [Int32], milliseconds: Int32) {
    var items = descriptors.filter { $0 >= 0 }.map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // The caller retries until its deadline, so a wait that fails must take some time.
    if poll(&items, nfds_t(items.count), milliseconds) < 0, errno != EINTR { usleep(20_000) }
  }
}
