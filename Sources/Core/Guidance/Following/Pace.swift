public import Foundations

/// How long this driver takes for what usually takes a second, learned during the trip.
///
/// The ratio of driven to usual seconds on stretches driven at a steady speed without a jam. Turns,
/// signals and rests are excluded because they take every driver equally long. The ratio is damped
/// by a minute at the usual pace. Older evidence fades after 15 minutes of such driving.
public struct DrivingPace: Codable, Hashable, Sendable {
  /// Seconds of steady driving that the pace was learned from.
  public private(set) var drivenS = 0.0
  /// Seconds that the same stretches take at the usual speed.
  public private(set) var usualS = 0.0
  private var last: Sample?

  private struct Sample: Codable, Hashable, Sendable {
    var time: Instant
    var speedMps: Double
  }

  /// Seconds at the usual pace that are assumed before anything is known.
  static let priorS = 60.0
  static let memoryS = 900.0
  /// Samples farther apart do not show what happened between them.
  private static let longestStepS = 20.0
  /// A greater change of speed is not steady driving.
  private static let steadyMps2 = 0.3
  /// Range of speeds, relative to the usual speed, that are the driver's choice; others are
  /// obstructed or wrong.
  private static let chosen = 0.6...1.7

  public init() {}

  /// A pace from a saved state; impossible numbers give the pace of a new trip.
  public init(drivenS: Double, usualS: Double) {
    let isPlausible = drivenS >= 0 && usualS > 0 && usualS <= Self.memoryS
    guard isPlausible, Self.chosen.contains(usualS / drivenS) else { return }
    self.drivenS = drivenS
    self.usualS = usualS
  }

  /// Driven seconds for each usual one: 1.25 for a driver at 0.8 times the usual speed.
  public var ratio: Double { (drivenS + Self.priorS) / (usualS + Self.priorS) }

  /// Adds a measured speed; `usualMps` is nil if a jam obstructs or the usual speed is not known.
  public mutating func moved(at time: Instant, speedMps: Double?, usualMps: Double?) {
    defer { last = speedMps.map { Sample(time: time, speedMps: $0) } }
    guard let last, let speedMps, let usualMps, usualMps > 0 else { return }
    let stepS = time.seconds(since: last.time)
    guard stepS > 0, stepS <= Self.longestStepS,
      abs(speedMps - last.speedMps) <= Self.steadyMps2 * stepS,
      Self.chosen.contains(speedMps / usualMps)
    else { return }
    drivenS += stepS
    usualS += stepS * speedMps / usualMps
    if usualS > Self.memoryS {
      drivenS *= Self.memoryS / usualS
      usualS = Self.memoryS
    }
  }
}
