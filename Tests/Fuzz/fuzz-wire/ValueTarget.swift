import Fuzzing
import MessagePack

/// Any MessagePack, by the reader that knows no schema.
struct ValueTarget: FuzzTarget {
  static let name = "values"
  static let about = "any MessagePack: read, written, read again; as JSON"

  private let examples: [[UInt8]]

  init(_ corpus: Corpus) { examples = corpus.examples.map(\.bytes) }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    var bytes = dice.pick(examples)
    WireMutation.spoil(&bytes, with: examples, &dice)
    return [bytes]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let value: MessagePackValue
    do throws(DecodeError) {
      value = try MessagePackValue(decoding: input[0])
    } catch {
      return try outcome(of: error, input[0])
    }
    let written = value.encoded()
    let again = try? MessagePackValue(decoding: written)
    // NaN is not equal to itself; its bytes are.
    try promise(again?.encoded() == written, "what was written does not read as the same")
    _ = value.json()
    return "decoded"
  }
}

/// Checks that an error names its place; gives its reason.
func outcome(of error: DecodeError, _ bytes: [UInt8]) throws(Broken) -> String {
  try promise(
    (0...bytes.count).contains(error.byteOffset),
    "an error at byte \(error.byteOffset) of \(bytes.count)")
  try promise(
    error.message.contains("byte \(error.byteOffset)"),
    "an error without its place: \(error.message)")
  return error.reason.rawValue
}
