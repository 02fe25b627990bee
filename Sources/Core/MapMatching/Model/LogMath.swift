import RealModule

/// Arithmetic on logarithms of probabilities.
enum LogMath {
  /// Returns e to the power of `x`, with `x` capped at 700; the relative error is at most 10^-12.
  ///
  /// Costs half as much as the library function, which must handle all numbers.
  @inline(__always) static func exp(_ x: Double) -> Double {
    guard x > -700 else { return 0 }
    // A value from a damaged snapshot must not trap.
    let x = Double.minimum(x, 700)
    // Adding and subtracting 1.5 x 2^52 rounds to the nearest integer, which the lowest bits
    // contain in between.
    let shifted = x * 1.4426950408889634 + 6_755_399_441_055_744
    let whole = shifted - 6_755_399_441_055_744
    // The remainder is at most half of ln 2: eleven terms of the series, in pairs that do not
    // depend on each other (G. Estrin, 1960).
    let r = x - whole * 0.6931471805599453
    let r2 = r * r
    let r4 = r2 * r2
    let low = (1 + r) + r2 * (0.5 + r * (1.0 / 6))
    let middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5_040))
    let high = (1.0 / 40_320 + r * (1.0 / 362_880)) + r2 * (1.0 / 3_628_800)
    let p = low + r4 * (middle + r4 * high)
    return p * Double(bitPattern: (shifted.bitPattern &+ 1023) << 52)
  }
  static func log(_ x: Double) -> Double { Double.log(x) }

  /// Returns the logarithm of the sum of the numbers whose logarithms are `logs`; -infinity if
  /// there are none.
  static func sum(_ logs: [Double]) -> Double {
    var top = -Double.infinity
    for log in logs where log > top { top = log }
    guard top.isFinite else { return top }
    var total = 0.0
    // Below e^-40 a term is lost in rounding, and `exp` dominates the cost here.
    for log in logs where log > top - 40 { total += exp(log - top) }
    return top + Double.log(total)
  }
}
