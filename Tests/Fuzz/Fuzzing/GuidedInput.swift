/// An input of several parts as the one string of bytes that libFuzzer changes, and back.
///
/// The parts one after the other, then four bytes of length for each part but the last. Any string is some input: lengths
/// that are too great end where the bytes do, so that a change of one part leaves the others what they were.
struct GuidedInput {
  /// How many parts inputs of the target have.
  var partCount: Int

  func bytes(of parts: [[UInt8]]) -> [UInt8] {
    let lengths = parts.dropLast().flatMap { part in
      (0..<4).map { UInt8(truncatingIfNeeded: part.count >> (8 * (3 - $0))) }
    }
    return parts.flatMap { $0 } + lengths
  }

  func parts(of bytes: [UInt8]) -> [[UInt8]] {
    let lengths = bytes.suffix(4 * (partCount - 1))
    var rest = bytes.dropLast(lengths.count)
    var parts: [[UInt8]] = []
    for cut in 0..<(partCount - 1) {
      let word = lengths.dropFirst(4 * cut).prefix(4)
      let length = word.reduce(0) { $0 << 8 | Int($1) }
      parts.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return parts + [Array(rest)]
  }
}
