import Glibc
import MessagePack

/// A header's fields in borrowed bytes, for code that only inspects most messages.
///
/// It accepts and rejects exactly what `Header(decoding:)` does. Texts are not copied, and are
/// valid as long as the message that contains them.
package struct HeaderScan {
  package private(set) var sequence: UInt64 = 0
  package private(set) var stampNS: Int64 = 0
  package private(set) var source = UnsafeRawBufferPointer(start: nil, count: 0)
  package private(set) var run: UInt64 = 0
  package private(set) var schema = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The whole value, a list of four.
  package private(set) var cause: UnsafeRawBufferPointer?
  package private(set) var key: UnsafeRawBufferPointer?
  package private(set) var id: UnsafeRawBufferPointer?
  package private(set) var ttlMS: UInt32?
  package private(set) var isLatched = false
  package private(set) var wallNS: Int64?
  package private(set) var deliveryClass: DeliveryClass?
  package private(set) var nextMS: UInt32?

  private static let required: UInt32 = 0b1_1111

  /// nil if the bytes are not a header.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard var cursor = HeaderCursor(bytes) else { return nil }
    var seen: UInt32 = 0
    var fields = cursor.mapHeader()
    var usual = cursor
    if fields >= Self.usualFields, readUsual(&usual) {
      cursor = usual
      fields -= Self.usualFields
      seen = Self.usual
    }
    for _ in 0..<fields where !cursor.isBroken {
      guard let field = Field(cursor.text()) else {
        cursor.skip()
        continue
      }
      guard seen & field.bit == 0 else { return nil }
      if cursor.consumeNil() { continue }
      seen |= field.bit
      read(field, &cursor)
    }
    guard !cursor.isBroken, cursor.left == 0, seen & Self.required == Self.required,
      !source.isEmpty, source.count <= 128, schema.count <= 128, key?.count ?? 0 <= 256,
      sequence > 0
    else { return nil }
  }

  private static let usualFields = 6
  private static let usual: UInt32 = 0b0100_0001_1111

  /// Reads the six common fields if they have the order and forms that `HeaderTemplate` writes.
  ///
  /// Other fields are read key by key.
  private mutating func readUsual(_ cursor: inout HeaderCursor) -> Bool {
    // Each key is preceded by its length and followed by the type of its value.
    guard cursor.consume(0xa3_7365_71cf, 5) else { return false }
    let sequence = cursor.eightBytes()
    guard cursor.consume(0xa5_7374_616d_70d3, 7) else { return false }
    let stamp = cursor.eightBytes()
    guard cursor.consume(0xa3_7372_63, 4) else { return false }
    let source = cursor.string()
    guard cursor.consume(0xa3_7275_6ecf, 5) else { return false }
    let run = cursor.eightBytes()
    guard cursor.consume(0xa6_7363_6865_6d61, 7) else { return false }
    let schema = cursor.string()
    guard cursor.consume(0xa4_7761_6c6c_d3, 6) else { return false }
    let wall = cursor.eightBytes()
    guard !cursor.isBroken else { return false }
    self.sequence = sequence
    stampNS = Int64(bitPattern: stamp)
    self.source = source
    self.run = run
    self.schema = schema
    wallNS = Int64(bitPattern: wall)
    return true
  }

  private mutating func read(_ field: Field, _ cursor: inout HeaderCursor) {
    switch field {
    case .sequence: sequence = cursor.uint()
    case .stamp: stampNS = cursor.int()
    case .source: source = cursor.string()
    case .run: run = cursor.uint()
    case .schema: schema = cursor.string()
    case .cause: cause = Self.origin(&cursor)
    case .key: key = cursor.string()
    case .id: id = cursor.string()
    case .ttl: ttlMS = Self.milliseconds(&cursor)
    case .next: nextMS = Self.milliseconds(&cursor)
    case .latched: isLatched = cursor.bool()
    case .wall: wallNS = cursor.int()
    case .deliveryClass:
      deliveryClass = DeliveryClass(rawValue: String(decoding: cursor.string(), as: UTF8.self))
    }
  }

  private static func milliseconds(_ cursor: inout HeaderCursor) -> UInt32? {
    let value = UInt32(exactly: cursor.int())
    if value == nil { cursor.fail() }
    return value
  }

  private static func origin(_ cursor: inout HeaderCursor) -> UnsafeRawBufferPointer {
    let start = cursor.at
    if cursor.arrayHeader() != 4 { cursor.fail() }
    _ = cursor.string()
    _ = cursor.string()
    _ = cursor.uint()
    _ = cursor.uint()
    return UnsafeRawBufferPointer(start: start, count: cursor.at - start)
  }

  /// The keys of a header.
  private enum Field: UInt32 {
    case sequence, stamp, source, run, schema, cause, key, id, ttl, latched, wall, deliveryClass
    case next

    var bit: UInt32 { 1 << rawValue }

    /// The field of a key, given by its letters as one number; nil if the key is unknown.
    init?(_ text: UnsafeRawBufferPointer) {
      guard text.count <= 7 else { return nil }
      var letters: UInt64 = 0
      for byte in text { letters = letters << 8 | UInt64(byte) }
      switch letters {
      case 0x73_6571: self = .sequence
      case 0x73_7461_6d70: self = .stamp
      case 0x73_7263: self = .source
      case 0x72_756e: self = .run
      case 0x7363_6865_6d61: self = .schema
      case 0x63_6175_7365: self = .cause
      case 0x6b_6579: self = .key
      case 0x6964: self = .id
      case 0x74_746c: self = .ttl
      case 0x6c_6174_6368_6564: self = .latched
      case 0x7761_6c6c: self = .wall
      case 0x63_6c61_7373: self = .deliveryClass
      case 0x6e65_7874: self = .next
      default: return nil
      }
      // A key that starts with zero bytes gives the same number.
      guard text.count == (64 - letters.leadingZeroBitCount + 7) / 8 else { return nil }
    }
  }
}

