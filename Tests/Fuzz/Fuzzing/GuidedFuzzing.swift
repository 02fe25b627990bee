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
    /// Whom inputs are given to, and how long each part but the first is.
    private struct Taker {
      var target: any FuzzTarget
      var lengths: [Int]
    }

    private static let taker = Mutex<Taker?>(nil)

    @_silgen_name("LLVMFuzzerRunDriver")
    private static func drive(
      _ count: UnsafeMutablePointer<CInt>,
      _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
      _ take: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt

    /// Runs until `words`, libFuzzer's options, say that it is enough; ends the process at a find.
    static func run(
      _ type: any FuzzTarget.Type, _ corpus: Corpus, words: [String], seed: UInt64
    ) throws -> CInt {
      var target = try type.init(corpus)
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("guided-\(type.name)-\(ProcessInfo.processInfo.processIdentifier)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      var lengths: [Int] = []
      for number in 0..<seeds {
        var dice = Dice(seed: seed, input: number)
        let parts = target.make(&dice)
        lengths = parts.dropFirst().map(\.count)
        let bytes = parts.dropFirst().flatMap { $0 } + (parts.first ?? [])
        try Data(bytes).write(to: folder.appendingPathComponent("\(number)"))
      }
      let lengthsOfOthers = lengths
      try taker.withLock {
        $0 = Taker(target: try type.init(corpus), lengths: lengthsOfOthers)
      }
      var all =
        (["fuzz", folder.path, "-max_len=65536", "-seed=\(seed)"] + words).map { strdup($0) } + [
          nil
        ]
      var count = CInt(all.count - 1)
      return all.withUnsafeMutableBufferPointer { words in
        var first = words.baseAddress
        return withUnsafeMutablePointer(to: &first) { drive(&count, $0, take) }
      }
    }

    fileprivate static let take: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = {
      start, count in
      let bytes = Array(UnsafeBufferPointer(start: start, count: count))
      GuidedFuzzing.taker.withLock { taker in
        guard var taken = taker else { return }
        var rest = bytes[...]
        var parts: [[UInt8]] = []
        for length in taken.lengths {
          let part = Array(rest.prefix(length))
          parts.append(part + [UInt8](repeating: 0, count: length - part.count))
          rest = rest.dropFirst(length)
        }
        do throws(Broken) {
          _ = try taken.target.take([Array(rest)] + parts)
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
