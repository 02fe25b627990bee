import CLinux
import Foundation
import Foundations
public import StackFile
import Stage
import Supervision

/// A stack file that has been read and checked against its programs, ready to be started.
public struct Launch: Sendable {
  /// The name of the file as given, for messages.
  public let file: String
  /// nil if there is no stack because of the problems.
  public internal(set) var stack: CheckedStack?
  public internal(set) var problems: [StackProblem]
  public internal(set) var options: StackRunner.Options
  /// The folder in which programs are searched for first.
  let besides: String?
  /// Path of the stack's own map; nil if it has none.
  public private(set) var map: Located<String>?

  /// Reads and checks `file`; `besides` is the folder in which its programs are searched for first.
  public init(
    file: String, overrides: StackOverrides = StackOverrides(), name: String? = nil,
    besides: String?, environment: [String: String]
  ) {
    self.file = file
    self.besides = besides
    let path =
      file.hasPrefix("/") ? file : FileManager.default.currentDirectoryPath + "/" + file
    let folder = (path as NSString).deletingLastPathComponent
    let programs = ProgramFinder(besides: besides, path: environment["PATH"] ?? "")
    options = StackRunner.Options(
      programs: [:], search: programs, folder: folder, environment: environment)
    options.file = path
    problems = []
    guard let data = FileManager.default.contents(atPath: path) else {
      problems = [StackProblem("the file cannot be read")]
      return
    }
    guard let text = String(bytes: data, encoding: .utf8) else {
      problems = [StackProblem("the file is not text (UTF-8)")]
      return
    }
    let (parsed, found) = StackFile.parse(text, environment: environment)
    problems = found
    guard var parsed else { return }
    problems += overrides.apply(to: &parsed)
    if let name, let problem = parsed.rename(name) { problems.append(problem) }
    check(parsed, overrides, programs)
  }

  /// One line `file:line:column: error: …` per problem, in the order of the file, and their number.
  public var report: [String] {
    var lines = problems.inOrder.map { $0.text(file: file) }
    let errors = problems.count { $0.severity == .error }
    if errors > 0 {
      lines.append("\(errors == 1 ? "1 error" : "\(errors) errors"); nothing was started.")
    }
    return lines
  }

  private mutating func check(
    _ stack: StackFile, _ overrides: StackOverrides, _ programs: ProgramFinder
  ) {
    var stack = stack
    checkBus(stack)
    linkRegions(&stack)
    checkMap(stack)
    checkShares(stack)
    checkLog(stack)
    let manifests = manifests(of: stack, programs)
    let (checked, found) = StackCheck.check(
      stack, manifests: manifests, leftOut: overrides.leftOut(of: stack), folder: options.folder,
      environment: options.environment)
    problems += found
    self.stack = checked
  }

  private mutating func checkBus(_ stack: StackFile) {
    let listen = stack.bus.listen
    guard listen.value != "ipc" else { return }
    guard listen.value.hasPrefix("tcp://") else {
      report(
        "expected ipc or tcp://host:port, found \"\(listen.value)\"", "bus.listen", listen.place)
      return
    }
    guard stack.bus.isInsecureAllowed else {
      report(
        "tcp is open to every host that can reach it, and keys are not supported yet: use ipc, or add "
          + "insecure: yes to bus", "bus.listen", listen.place)
      return
    }
  }

