public import RoadGraph

/// A hash over the whole content of a map: equal for equal columns, on every machine.
///
/// It processes eight bytes at a time with the finaliser of MurmurHash3 (A. Appleby, 2011). It
/// distinguishes maps and is not a cryptographic hash.
public struct ContentHash: ColumnSink {
  public typealias Failure = Never
  public private(set) var value: UInt64 = 0x6e61_766d_6170_0001

  public init() {}

  public mutating func write<Element: BitwiseCopyable>(
    _ name: String, _ column: Column<Element>, _ coding: ColumnCoding
  ) {
    for byte in name.utf8 { mix(UInt64(byte)) }
    mix(UInt64(column.count))
    let bytes = UnsafeRawBufferPointer(column.records)
    var offset = 0
    while offset + 8 <= bytes.count {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    mix(rest)
  }

  private mutating func mix(_ word: UInt64) {
    var h = value ^ word
    h = (h ^ (h >> 33)) &* 0xff51_afd7_ed55_8ccd
    h = (h ^ (h >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    value = (h ^ (h >> 33)) &+ 0x9e37_79b9_7f4a_7c15
  }

  /// The hash of `columns`.
  public static func hash(_ columns: RoadColumns) -> UInt64 {
    var sink = ContentHash()
    columns.write(to: &sink)
    return sink.value
  }
}
