/// A strict reader of JSON (RFC 8259): unique keys, bounded nesting, errors with line and column.
public struct JSONReader {
  /// Deepest nesting of arrays and objects.
  public static let depthLimit = 64

  private let bytes: [UInt8]
  private var at = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value of a whole document in UTF-8, with or without a byte order mark; linear.
  public static func value(_ bytes: [UInt8]) throws(DocumentFault) -> JSONValue {
    var reader = JSONReader(bytes)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.at = 3 }
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.at == bytes.count else { throw reader.fault("unexpected text after the value") }
    return value
  }

  private func fault(_ problem: String) -> DocumentFault {
    DocumentFault(problem, at: at, of: bytes)
  }

  private mutating func value(depth: Int) throws(DocumentFault) -> JSONValue {
    guard depth <= Self.depthLimit else {
      throw fault("values are nested deeper than \(Self.depthLimit)")
    }
    skipBlanks()
    guard at < bytes.count else { throw fault("the text ends where a value is expected") }
    switch bytes[at] {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(_ depth: Int) throws(DocumentFault) -> JSONValue {
    at += 1
    var members: [String: JSONValue] = [:]
    skipBlanks()
    if consume(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipBlanks()
      guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
        throw fault("expected a key in quotes")
      }
      let start = at
      let key = try string()
      skipBlanks()
      guard consume(UInt8(ascii: ":")) else { throw fault("expected a colon after a key") }
      guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
        at = start
        throw fault("the key \"\(key.prefix(40))\" is given twice")
      }
      skipBlanks()
      if consume(UInt8(ascii: ",")) { continue }
      guard consume(UInt8(ascii: "}")) else { throw fault("expected a comma or }") }
      return .object(members)
    }
  }

  private mutating func array(_ depth: Int) throws(DocumentFault) -> JSONValue {
    at += 1
    var values: [JSONValue] = []
    skipBlanks()
    if consume(UInt8(ascii: "]")) { return .array(values) }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlanks()
      if consume(UInt8(ascii: ",")) { continue }
      guard consume(UInt8(ascii: "]")) else { throw fault("expected a comma or ]") }
      return .array(values)
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(DocumentFault) -> JSONValue {
    let length = word.utf8CodeUnitCount
    guard at + length <= bytes.count,
      (0..<length).allSatisfy({ bytes[at + $0] == word.utf8Start[$0] })
    else { throw fault("expected \(word)") }
    at += length
    return value
  }

  private mutating func number() throws(DocumentFault) -> JSONValue {
    let start = at
    _ = consume(UInt8(ascii: "-"))
    let wholeStart = at
    var isRight = digits() > 0
    // No leading zeros.
    if isRight, at - wholeStart > 1, bytes[wholeStart] == UInt8(ascii: "0") { isRight = false }
    if isRight, consume(UInt8(ascii: ".")) { isRight = digits() > 0 }
    if isRight, consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
      if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
      isRight = digits() > 0
    }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    guard isRight, let number = Double(text), number.isFinite else {
      at = start
      throw fault("this is not a JSON value")
    }
    if number.magnitude >= 0x1p53, let whole = Int64(text) { return .integer(whole) }
    return .number(number)
  }

  private mutating func digits() -> Int {
    let start = at
    while at < bytes.count, (0x30...0x39).contains(bytes[at]) { at += 1 }
    return at - start
  }

  // MARK: Strings

  private mutating func string() throws(DocumentFault) -> String {
    at += 1
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\"),
      bytes[at] >= 0x20
    {
      at += 1
    }
    if at < bytes.count, bytes[at] == UInt8(ascii: "\"") {
      at += 1
      return String(decoding: bytes[start..<(at - 1)], as: UTF8.self)
    }
    var text = Array(bytes[start..<at])
    while at < bytes.count {
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") {
        at += 1
        return String(decoding: text, as: UTF8.self)
      }
      guard byte >= 0x20 else { throw fault("a string contains a control character") }
      at += 1
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: String(try escaped()).utf8)
      } else {
        text.append(byte)
      }
    }
    throw fault("the text ends inside a string")
  }

  /// The character of an escape sequence; the backslash has been read.
  private mutating func escaped() throws(DocumentFault) -> Character {
    guard at < bytes.count else { throw fault("the text ends inside a string") }
    at += 1
    switch bytes[at - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return Character(try unicode())
    default: throw fault("a backslash before a character that must not be escaped")
    }
  }

  private mutating func unicode() throws(DocumentFault) -> Unicode.Scalar {
    let high = try unit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    // Half of a surrogate pair alone is not a character.
    guard (0xd800...0xdbff).contains(high), at + 1 < bytes.count,
      bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u")
    else { return "\u{fffd}" }
    at += 2
    let low = try unit()
    guard (0xdc00...0xdfff).contains(low) else { return "\u{fffd}" }
    return Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00)) ?? "\u{fffd}"
  }

  private mutating func unit() throws(DocumentFault) -> UInt32 {
    guard at + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[at..<(at + 4)], as: UTF8.self), radix: 16),
      bytes[at] != UInt8(ascii: "+"), bytes[at] != UInt8(ascii: "-")
    else { throw fault("expected four hexadecimal digits") }
    at += 4
    return value
  }

  // MARK: Bytes

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  private mutating func skipBlanks() {
    while at < bytes.count,
      bytes[at] == 0x20 || bytes[at] == 0x0a || bytes[at] == 0x0d || bytes[at] == 0x09
    {
      at += 1
    }
  }
}
