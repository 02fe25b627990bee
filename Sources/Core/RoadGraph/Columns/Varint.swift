/// Whole numbers with seven bits per byte, the lowest first; the last byte has its top bit clear
/// (LEB128).
public enum Varint {
  /// Signed numbers as unsigned ones, so that small numbers of either sign are short.
  @inlinable public static func zigzag(_ value: Int32) -> UInt32 {
    UInt32(bitPattern: (value << 1) ^ (value >> 31))
  }

  @inlinable public static func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: (value << 1) ^ (value >> 63))
  }

  @inlinable public static func signed(_ value: UInt32) -> Int32 {
    Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
  }

  @inlinable public static func signed(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  @inlinable public static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Reads the number at `offset` and moves that after it; nil if it is incomplete or has more than
  /// 64 bits.
  @inlinable public static func read(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return shift == 63 && byte > 1 ? nil : value }
      shift += 7
    }
    return nil
  }

  /// The offset after `count` numbers, in bytes known to be complete: eight bytes at a time.
  @inlinable static func skip(
    _ count: Int, in bytes: UnsafeBufferPointer<UInt8>, from offset: Int
  ) -> Int {
    var offset = offset
    var left = count
    let raw = UnsafeRawBufferPointer(bytes)
    while left > 0, offset + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      // A bit for each byte that ends a number.
      var ends = ~UInt64(littleEndian: word) & 0x8080_8080_8080_8080
      let found = ends.nonzeroBitCount
      if found < left {
        left -= found
        offset += 8
        continue
      }
      for _ in 1..<left { ends &= ends - 1 }
      return offset + ends.trailingZeroBitCount / 8 + 1
    }
    while left > 0 {
      if bytes[offset] < 0x80 { left -= 1 }
      offset += 1
    }
    return offset
  }

  /// Reads the number at `offset` in bytes known to be complete, with no checks but the buffer's
  /// own.
  @inlinable static func next(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> UInt32 {
    var value: UInt32 = 0
    var shift: UInt32 = 0
    while true {
      let byte = bytes[offset]
      offset += 1
      value |= UInt32(byte & 0x7f) &<< shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }
}
