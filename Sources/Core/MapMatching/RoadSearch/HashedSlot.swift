/// Returns the first slot to probe for a key among `count` slots, a power of two from 2 on.
///
/// Fibonacci hashing (D. Knuth, "The Art of Computer Programming", vol. 3, 6.4): the highest bits
/// separate neighbouring keys best.
@inline(__always) func hashedSlot(of key: UInt64, among count: Int) -> Int {
  Int(truncatingIfNeeded: spread(key) &>> UInt64(truncatingIfNeeded: count.leadingZeroBitCount + 1))
}

@inline(__always) private func spread(_ key: UInt64) -> UInt64 { key &* 0x9e37_79b9_7f4a_7c15 }
