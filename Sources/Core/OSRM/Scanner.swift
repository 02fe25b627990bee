import Geodesy

/// Reads the bytes of a URL from left to right and keeps the position.
struct OSRMScanner {
  let bytes: [UInt8]
  private(set) var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { at == bytes.count }
  var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  mutating func consume(_ word: StaticString) -> Bool {
    let isHere = word.withUTF8Buffer { bytes[at...].starts(with: $0) }
    if isHere { at += word.utf8CodeUnitCount }
    return isHere
  }

  /// The text before the first of `ends`, or the rest.
  mutating func text(until ends: String) -> String {
    let start = at
    while let next, !ends.utf8.contains(next) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  /// A decimal number, with an optional exponent; nil for anything else, including `nan` and `inf`.
  mutating func number() -> Double? {
    let start = at
    _ = consume("-") || consume("+")
    let whole = digits()
    var hasDigits = whole > 0
    // Not the dot of `.json`.
    if next == 0x2E, at + 1 < bytes.count, (0x30...0x39).contains(bytes[at + 1]) {
      at += 1
      hasDigits = digits() > 0
    }
    guard hasDigits else { return nil }
    let mark = at
    if consume("e") || consume("E") {
      _ = consume("-") || consume("+")
      if digits() == 0 { at = mark }
    }
    guard at - start <= 40, let value = Double(String(decoding: bytes[start..<at], as: UTF8.self)),
      value.isFinite
    else { return nil }
    return value
  }

  /// A whole number, 0 to 2^53.
  mutating func count() -> Int? {
    let start = at
    guard digits() > 0, at - start <= 15 else { return nil }
    return Int(String(decoding: bytes[start..<at], as: UTF8.self))
  }

  mutating func bool() -> Bool? { consume("true") ? true : consume("false") ? false : nil }

  mutating func coordinate() -> Coordinate? {
    guard let longitude = number(), consume(","), let latitude = number() else { return nil }
    return Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
  }

  private mutating func digits() -> Int {
    let start = at
    while let next, (0x30...0x39).contains(next) { at += 1 }
    return at - start
  }

  /// Decodes `%2C` and similar sequences to the bytes that they represent.
  ///
  /// - Throws: the position of a `%` that is not followed by two hexadecimal digits.
  static func decoded(_ target: [UInt8]) throws(OSRMFault) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(target.count)
    var at = 0
    while at < target.count {
      guard target[at] == 0x25 else {
        bytes.append(target[at])
        at += 1
        continue
      }
      guard at + 2 < target.count, let high = hex(target[at + 1]), let low = hex(target[at + 2])
      else {
        throw OSRMFault(.invalidUrl, "URL string malformed close to position \(at)")
      }
      bytes.append(high << 4 | low)
      at += 3
    }
    return bytes
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