  /// Checks whether this machine can provide the resources that nodes request.
  private mutating func checkShares(_ stack: StackFile) {
    let last = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_CONF)))) - 1
    let least = Int(clinux_least_niceness())
    for node in stack.nodes {
      let path = "nodes.\(node.name.value)"
      for range in node.policy.processors where range.value.upperBound > last {
        report(
          "there is no processor \(range.value.upperBound): this machine has 0 to \(last)",
          "\(path).cpus", range.place)
      }
      if let niceness = node.policy.niceness, niceness.value < least {
        report(
          "\(niceness.value) needs the right to raise priorities; the lowest value for this user is \(least)",
          "\(path).nice", niceness.place)
      }
    }
  }

  /// Checks that the log file can be written.
  ///
  /// A log that is lost silently would be missed only when it is needed.
  private mutating func checkLog(_ stack: StackFile) {
    guard let file = stack.log.file else { return }
    let path = StackLog.path(of: file.value, folder: options.folder)
    guard let why = StackLog.writeFailureReason(path) else { return }
    report("\(path) cannot be written: \(why)", "log.to", file.place)
  }

  private mutating func checkMap(_ stack: StackFile) {
    guard let map = stack.map else { return }
    let reading = ParameterReading(folder: options.folder, environment: options.environment)
    guard case .success(let path) = reading.expand(map.value).map(reading.absolute) else { return }
    guard FileManager.default.fileExists(atPath: path) else {
      return report("there is no file \(path)", "map", map.place)
    }
    self.map = Located(path, at: map.place)
  }

  private mutating func report(_ message: String, _ path: String, _ place: Place) {
    problems.append(StackProblem(message, path: path, at: place))
  }

  /// Finds all programs, and requests a manifest from those without a separate one.
  private mutating func manifests(
    of stack: StackFile, _ programs: ProgramFinder
  ) -> [String: Manifest] {
    var manifests: [String: Manifest] = [:]
    var asked: [(name: String, words: [String], path: String, place: Place)] = []
    let bus = CommandWords.split(stack.bus.run.value) ?? []
    let all =
      [(Supervisor.bus, bus, stack.bus.run.place, nil)]
      + stack.nodes.map { ($0.name.value, $0.run.value, $0.run.place, $0.manifest) }
    for (name, words, place, file) in all {
      let path = name == Supervisor.bus ? "bus.run" : "nodes.\(name).run"
      guard let word = words.first, let program = programs.find(word, base: options.folder) else {
        report(programs.missingReason(words.first ?? "", base: options.folder), path, place)
        continue
      }
      options.programs[name] = program
      if let file {
        let absolute = file.value.hasPrefix("/") ? file.value : "\(options.folder)/\(file.value)"
        let described = ProgramFinder.manifest(file: absolute, as: pathFromStackFile(file.value))
        manifests[name] = accept(described, "nodes.\(name).manifest", file.place)
      } else {
        asked.append((name, [program] + words.dropFirst(), path, place))
      }
    }
    let answers = programs.describe(asked.map(\.words), folder: options.folder)
    for (question, answer) in zip(asked, answers) {
      manifests[question.name] = accept(answer, question.path, question.place)
    }
    return manifests
  }

  /// Reports the faults of a manifest and returns its contents.
  private mutating func accept(
    _ described: DescribedManifest, _ path: String, _ place: Place
  ) -> Manifest? {
    if let failure = described.failure { report(failure, path, place) }
    // Several nodes may use one program.
    problems += described.problems.filter { !problems.contains($0) }
    return described.manifest
  }

  /// A path of the stack file, relative to the folder of the command.
  private func pathFromStackFile(_ path: String) -> String {
    let folder = (file as NSString).deletingLastPathComponent
    return path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
  }
}

// Maps of several regions.
extension Launch {
  /// Gives nodes the maps of a list as one folder of links, which they join once and cache.
  ///
  /// It is a folder and not a joined file, so that a region that is replaced while the stack runs
  /// is noticed.
  private mutating func linkRegions(_ stack: inout StackFile) {
    guard let first = stack.shared.regions.first else { return }
    let reading = ParameterReading(folder: options.folder, environment: options.environment)
    var paths: [String] = []
    for (index, region) in stack.shared.regions.enumerated() {
      let place = "map[\(index)]"
      guard case .success(let path) = reading.expand(region.value).map(reading.absolute) else {
        report("\(region.value) names a variable that is not set", place, region.place)
        continue
      }
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        report("there is no file \(region.value)", place, region.place)
        continue
      }
      let name = (path as NSString).lastPathComponent
      guard !isFolder.boolValue, MapName.isMap(name) else {
        report(
          "\(region.value) is not a map: a list may contain .navmap and OSM files; a folder must be given alone",
          place, region.place)
        continue
      }
      paths.append(URL(fileURLWithPath: path).standardizedFileURL.path)
    }
    guard paths.count == stack.shared.regions.count else { return }
    do throws(LaunchError) {
      stack.map = Located(try linked(paths), at: first.place)
    } catch {
      report("the regions cannot be collected: \(error.message)", "map", first.place)
    }
  }

  /// The folder in the cache with links to the files in this order; the same for the same files.
  private func linked(_ paths: [String]) throws(LaunchError) -> String {
    let hash = FNV1a(paths.joined(separator: "\n").utf8).value
    let folder = cache + "/regions-" + String(hash, radix: 16)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw LaunchError("\(folder) cannot be created: \(error.localizedDescription)")
    }
    for (index, path) in paths.enumerated() {
      // Two regions may have files of the same name.
      let link = "\(folder)/\(index)-\((path as NSString).lastPathComponent)"
      guard (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != path else {
        continue
      }
      // Created under another name and renamed, because another launcher of the same regions may
      // read it meanwhile.
      let beside = "\(folder)/.\(index).\(getpid())"
      unlink(beside)
      guard symlink(path, beside) == 0 else { throw Self.failure("link", beside) }
      guard rename(beside, link) == 0 else {
        let failure = Self.failure("put a link at", link)
        unlink(beside)
        throw failure
      }
    }
    return folder
  }

  /// An operation that the system refused, with its reason.
  private static func failure(_ what: String, _ path: String) -> LaunchError {
    LaunchError("cannot \(what) \(path): \(String(cString: strerror(errno)))")
  }

  private var cache: String {
    let environment = options.environment
    if let folder = environment["XDG_CACHE_HOME"], !folder.isEmpty { return folder + "/navstack" }
    if let home = environment["HOME"], !home.isEmpty { return home + "/.cache/navstack" }
    return NSTemporaryDirectory() + "navstack-\(getuid())"
  }
}
