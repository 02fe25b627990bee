import Foundation

/// Does the work, in a process of its own, and tells what it does on standard output:
/// `at N` before a life's first input, `broken N text`, `slow N seconds`, and counts at the end.
struct FuzzWorker {
  var seed: UInt64
  var from: UInt64
  var inputs: UInt64

  /// Where the watcher sees how far this is.
  static let place = "NAV_FUZZ_PLACE"

  func run(_ type: any FuzzTarget.Type, _ corpus: Corpus) throws {
    try work(type, corpus)
  }

  private func work<T: FuzzTarget>(_ type: T.Type, _ corpus: Corpus) throws {
    let place = try Place(ProcessInfo.processInfo.environment[Self.place])
    var outcomes: [String: UInt64] = [:]
    var slowest = (input: from, time: Duration.zero)
    let life = T.inputsOfOneLife.map { UInt64($0) } ?? .max
    var value = try T(corpus)
    let end = from + inputs
    var input = from
    while input < end {
      if input > from, input % life == 0 {
        do { try value.end() } catch { say("broken \(input - 1) at the end: \(error.text)") }
        value = try T(corpus)
      }
      place.set(input)
      var dice = Dice(seed: seed, input: input)
      let bytes = value.make(&dice)
      let begin = ContinuousClock.now
      do throws(Broken) {
        outcomes[try value.run(bytes), default: 0] += 1
      } catch {
        outcomes["broken", default: 0] += 1
        say("broken \(input) \(error.text)")
      }
      let time = ContinuousClock.now - begin
      if time > slowest.time { slowest = (input, time) }
      input += 1
      if input % 8_192 == 0 { say(outcomes) }
    }
    do { try value.end() } catch { say("broken \(input - 1) at the end: \(error.text)") }
    say(outcomes)
    say("slow \(slowest.input) \(slowest.time / .milliseconds(1))")
  }

  private func say(_ outcomes: [String: UInt64]) {
    let counts = outcomes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    say("counts \(counts.joined(separator: " "))")
  }

  private func say(_ line: String) {
    let text = line.replacingOccurrences(of: "\n", with: " ") + "\n"
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  /// Gives one input to a value of its own.
  static func replay(_ input: [[UInt8]], _ type: any FuzzTarget.Type, _ corpus: Corpus) throws {
    var value = try type.init(corpus)
    print(try value.run(input))
    try value.end()
  }

  /// The input that a worker was at, made again.
  static func input(
    _ number: UInt64, seed: UInt64, _ type: any FuzzTarget.Type, _ corpus: Corpus
  ) throws -> [[UInt8]] {
    var value = try type.init(corpus)
    var dice = Dice(seed: seed, input: number)
    return value.make(&dice)
  }
}

/// The number of the input under way, in a file that outlives a crash.
private struct Place: ~Copyable {
  private let file: FileHandle?

  init(_ path: String?) throws {
    file = try path.map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) }
  }

  func set(_ input: UInt64) {
    guard let file else { return }
    var number = input
    withUnsafeBytes(of: &number) {
      _ = pwrite(file.fileDescriptor, $0.baseAddress, $0.count, 0)
    }
  }
}
