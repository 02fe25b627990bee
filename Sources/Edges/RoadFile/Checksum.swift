/// CRC-32C, as used by iSCSI and ext4 (Castagnoli 1993), eight bytes at a time.
enum Checksum {
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0x82f6_3b78 : value >> 1 }
      tables[byte] = value
    }
    for byte in 0..<256 {
      for slice in 1..<8 {
        let before = tables[(slice - 1) * 256 + byte]
        tables[slice * 256 + byte] = (before >> 8) ^ tables[Int(before & 0xff)]
      }
    }
    return tables
  }()

  /// The checksum of all bytes.
  static func crc32c(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var crc: UInt32 = 0xffff_ffff
    var offset = 0
    tables.withUnsafeBufferPointer { t in
      while offset + 8 <= bytes.count {
        let word = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let low = UInt32(truncatingIfNeeded: word) ^ crc
        let high = UInt32(truncatingIfNeeded: word >> 32)
        crc =
          t[7 * 256 + Int(low & 0xff)] ^ t[6 * 256 + Int(low >> 8 & 0xff)]
          ^ t[5 * 256 + Int(low >> 16 & 0xff)] ^ t[4 * 256 + Int(low >> 24)]
          ^ t[3 * 256 + Int(high & 0xff)] ^ t[2 * 256 + Int(high >> 8 & 0xff)]
          ^ t[256 + Int(high >> 16 & 0xff)] ^ t[Int(high >> 24)]
        offset += 8
      }
      while offset < bytes.count {
        crc = (crc >> 8) ^ t[Int((crc ^ UInt32(bytes[offset])) & 0xff)]
        offset += 1
      }
    }
    return crc ^ 0xffff_ffff
  }
}
