/// Reads MessagePack from borrowed bytes, checking each read against the remaining bytes.
///
/// A failed read invalidates the cursor: it returns 0 or nothing from then on, and the caller
/// checks once, at the end. It accepts and rejects exactly what `Unpacker` does, and does not
/// allocate.
struct HeaderCursor {
  private(set) var at: UnsafeRawPointer
  private let end: UnsafeRawPointer
  private(set) var isBroken = false

  private static var nothing: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: nil, count: 0)
  }
  private static let maximumDepth = 32

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return nil }
    at = start
    end = start + bytes.count
  }

  var left: Int { end - at }

  mutating func fail() {
    isBroken = true
    at = end
  }

  private mutating func byte() -> UInt8 {
    guard at < end else {
      fail()
      return 0
    }
    let byte = at.load(as: UInt8.self)
    at += 1
    return byte
  }

  /// Reads `width` bytes, 1, 2, 4 or 8, as an integer, most significant first.
  private mutating func number(_ width: Int) -> UInt64 {
    guard left >= width else {
      fail()
      return 0
    }
    defer { at += width }
    switch width {
    case 1: return UInt64(at.load(as: UInt8.self))
    case 2: return UInt64(UInt16(bigEndian: at.loadUnaligned(as: UInt16.self)))
    case 4: return UInt64(UInt32(bigEndian: at.loadUnaligned(as: UInt32.self)))
    default: return UInt64(bigEndian: at.loadUnaligned(as: UInt64.self))
    }
  }

  private mutating func bytes(_ length: UInt64) -> UnsafeRawBufferPointer {
    guard length <= UInt64(left) else {
      fail()
      return Self.nothing
    }
    defer { at += Int(length) }
    return UnsafeRawBufferPointer(start: at, count: Int(length))
  }

  /// True if the next bytes are the last `count` ones of `letters`, most significant first; then
  /// advances past them.
  ///
  /// Also false near the end, where a number would not follow.
  @inline(__always)
  mutating func consume(_ letters: UInt64, _ count: Int) -> Bool {
    guard left >= 8 else { return false }
    let bytes = UInt64(bigEndian: at.loadUnaligned(as: UInt64.self))
    guard bytes >> UInt64(64 - 8 * count) == letters else { return false }
    at += count
    return true
  }

  /// Reads the next eight bytes as a number; invalidates the cursor if there are fewer.
  @inline(__always)
  mutating func eightBytes() -> UInt64 { number(8) }

  /// True if the next value is nil; then advances past it.
  mutating func consumeNil() -> Bool {
    guard at < end, at.load(as: UInt8.self) == 0xc0 else { return false }
    at += 1
    return true
  }

  mutating func bool() -> Bool {
    let byte = byte()
    if byte & 0xfe != 0xc2 { fail() }
    return byte == 0xc3
  }

  /// Reads an integer: its bits, and whether it is below 0.
  private mutating func integer() -> (bits: UInt64, isNegative: Bool) {
    let byte = byte()
    switch byte {
    case 0...0x7f: return (UInt64(byte), false)
    case 0xe0...0xff: return (UInt64(bitPattern: Int64(Int8(bitPattern: byte))), true)
    case 0xcc...0xcf: return (number(1 << Int(byte - 0xcc)), false)
    case 0xd0...0xd3:
      let width = 1 << Int(byte - 0xd0)
      let shift = UInt64(64 - 8 * width)
      let value = Int64(bitPattern: number(width) << shift) >> Int64(shift)
      return (UInt64(bitPattern: value), value < 0)
    default:
      fail()
      return (0, false)
    }
  }

  mutating func uint() -> UInt64 {
    let (bits, isNegative) = integer()
    if isNegative { fail() }
    return bits
  }

  mutating func int() -> Int64 {
    let (bits, isNegative) = integer()
    if !isNegative, bits > UInt64(Int64.max) { fail() }
    return Int64(bitPattern: bits)
  }

  /// The bytes of a string, which may not be UTF-8.
  mutating func text() -> UnsafeRawBufferPointer {
    let byte = byte()
    switch byte {
    case 0xa0...0xbf: return bytes(UInt64(byte & 0x1f))
    case 0xd9: return bytes(number(1))
    case 0xda: return bytes(number(2))
    case 0xdb: return bytes(number(4))
    default:
      fail()
      return Self.nothing
    }
  }

  /// The bytes of a string that is UTF-8.
  mutating func string() -> UnsafeRawBufferPointer {
    let text = text()
    if !text.allSatisfy({ $0 < 0x80 }), String(validating: text, as: UTF8.self) == nil { fail() }
    return text
  }

  mutating func mapHeader() -> Int {
    let byte = byte()
    switch byte {
    case 0x80...0x8f: return checked(UInt64(byte & 0x0f), perItem: 2)
    case 0xde: return checked(number(2), perItem: 2)
    case 0xdf: return checked(number(4), perItem: 2)
    default: return checked(.max, perItem: 1)
    }
  }

  mutating func arrayHeader() -> Int {
    let byte = byte()
    switch byte {
    case 0x90...0x9f: return checked(UInt64(byte & 0x0f), perItem: 1)
    case 0xdc: return checked(number(2), perItem: 1)
    case 0xdd: return checked(number(4), perItem: 1)
    default: return checked(.max, perItem: 1)
    }
  }

  private mutating func checked(_ count: UInt64, perItem: UInt64) -> Int {
    guard !isBroken, count <= UInt64(left) / perItem else {
      fail()
      return 0
    }
    return Int(count)
  }

  /// Skips the next value, whatever its type.
  mutating func skip(depth: Int = 1) {
    guard at < end else { return fail() }
    let inner: Int
    switch at.load(as: UInt8.self) {
    case 0x80...0x8f, 0xde, 0xdf: inner = mapHeader() * 2
    case 0x90...0x9f, 0xdc, 0xdd: inner = arrayHeader()
    default: return skipLeaf()
    }
    guard inner > 0 else { return }
    guard depth < Self.maximumDepth else { return fail() }
    for _ in 0..<inner where !isBroken { skip(depth: depth + 1) }
  }

  private mutating func skipLeaf() {
    switch byte() {
    case 0...0x7f, 0xe0...0xff, 0xc0, 0xc2, 0xc3: return
    case let byte where (0xa0...0xbf).contains(byte): _ = bytes(UInt64(byte & 0x1f))
    case 0xc4, 0xd9: _ = bytes(number(1))
    case 0xc5, 0xda: _ = bytes(number(2))
    case 0xc6, 0xdb: _ = bytes(number(4))
    case 0xcc, 0xd0: _ = number(1)
    case 0xcd, 0xd1: _ = number(2)
    case 0xca, 0xce, 0xd2: _ = number(4)
    case 0xcb, 0xcf, 0xd3: _ = number(8)
    case let byte where (0xd4...0xd8).contains(byte): _ = bytes(1 + 1 << UInt64(byte - 0xd4))
    case let byte where (0xc7...0xc9).contains(byte):
      let length = number(1 << Int(byte - 0xc7))
      _ = bytes(1 + length)
    default: fail()
    }
  }
}
