extension Int64 {
  /// The whole part of a number, limited to the range; 0 for NaN.
  public init(saturating value: Double) { self = Instant.clamp(value) }

  /// The sum, limited to the range.
  public func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }
}
