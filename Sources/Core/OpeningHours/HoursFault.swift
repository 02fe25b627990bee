/// Why a text is not valid opening hours or not a valid condition: the problem, and its byte.
public struct HoursFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var reason: String
  /// Bytes from the text's start.
  public var byte: Int

  public var description: String { "\(reason) (byte \(byte))" }
}

/// Steps through the bytes of a text.
struct HoursScanner {
  let bytes: [UInt8]
  var offset: Int
  let end: Int

  init(_ bytes: [UInt8], from: Int, to: Int) {
    self.bytes = bytes
    offset = from
    end = to
  }

  var isAtEnd: Bool { offset >= end }
  var next: UInt8? { offset < end ? bytes[offset] : nil }

  func fault(_ reason: String) -> HoursFault { HoursFault(reason: reason, byte: offset) }

  mutating func skipSpaces() { while next == UInt8(ascii: " ") { offset += 1 } }

  /// Consumes `text` if it comes next.
  mutating func consume(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard offset + count <= end else { return false }
    let isNext = text.withUTF8Buffer { buffer in
      (0..<count).allSatisfy { bytes[offset + $0] == buffer[$0] }
    }
    if isNext { offset += count }
    return isNext
  }

  /// Consumes a word if it comes next and no letter follows it.
  mutating func consumeWord(_ text: StaticString) -> Bool {
    let start = offset
    guard consume(text) else { return false }
    if let next, Self.isLetter(next) {
      offset = start
      return false
    }
    return true
  }

  /// The first of `words` that comes next.
  mutating func consumeOne(of words: [StaticString]) -> Int? {
    for (index, word) in words.enumerated() where consumeWord(word) { return index }
    return nil
  }

  /// Consumes a number of at most `digits` digits.
  mutating func consumeNumber(digits: Int) -> Int? {
    let start = offset
    var value = 0
    while let next, Self.isDigit(next), offset - start < digits {
      value = value * 10 + Int(next - UInt8(ascii: "0"))
      offset += 1
    }
    if offset == start { return nil }
    if let next, Self.isDigit(next) {
      offset = start
      return nil
    }
    return value
  }

  /// Number of digits that come next.
  var digitsAhead: Int {
    var count = 0
    while offset + count < end, Self.isDigit(bytes[offset + count]) { count += 1 }
    return count
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }
}
