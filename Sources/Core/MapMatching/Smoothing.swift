/// When the last word on a fix is given, and how long it may wait.
public struct Smoothing: Hashable, Sendable {
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// After the lag, by the numbers of the answers at once (MM-8).
    case lag
    /// As soon as all ways still followed agree, at the lag at the latest, by the numbers of whole traces.
    case agreed
  }

  public var rule: Rule
  /// Fixes for which an answer waits at most; nil for 5, or 100 where ways are to agree.
  public var fixes: Int?
  /// Seconds for which it waits at most; nil for 10, or 100.
  public var timeS: Double?

  public init(_ rule: Rule = .lag, fixes: Int? = nil, timeS: Double? = nil) {
    self.rule = rule
    self.fixes = fixes
    self.timeS = timeS
  }

  /// The numbers by which answers are smoothed so, where those given at once rest on `tuning`.
  public func tuning(_ tuning: MatcherTuning) -> MatcherTuning {
    var smoothing = rule == .agreed ? tuning.forAgreement : tuning
    if let fixes { smoothing.lagFixes = fixes }
    if let timeS { smoothing.lagS = timeS }
    return smoothing
  }
}
