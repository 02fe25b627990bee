extension Int64 {
  /// The whole part of a number; the nearest that there is for one beyond the range, 0 for one that is none.
  public init(saturating value: Double) { self = Instant.clamp(value) }

  /// The sum, or the end of the range beyond it.
  public func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }
}
