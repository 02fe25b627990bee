import CLinux

/// Processor time of this process, lap by lap.
struct Stopwatch {
  private var last = clinux_cpu_ns()

  /// Milliseconds since the lap before, or since it was made.
  mutating func lapMS() -> Double {
    let now = clinux_cpu_ns()
    defer { last = now }
    return Double(now - last) / 1e6
  }
}

/// The middle and the slow end of many values.
struct Percentiles: Encodable {
  var p50: Double
  var p95: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    func at(_ share: Double) -> Double {
      sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
    p50 = at(0.5)
    p95 = at(0.95)
  }
}
