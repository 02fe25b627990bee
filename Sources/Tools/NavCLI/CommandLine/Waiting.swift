/// Converts waiting times of the command line.
enum TimeoutArgument {
  /// Converts seconds to milliseconds, limited to the range from 0 to 1e9 s (about 30 years).
  static func ms(_ seconds: Double) -> Int64 { Int64(max(0, min(seconds, 1e9)) * 1_000) }
}
