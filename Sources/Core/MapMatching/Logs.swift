import RealModule

/// Arithmetic of probabilities by their logarithms.
enum Logs {
  static func exp(_ x: Double) -> Double { Double.exp(x) }
  static func log(_ x: Double) -> Double { Double.log(x) }

  /// The logarithm of the sum of what `logs` are logarithms of; -infinity for none.
  static func sum(_ logs: [Double]) -> Double {
    var top = -Double.infinity
    for log in logs where log > top { top = log }
    guard top.isFinite else { return top }
    var total = 0.0
    // Below e^-40 a share is lost in the rounding anyway, and exp is what costs here.
    for log in logs where log > top - 40 { total += Double.exp(log - top) }
    return top + Double.log(total)
  }
}
