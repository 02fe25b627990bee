import RealModule

/// A small seeded generator: the same seed gives the same numbers on every machine.
///
/// G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Codable, Hashable, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

extension RandomNumberGenerator {
  /// A random number within 0 ..< 1, from 53 bits of one draw.
  public mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  /// A random number with a normal distribution of mean 0 and variance 1 (Box and Muller, 1958);
  /// two draws each.
  public mutating func gaussian() -> Double {
    let radius = (-2 * Double.log(1 - unit())).squareRoot()
    return radius * Double.cos(2 * .pi * unit())
  }
}
