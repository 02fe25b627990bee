/// The 64-bit FNV-1a hash, for file names and for detecting changes.
///
/// It is the same in each process and on each machine. Anyone who chooses the input can choose its
/// hash, so untrusted input needs a keyed hash. It costs a nanosecond for each byte.
public struct FNV1a: Hashable, Sendable {
  @usableFromInline var state: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The hash of what was mixed in so far.
  public var value: UInt64 { state }

  public init() {}

  /// The hash of bytes.
  public init(_ bytes: some Sequence<UInt8>) {
    self.init()
    for byte in bytes { combine(byte) }
  }

  @inlinable
  public mutating func combine(_ byte: UInt8) { combine(word: UInt64(byte)) }

  /// Mixes in a number in one step, which differs from hashing its bytes.
  @inlinable
  public mutating func combine(word: UInt64) { state = (state ^ word) &* 0x100_0000_01b3 }

  /// The hash as 16 hexadecimal digits.
  public var hexadecimal: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
