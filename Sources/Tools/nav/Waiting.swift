/// Seconds of the command line that are waited.
enum Waiting {
  /// In milliseconds; as long as some thirty years for anything longer, nothing for less than nothing.
  static func ms(_ seconds: Double) -> Int64 { Int64(max(0, min(seconds, 1e9)) * 1_000) }
}
