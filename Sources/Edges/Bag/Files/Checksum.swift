import CZlib

/// CRC-32 as required by MCAP (that of zlib and Ethernet).
struct Checksum {
  private(set) var value: UInt32 = 0

  mutating func add(_ bytes: [UInt8]) { add(bytes[...]) }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    value = bytes.withUnsafeBufferPointer {
      UInt32(truncatingIfNeeded: crc32_z(UInt(value), $0.baseAddress, $0.count))
    }
  }

  /// Appends bytes with a known checksum, without reading them again.
  mutating func add(_ other: Checksum, byteCount: Int) {
    value = UInt32(truncatingIfNeeded: crc32_combine(UInt(value), UInt(other.value), byteCount))
  }

  static func of(_ bytes: [UInt8]) -> Checksum { of(bytes[...]) }

  static func of(_ bytes: ArraySlice<UInt8>) -> Checksum {
    var checksum = Checksum()
    checksum.add(bytes)
    return checksum
  }
}
