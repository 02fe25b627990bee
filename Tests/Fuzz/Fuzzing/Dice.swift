/// A seeded generator (SplitMix64), so that a find can be made again.
public struct Dice: RandomNumberGenerator {
  private var state: UInt64

  /// The dice of one input of a run: they depend on nothing but these two.
  public init(seed: UInt64, input: UInt64) {
    state = seed &* 0xd134_2543_de82_ef95 &+ input &* 0x2545_f491_4f6c_dd1d
    _ = next()
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number below `count`, which is at least 1.
  public mutating func below(_ count: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(max(1, count))).high)
  }

  /// True once in `count` times.
  public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  public mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

  public mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
}
