import Foundations
import Fuzzing
import Messages
import Stage

/// Requests of every call, to the stages that answer them.
struct CallTarget: FuzzTarget {
  static let name = "calls"
  static let about = "requests of every call, to the stage that answers it"
  static let inputsOfOneLife: Int? = 4_096

  private let benches: [any AnyBench]
  /// Every call that one of the stages answers.
  private let calls: [(bench: Int, declaration: CallDeclaration, example: [UInt8])]
  private let examples: [[UInt8]]
  private var count = 0

  init(_ corpus: Corpus) throws {
    let benches = try Benches().all
    calls = benches.enumerated().flatMap { index, bench in
      bench.manifest.serves.compactMap { name in
        Calls.declaration(of: name).map { (index, $0, corpus.example($0.request.schema)) }
      }
    }
    self.benches = benches
    examples = corpus.examples.map(\.bytes)
  }

  /// Number of the call, and the request.
  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    let number = dice.below(calls.count)
    var payload = calls[number].example
    if !dice.oneIn(8) { WireMutation.spoil(&payload, with: examples, &dice) }
    return [[UInt8(truncatingIfNeeded: number)], payload]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    guard input.count == 2, let number = input[0].first, Int(number) < calls.count else {
      return "none"
    }
    let (index, declaration, _) = calls[Int(number)]
    // As every harness does before a stage is asked.
    guard (try? declaration.request.init(decoding: input[1])) != nil else { return "invalid" }
    count += 1
    let stage = benches[index]
    let request = EncodedCall(
      id: "c\(count)", name: declaration.name,
      stamp: Instant(seconds: 1_790_000_000 + Double(count)), payload: input[1])
    let outputs: [EncodedOutput]
    do throws(Refusal) {
      outputs = try stage.handle(.call(request))
    } catch {
      try promise(!error.message.isEmpty, "\(declaration.name) is refused without a sentence")
      return "refused"
    }
    _ = try Said.check(outputs, of: stage.manifest, asked: declaration.name)
    return "answered"
  }
}
