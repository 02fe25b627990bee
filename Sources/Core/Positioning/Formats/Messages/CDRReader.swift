/// Why a message of a recording cannot be read, and where.
public struct MessageFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Byte of the message, from 0.
  public var offset: Int
  /// The fault at that place, as the end of a sentence.
  public var problem: String

  public init(offset: Int, problem: String) {
    self.offset = offset
    self.problem = problem
  }

  public var description: String { "byte \(offset): \(problem)" }
}

/// Reads the values of a message in CDR, the encoding of DDS and of ROS 2, or in that of ROS 1.
///
/// CDR aligns each value to its size, counted from the end of the four-byte header, in either byte
/// order. The second version of CDR aligns to four bytes at most. ROS 1 has no alignment and is
/// little-endian. Source: OMG DDSI-RTPS 2.5, section 10; OMG DDS-XTypes 1.3, section 7.4.
struct CDRReader {
  private let bytes: [UInt8]
  private var position: Int
  private let start: Int
  private let isBigEndian: Bool
  private let mostAlignment: Int

  /// - Throws: `MessageFault` for an encoding that is not plain CDR.
  init(cdr bytes: [UInt8]) throws(MessageFault) {
    guard bytes.count >= 4 else {
      throw MessageFault(offset: 0, problem: "the message is too short for CDR")
    }
    switch (bytes[0], bytes[1]) {
    case (0, 0), (0, 1): mostAlignment = 8
    case (0, 6), (0, 7): mostAlignment = 4
    default:
      throw MessageFault(
        offset: 0,
        problem: "form \(bytes[0]).\(bytes[1]) of CDR is not supported; only plain CDR is")
    }
    self.bytes = bytes
    isBigEndian = bytes[1] & 1 == 0
    start = 4
    position = 4
  }

  init(ros1 bytes: [UInt8]) {
    self.bytes = bytes
    isBigEndian = false
    mostAlignment = 1
    start = 0
    position = 0
  }

  mutating func uint8() throws(MessageFault) -> UInt8 { UInt8(truncatingIfNeeded: try word(1)) }
  mutating func int8() throws(MessageFault) -> Int8 { Int8(bitPattern: try uint8()) }
  mutating func uint16() throws(MessageFault) -> UInt16 { UInt16(truncatingIfNeeded: try word(2)) }
  mutating func uint32() throws(MessageFault) -> UInt32 { UInt32(truncatingIfNeeded: try word(4)) }
  mutating func int32() throws(MessageFault) -> Int32 { Int32(bitPattern: try uint32()) }
  mutating func double() throws(MessageFault) -> Double { Double(bitPattern: try word(8)) }

  /// A text preceded by its length; CDR counts a terminating zero, ROS 1 does not.
  mutating func string() throws(MessageFault) -> String {
    let offset = position
    let count = Int(try uint32())
    guard count <= bytes.count - position else {
      throw MessageFault(offset: offset, problem: "a string of \(count) bytes does not fit")
    }
    defer { position += count }
    return String(decoding: bytes[position..<position + count].prefix { $0 != 0 }, as: UTF8.self)
  }

  private mutating func word(_ size: Int) throws(MessageFault) -> UInt64 {
    let alignment = min(size, mostAlignment)
    let rest = (position - start) % alignment
    if rest > 0 { position += alignment - rest }
    guard position + size <= bytes.count else {
      throw MessageFault(offset: min(position, bytes.count), problem: "the message ends too early")
    }
    defer { position += size }
    let part = bytes[position..<position + size]
    return isBigEndian
      ? part.reduce(0) { $0 << 8 | UInt64($1) } : part.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
