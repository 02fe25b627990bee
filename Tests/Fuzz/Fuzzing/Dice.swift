import Foundations

/// The random choices of one input of a run, so that a finding can be reproduced.
public struct Dice: RandomNumberGenerator {
  private var random: SplitMix64

  /// The choices depend on nothing but these two.
  public init(seed: UInt64, input: UInt64) {
    random = SplitMix64(seed: seed &* 0xd134_2543_de82_ef95 &+ input &* 0x2545_f491_4f6c_dd1d)
    _ = next()
  }

  public mutating func next() -> UInt64 { random.next() }

  /// A number below `count`, which is at least 1.
  public mutating func below(_ count: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(max(1, count))).high)
  }

  /// True once in `count` times.
  public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  public mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

  public mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
}
