import Foundations

extension SplitMix64 {
  /// A random number within -1 ..< 1.
  mutating func swing() -> Double { Double(next() >> 11) / 4_503_599_627_370_496 - 1 }

  /// True with a probability of one in `n`.
  mutating func oneIn(_ n: UInt64) -> Bool { next() % n == 0 }

  mutating func pick<Item>(_ items: [Item]) -> Item {
    items[Int(next() % UInt64(items.count))]
  }
}
