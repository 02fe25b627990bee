/// A column of integers as bytes.
///
/// Each value is stored as its difference from the previous one (the first from 0), zigzag encoded,
/// as a varint. A varint has 7 bits per byte, least significant first, with the high bit set in all
/// bytes but the last.
public enum PackedColumn {
  /// The bytes of `values`; 1 to 10 for each.
  public static func encode(_ values: [Int64]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * 2)
    var previous: Int64 = 0
    for value in values {
      let difference = value &- previous
      var rest = UInt64(bitPattern: (difference << 1) ^ (difference >> 63))
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
      previous = value
    }
    return bytes
  }

  /// The values of `bytes`; nil if they end in the middle of a value or one is over 64 bits.
  public static func decode(_ bytes: ArraySlice<UInt8>) -> [Int64]? {
    var values: [Int64] = []
    values.reserveCapacity(bytes.count / 2)
    var previous: Int64 = 0
    var rest: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      let part = UInt64(byte & 0x7f)
      guard shift < 63 || (shift == 63 && part < 2) else { return nil }
      rest |= part << shift
      if byte & 0x80 != 0 {
        shift += 7
        continue
      }
      let difference = Int64(bitPattern: rest >> 1) ^ -Int64(bitPattern: rest & 1)
      previous = previous &+ difference
      values.append(previous)
      rest = 0
      shift = 0
    }
    return shift == 0 ? values : nil
  }
}