extension Header {
  /// Copies the scanned header, including its texts.
  package init(_ scan: HeaderScan) {
    self.init(
      scan, source: String(decoding: scan.source, as: UTF8.self),
      schema: String(decoding: scan.schema, as: UTF8.self))
  }

  /// Copies the scanned header; two of its texts are given.
  package init(_ scan: HeaderScan, source: String, schema: String) {
    self.init(
      sequence: scan.sequence, stampNS: scan.stampNS, source: source, run: scan.run,
      schema: schema,
      cause: scan.cause.flatMap(Origin.init(scanned:)),
      key: scan.key.map { String(decoding: $0, as: UTF8.self) },
      id: scan.id.map { String(decoding: $0, as: UTF8.self) }, ttlMS: scan.ttlMS,
      nextMS: scan.nextMS, isLatched: scan.isLatched, wallNS: scan.wallNS,
      deliveryClass: scan.deliveryClass)
  }
}

extension Header {
  /// Decodes the header from borrowed bytes as the broker does; nil if it is invalid.
  package init?(scanning bytes: [UInt8]) {
    let scanned = bytes.withUnsafeBytes { HeaderScan($0).map { Header($0) } }
    guard let scanned else { return nil }
    self = scanned
  }
}

extension Origin {
  fileprivate init?(scanned bytes: UnsafeRawBufferPointer) {
    var reader = Unpacker(Array(bytes))
    guard let origin = try? Origin(from: &reader) else { return nil }
    self = origin
  }
}

/// Whether borrowed bytes equal a text.
package func isSame(_ bytes: UnsafeRawBufferPointer, _ text: [UInt8]) -> Bool {
  guard bytes.count == text.count else { return false }
  guard let start = bytes.baseAddress else { return true }
  return text.withUnsafeBytes { memcmp($0.baseAddress ?? start, start, bytes.count) == 0 }
}
