/// Reads zigzag varints from base64 text.
struct BoundaryReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  /// Decodes base64; linear.
  init(base64 text: String) throws(BoundaryFault) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for (place, character) in text.utf8.enumerated() {
      if character == UInt8(ascii: "=") { break }
      guard let value = Self.value(character) else { throw .character(byte: place) }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    self.bytes = bytes
  }

  var remaining: Int { bytes.count - position }

  private static func value(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  /// A number of at most 28 bits that is not above `limit`.
  mutating func count(limit: Int) throws(BoundaryFault) -> Int {
    var value = 0
    var shift = 0
    while true {
      guard position < bytes.count else { throw .ended(byte: position) }
      let byte = bytes[position]
      guard shift < 28 else { throw .value(byte: position, value: value) }
      value |= Int(byte & 0x7F) << shift
      shift += 7
      position += 1
      if byte < 0x80 { break }
    }
    guard value <= limit else { throw .value(byte: position - 1, value: value) }
    return value
  }

  /// `base` plus a signed difference, limited to `limit` in magnitude.
  mutating func number(after base: Int, limit: Int) throws(BoundaryFault) -> Int {
    let code = try count(limit: 1 << 28)
    let value = base + (code & 1 == 0 ? code >> 1 : -(code >> 1) - 1)
    guard value >= -limit, value <= limit else { throw .value(byte: position - 1, value: value) }
    return value
  }
}
