import RealModule

/// Arithmetic of probabilities by their logarithms.
enum Logs {
  /// e to the power of `x`, which is 0 or less; right to 10^-12 of it.
  ///
  /// Half the cost of the library's, which must serve all numbers.
  @inline(__always) static func exp(_ x: Double) -> Double {
    guard x > -700 else { return 0 }
    let whole = (x * 1.4426950408889634).rounded(.toNearestOrEven)
    // What is left lies within half a logarithm of 2: ten terms of the series.
    let r = x - whole * 0.6931471805599453
    var p = 1.0 / 3_628_800
    p = p * r + 1.0 / 362_880
    p = p * r + 1.0 / 40_320
    p = p * r + 1.0 / 5_040
    p = p * r + 1.0 / 720
    p = p * r + 1.0 / 120
    p = p * r + 1.0 / 24
    p = p * r + 1.0 / 6
    p = p * r + 0.5
    p = p * r + 1
    p = p * r + 1
    return p * Double(bitPattern: UInt64(Int64(whole) + 1023) << 52)
  }
  static func log(_ x: Double) -> Double { Double.log(x) }

  /// The logarithm of the sum of what `logs` are logarithms of; -infinity for none.
  static func sum(_ logs: [Double]) -> Double {
    var top = -Double.infinity
    for log in logs where log > top { top = log }
    guard top.isFinite else { return top }
    var total = 0.0
    // Below e^-40 a share is lost in the rounding anyway, and exp is what costs here.
    for log in logs where log > top - 40 { total += exp(log - top) }
    return top + Double.log(total)
  }
}
