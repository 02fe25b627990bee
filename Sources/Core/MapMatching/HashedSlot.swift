/// Where a key is looked for first among `count` slots, a power of two of at most 2^31.
///
/// Fibonacci hashing (D. Knuth, "The Art of Computer Programming", vol. 3, 6.4).
@inline(__always) func hashedSlot(of key: UInt64, among count: Int) -> Int {
  Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 33) & (count - 1)
}
