import Dispatch
import Foundation
import Synchronization

/// Runs a target in another process, so that a crash or a hang is a find and not the end.
struct FuzzWatch {
  let options: FuzzOptions
  let type: any FuzzTarget.Type
  private let place: URL

  init(_ options: FuzzOptions, _ type: any FuzzTarget.Type) throws {
    self.options = options
    self.type = type
    place = FileManager.default.temporaryDirectory
      .appendingPathComponent("fuzz-\(type.name)-\(ProcessInfo.processInfo.processIdentifier)")
    try Data(count: 8).write(to: place)
  }

  /// Runs all inputs; gives how many finds there were.
  func run(_ corpus: Corpus) throws -> Int {
    defer { try? FileManager.default.removeItem(at: place) }
    let begin = ContinuousClock.now
    var finds = 0
    var next = options.from
    let end = options.from + options.inputs
    var totals: [String: UInt64] = [:]
    while next < end, finds < 20 {
      let ended = DispatchSemaphore(value: 0)
      let worker = try start(from: next, inputs: end - next) { ended.signal() }
      let reported = Told()
      read(worker, into: reported)
      let hangs = wait(for: worker, ended)
      reported.wait()
      for (word, count) in reported.counts { totals[word, default: 0] += count }
      for (number, text) in reported.broken {
        finds += 1
        try report("broken promise: \(text)", at: number, corpus)
      }
      guard worker.terminationStatus != 0 || worker.terminationReason == .uncaughtSignal else {
        if let slow = reported.slowest { print("\(type.name): the slowest input \(slow)") }
        break
      }
      let number = current
      finds += 1
      let how =
        hangs ? "a hang of \(options.patience) s" : "it ended with \(worker.terminationStatus)"
      try report(how, at: number, corpus)
      next = number + 1
    }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let counts = totals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let all = totals.values.reduce(0, +)
    print(
      "\(type.name): \(all) inputs in \(Int(seconds.rounded())) s, seed \(options.seed), \(finds) finds: "
        + counts.joined(separator: ", "))
    return finds
  }

  private func start(
    from: UInt64, inputs: UInt64, whenEnded: @escaping @Sendable () -> Void
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "--worker", "--target", type.name, "--seed", "\(options.seed)", "--from", "\(from)",
      "--inputs", "\(inputs)", "--root", options.root,
    ]
    var environment = ProcessInfo.processInfo.environment
    environment[FuzzWorker.place] = place.path
    // The place of a crash is enough; the command that is printed with it gives more.
    if environment["SWIFT_BACKTRACE"] == nil {
      environment["SWIFT_BACKTRACE"] =
        "threads=crashed,registers=none,images=none,limit=12,color=no"
    }
    process.environment = environment
    process.standardOutput = Pipe()
    process.terminationHandler = { _ in whenEnded() }
    try process.run()
    return process
  }

  private func read(_ worker: Process, into reported: Told) {
    guard let pipe = worker.standardOutput as? Pipe else { return }
    Thread.detachNewThread {
      var rest = Data()
      while true {
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty { break }
        rest += data
        while let end = rest.firstIndex(of: 10) {
          reported.record(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      reported.finish()
    }
  }

  /// Waits for the worker's end; true where it hung and was killed.
  private func wait(for worker: Process, _ ended: DispatchSemaphore) -> Bool {
    var last = current
    var since = ContinuousClock.now
    var reported = since
    while ended.wait(timeout: .now() + 0.1) == .timedOut {
      let now = current
      if ContinuousClock.now - reported > .seconds(10) {
        reported = .now
        print("\(type.name): at input \(now)")
      }
      if now != last {
        (last, since) = (now, .now)
      } else if ContinuousClock.now - since > .seconds(options.patience), now > options.from {
        kill(worker.processIdentifier, SIGKILL)
        ended.wait()
        return true
      }
    }
    return false
  }

  /// The input that the worker is at.
  private var current: UInt64 {
    guard let data = try? Data(contentsOf: place), data.count == 8 else { return options.from }
    return data.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }

  private func report(_ what: String, at number: UInt64, _ corpus: Corpus) throws {
    let file = "\(options.finds)/\(type.name)-\(options.seed)-\(number).bin"
    try InputFile.write(
      try FuzzWorker.input(number, seed: options.seed, type, corpus), to: file)
    let life = UInt64(type.inputsOfOneLife ?? 1)
    let first = number / life * life
    print(
      """
      FIND: \(type.name), seed \(options.seed), input \(number): \(what)
        the input is in \(file)
        again: --target \(type.name) --seed \(options.seed) --from \(first) --inputs \(number - first + 1)
      """)
  }
}

/// What a worker has told so far.
private final class Told: Sendable {
  private struct State {
    var counts: [String: UInt64] = [:]
    var broken: [(UInt64, String)] = []
    var slowest: String?
  }

  private let state = Mutex(State())
  private let finished = DispatchSemaphore(value: 0)

  var counts: [String: UInt64] { state.withLock { $0.counts } }
  var broken: [(UInt64, String)] { state.withLock { $0.broken } }
  var slowest: String? { state.withLock { $0.slowest } }

  /// Waits until the worker has no more to tell.
  func wait() { finished.wait() }
  func finish() { finished.signal() }

  func record(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch words.first {
    case "broken" where words.count == 3:
      guard let number = UInt64(words[1]) else { return }
      state.withLock { if $0.broken.count < 20 { $0.broken.append((number, words[2])) } }
    case "slow" where words.count == 3:
      state.withLock { $0.slowest = "is number \(words[1]) with \(words[2].prefix(6)) ms" }
    case "counts": record(counts: line.split(separator: " ").dropFirst().map(String.init))
    default: break
    }
  }

  private func record(counts words: [String]) {
    var counts: [String: UInt64] = [:]
    for word in words {
      let pair = word.split(separator: "=")
      if pair.count == 2, let count = UInt64(pair[1]) { counts[String(pair[0])] = count }
    }
    state.withLock { $0.counts = counts }
  }
}
