public import ArgumentParser
import Foundation

/// The command line of a fuzzer; each program of this folder brings its targets.
public struct FuzzOptions: ParsableArguments {
  @Option(help: "Targets, apart by commas; all where it is missing.") var target: String?
  @Option(help: "Inputs for each target.") var inputs: UInt64 = 100_000
  @Option(help: "Seed: the same one makes the same inputs.") var seed: UInt64 = 1
  @Option(help: "First input.") var from: UInt64 = 0
  @Option(help: "Folder for inputs that were found.") var finds = ".cache/fuzz"
  @Option(help: "Root of the source tree, for the examples.") var root = "."
  @Option(help: "Seconds for one input before it counts as a hang.") var patience = 60.0
  @Option(help: "Runs one input that was found, and nothing else.") var file: String?
  @Option(help: "Lets libFuzzer make the inputs; its options, apart by spaces.") var guide: String?
  @Flag(help: .hidden) var worker = false

  public init() {}

  /// Runs the chosen ones of `targets`.
  ///
  /// - Throws: `ExitCode` where something was found.
  public func run(_ targets: [any FuzzTarget.Type]) throws {
    let names = target.map { $0.split(separator: ",").map(String.init) }
    let chosen = targets.filter { names?.contains($0.name) ?? true }
    guard chosen.count == names?.count ?? targets.count else {
      let list = targets.map { "  \($0.name): \($0.about)" }.joined(separator: "\n")
      throw ValidationError("the targets are\n\(list)")
    }
    let corpus = try Corpus(root: URL(fileURLWithPath: root))
    if worker, let type = chosen.first {
      return try FuzzWorker(seed: seed, from: from, inputs: inputs).run(type, corpus)
    }
    if let guide {
      guard chosen.count == 1, let type = chosen.first else {
        throw ValidationError("--guide needs one --target")
      }
      let words = guide.split(separator: " ").map(String.init)
      throw ExitCode(try GuidedFuzzing.run(type, corpus, words: words, seed: seed))
    }
    if let file, let type = chosen.first {
      guard chosen.count == 1 else { throw ValidationError("--file needs one --target") }
      return try FuzzWorker.replay(try InputFile.read(file), type, corpus)
    }
    var finds = 0
    for type in chosen { finds += try FuzzWatch(self, type).run(corpus) }
    guard finds == 0 else {
      print("\(finds) finds")
      throw ExitCode(1)
    }
  }
}

/// One input as a file: a list of byte strings, which is a piece of MessagePack.
enum InputFile {
  static func write(_ input: [[UInt8]], to path: String) throws {
    var bytes: [UInt8] = [0xdd] + bigEndian(input.count)
    for part in input { bytes += [0xc6] + bigEndian(part.count) + part }
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  static func read(_ path: String) throws -> [[UInt8]] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var offset = 5
    var parts: [[UInt8]] = []
    while offset + 5 <= bytes.count {
      let length = bytes[(offset + 1)..<(offset + 5)].reduce(0) { $0 << 8 | Int($1) }
      guard offset + 5 + length <= bytes.count else {
        throw ValidationError("\(path) ends within a part")
      }
      parts.append(Array(bytes[(offset + 5)..<(offset + 5 + length)]))
      offset += 5 + length
    }
    return parts
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * (3 - $0))) }
  }
}
