/// Reads the fields of a Protocol Buffers message, in the order in which they are stored.
///
/// Source: protobuf.dev, Encoding.
struct ProtobufReader {
  enum Value: Hashable {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes(ArraySlice<UInt8>)
    case fixed32(UInt32)
  }

  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The next field; nil at the end.
  mutating func next() throws(MessageFault) -> (number: UInt64, value: Value)? {
    guard position < bytes.endIndex else { return nil }
    let tag = try varint()
    let value: Value
    switch tag & 7 {
    case 0: value = .varint(try varint())
    case 1: value = .fixed64(try fixed(8))
    case 2:
      let offset = position
      let count = try varint()
      guard count <= UInt64(bytes.endIndex - position) else {
        throw MessageFault(offset: offset, problem: "a field of \(count) bytes does not fit")
      }
      value = .bytes(bytes[position..<position + Int(count)])
      position += Int(count)
    case 5: value = .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
    default:
      throw MessageFault(offset: position, problem: "\(tag & 7) is not a field type")
    }
    return (tag >> 3, value)
  }

  private mutating func fixed(_ size: Int) throws(MessageFault) -> UInt64 {
    guard bytes.endIndex - position >= size else {
      throw MessageFault(offset: position, problem: "the message ends too early")
    }
    defer { position += size }
    return bytes[position..<position + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func varint() throws(MessageFault) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard position < bytes.endIndex else {
        throw MessageFault(offset: position, problem: "the message ends too early")
      }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw MessageFault(offset: position, problem: "a number is longer than 64 bits")
  }
}

extension ProtobufReader.Value {
  var double: Double? {
    guard case .fixed64(let bits) = self else { return nil }
    return Double(bitPattern: bits)
  }

  var number: UInt64? {
    guard case .varint(let number) = self else { return nil }
    return number
  }

  var message: ArraySlice<UInt8>? {
    guard case .bytes(let bytes) = self else { return nil }
    return bytes
  }
}
