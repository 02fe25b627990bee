/// Determines when the final answer for a fix is given and how long it may wait.
public struct Smoothing: Hashable, Sendable {
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// After the lag, with the parameters of online answers (MM-8).
    case lag
    /// As soon as all paths that are still followed agree, at the lag at the latest, with the
    /// parameters of whole traces.
    case agreed
  }

  public var rule: Rule
  /// Maximum number of fixes for which an answer waits; nil for 5, or for 100 with `agreed`.
  public var fixes: Int?
  /// Maximum number of seconds for which an answer waits; nil for 10, or for 100 with `agreed`.
  public var timeS: Double?

  public init(_ rule: Rule = .lag, fixes: Int? = nil, timeS: Double? = nil) {
    self.rule = rule
    self.fixes = fixes
    self.timeS = timeS
  }

  /// Returns the parameters for smoothed answers, where online answers use `tuning`.
  public func tuning(_ tuning: MatcherTuning) -> MatcherTuning {
    var smoothing = rule == .agreed ? tuning.forConvergence : tuning
    if let fixes { smoothing.lagFixes = fixes }
    if let timeS { smoothing.lagS = timeS }
    return smoothing
  }
}
