import Fuzzing
import Messages

/// The payloads of every topic, request and reply.
struct PayloadTarget: FuzzTarget {
  static let name = "payloads"
  static let about = "every schema of the contract: read, written, read again"

  private typealias Probe = ([UInt8]) -> Result<String, Broken>

  /// One for each type.
  private var probes: [Probe] = []
  /// The example of each type.
  private var examples: [[UInt8]] = []

  init(_ corpus: Corpus) throws {
    for topic in Topics.all { try add(topic.message, corpus.example(topic.schema)) }
    for call in Calls.all {
      try add(call.request, corpus.example(call.request.schema))
      try add(call.reply, corpus.example(call.reply.schema))
    }
  }

  private mutating func add<T: StructMessage>(_ type: T.Type, _ example: [UInt8]) throws {
    guard !example.isEmpty else { throw Broken("\(T.self) has no example") }
    probes.append { Self.probe(T.self, $0) }
    examples.append(example)
  }

  /// Number of the type, and the payload.
  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    let index = dice.below(probes.count)
    var bytes = examples[index]
    WireMutation.spoil(&bytes, with: examples, &dice)
    return [[UInt8(truncatingIfNeeded: index)], bytes]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    guard input.count == 2, let index = input[0].first, Int(index) < probes.count else {
      return "none"
    }
    return try probes[Int(index)](input[1]).get()
  }

  private static func probe<T: StructMessage>(
    _ type: T.Type, _ bytes: [UInt8]
  ) -> Result<String, Broken> {
    let value: T
    do throws(DecodeError) {
      value = try T(decoding: bytes)
    } catch {
      return Result { () throws(Broken) in try outcome(of: error, bytes) }
    }
    let written = value.encoded()
    do throws(DecodeError) {
      let again = try T(decoding: written)
      guard again == value else { return broken("\(T.self) reads another value than it wrote") }
      guard again.encoded() == written else { return broken("\(T.self) writes in two ways") }
      return .success("decoded")
    } catch {
      return broken("\(T.self) does not read what it wrote: \(error.message)")
    }
  }

  private static func broken(_ text: String) -> Result<String, Broken> { .failure(Broken(text)) }
}
