/// How long one voice takes to say a text: by its length until measured durations replace that.
public struct DurationEstimate: Codable, Hashable, Sendable {
  /// Before anything is measured: espeak-ng's 175 words a minute, on the long side.
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
  /// The mean of what was measured at this length; else the guess, scaled by what was measured at others.
  public func durationS(characters: Int) -> Double {
    if let bucket = buckets[characters / Self.bucketLength], bucket.count > 0 {
      return bucket.totalS / Double(bucket.count)
    }
    let scale = guessedS > 0 ? min(max(measuredS / guessedS, 0.3), 3) : 1
    return Self.guessS(characters) * scale
  }

  /// Takes in that a text of `characters` took `durationS`; what no voice can do is ignored.
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
