import ArgumentParser
import Foundation
import Synchronization

/// libFuzzer instead of dice: it keeps what reaches branches that nothing reached before, and goes on from there.
///
/// Only in programs built with `-sanitize=fuzzer -DLIBFUZZER`, as `Tests/guided` does.
enum GuidedFuzzing {
  /// So many inputs of the dice are what it begins with.
  private static let seeds: UInt64 = 300

  #if LIBFUZZER
    /// Whom inputs are given to, and how many it has had in this life.
    private struct Taker {
      var target: any FuzzTarget
      let corpus: Corpus
      let form: GuidedInput
      var count = 0
    }

    private static let taker = Mutex<Taker?>(nil)

    @_silgen_name("LLVMFuzzerRunDriver")
    private static func drive(
      _ count: UnsafeMutablePointer<CInt>,
      _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
      _ take: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt

    /// Runs until `words`, libFuzzer's options, say that it is enough; ends the process at a find.
    ///
    /// Where `words` name a file that libFuzzer wrote down, that input alone is given.
    static func run(
      _ type: any FuzzTarget.Type, _ corpus: Corpus, words: [String], seed: UInt64
    ) throws -> CInt {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("guided-\(type.name)-\(ProcessInfo.processInfo.processIdentifier)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let isReplay = words.contains { !$0.hasPrefix("-") }
      var target = try type.init(corpus)
      var dice = Dice(seed: seed, input: 0)
      let form = GuidedInput(partCount: target.make(&dice).count)
      if !isReplay { try writeSeeds(&target, form, seed: seed, to: folder) }
      try taker.withLock {
        $0 = Taker(target: try type.init(corpus), corpus: corpus, form: form)
      }
      let start = ["fuzz"] + (isReplay ? [] : [folder.path])
      var all = (start + ["-max_len=65536", "-seed=\(seed)"] + words).map { strdup($0) } + [nil]
      var count = CInt(all.count - 1)
      return all.withUnsafeMutableBufferPointer { words in
        var first = words.baseAddress
        return withUnsafeMutablePointer(to: &first) { drive(&count, $0, take) }
      }
    }

    private static func writeSeeds(
      _ target: inout some FuzzTarget, _ form: GuidedInput, seed: UInt64, to folder: URL
    ) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for number in 0..<seeds {
        var dice = Dice(seed: seed, input: number)
        let parts = target.make(&dice)
        let bytes = form.bytes(of: parts)
        guard form.parts(of: bytes) == parts else {
          throw ValidationError("seed \(number) does not come back from its bytes")
        }
        try Data(bytes).write(to: folder.appendingPathComponent("\(number)"))
      }
    }

    fileprivate static let take: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = {
      start, count in
      let bytes = Array(UnsafeBufferPointer(start: start, count: count))
      GuidedFuzzing.taker.withLock { taker in
        guard var taken = taker else { return }
        do throws(Broken) {
          if let life = type(of: taken.target).inputsOfOneLife, taken.count >= life {
            try taken.target.end()
            guard let next = try? type(of: taken.target).init(taken.corpus) else {
              throw Broken("a new life does not begin")
            }
            taken = Taker(target: next, corpus: taken.corpus, form: taken.form)
          }
          taken.count += 1
          _ = try taken.target.take(taken.form.parts(of: bytes))
        } catch {
          FileHandle.standardError.write(Data("broken: \(error.text)\n".utf8))
          // libFuzzer writes down the input at which the process ended.
          abort()
        }
        taker = taken
      }
      return 0
    }
  #else
    static func run(
      _ type: any FuzzTarget.Type, _ corpus: Corpus, words: [String], seed: UInt64
    ) throws -> CInt {
      throw ValidationError("--guide needs a program with libFuzzer; Tests/guided builds it")
    }
  #endif
}

#if LIBFUZZER
  /// What libFuzzer's own main function would call; it wants the symbol even where another one runs it.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func takeGuidedInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    GuidedFuzzing.take(start, count)
  }
#endif
