/// The time that a voice takes for a text: estimated from its length until measured durations
/// replace that.
public struct DurationEstimate: Codable, Hashable, Sendable {
  /// The estimate before any measurement: espeak-ng's 175 words per minute, slightly on the long
  /// side.
  public static let secondsPerCharacter = 0.078
  public static let overheadS = 0.25
  /// Texts whose lengths fall into one bucket of this many characters share their measurements.
  static let bucketLength = 8

  private struct Bucket: Codable, Hashable, Sendable {
    var count = 0
    var totalS = 0.0
  }

  private var buckets: [Int: Bucket] = [:]
  private var measuredS = 0.0
  private var guessedS = 0.0

  public init() {}

  /// Seconds for a text of `characters`.
  ///
  /// The mean of the durations measured at this length; otherwise the estimate, scaled by those
  /// measured at others.
  public func durationS(characters: Int) -> Double {
    if let bucket = buckets[characters / Self.bucketLength], bucket.count > 0 {
      return bucket.totalS / Double(bucket.count)
    }
    let scale = guessedS > 0 ? min(max(measuredS / guessedS, 0.3), 3) : 1
    return Self.guessS(characters) * scale
  }

  /// Records that a text of `characters` took `durationS`; implausible values are ignored.
  public mutating func learn(characters: Int, durationS: Double) {
    guard durationS.isFinite, durationS > 0.05, durationS < 120, (1...2000).contains(characters)
    else {
      return
    }
    var bucket = buckets[characters / Self.bucketLength] ?? Bucket()
    if bucket.count >= 16 {
      bucket.totalS *= 0.5
      bucket.count /= 2
    }
    bucket.count += 1
    bucket.totalS += durationS
    buckets[characters / Self.bucketLength] = bucket
    measuredS = measuredS * 0.95 + durationS
    guessedS = guessedS * 0.95 + Self.guessS(characters)
  }

  private static func guessS(_ characters: Int) -> Double {
    overheadS + secondsPerCharacter * Double(max(0, characters))
  }
}
