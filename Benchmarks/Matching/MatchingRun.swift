import CLinux
import Geodesy
import MapMatching
import Positioning

/// One way of asking the matcher for the way of a trace.
enum MatchingMode: String, CaseIterable {
  /// The whole trace at once.
  case whole
  /// Fix by fix, the answers after the lag.
  case smoothed
  /// Fix by fix, the answers on which all likely ways agree.
  case agreed
  /// Fix by fix, the answers at once.
  case filtered
  /// These and those on which all likely ways agree, as a node with `smoothing: agreed` gives them; the latter are scored.
  case both

  var tuning: MatcherTuning {
    switch self {
    case .whole: .wholeTrace
    case .agreed: MatcherTuning().forConvergence
    case .smoothed, .filtered, .both: MatcherTuning()
    }
  }
}

/// What the matcher made of one trace, and the processor time it took.
struct MatchingRun {
  var lines: [[Coordinate]]
  /// The place of each fix; nil where it was put on no road.
  var places: [Coordinate?]
  var cpuS: Double
  /// The evidence for the confidence of a whole trace; nil for other modes.
  var evidence: TraceConfidence?
  /// Fixes that came between each smoothed fix and its answer.
  var lags: [Int] = []

  init(
    _ fixes: [Fix], mode: MatchingMode, network: MatchingNetwork, tuning: MatcherTuning
  ) {
    let start = clinux_cpu_ns()
    switch mode {
    case .whole:
      let trace = network.match(trace: fixes, tuning: tuning)
      cpuS = Self.seconds(since: start)
      lines = trace.lines
      evidence = trace.evidence
      places = trace.matches.map { $0.place?.coordinate }
    case .smoothed, .agreed, .filtered, .both:
      var matcher = OnlineMatcher(network: network, tuning: tuning)
      // Beside the one that answers at once, as a node has it.
      var smoother =
        mode == .both ? OnlineMatcher(network: network, tuning: tuning.forConvergence) : nil
      var matches: [Match] = []
      matches.reserveCapacity(fixes.count)
      for (index, fix) in fixes.enumerated() {
        let known: [Match]
        switch mode {
        case .whole, .filtered:
          matches.append(matcher.match(fix).match)
          continue
        case .smoothed: known = matcher.match(fix).smoothed
        case .agreed: known = matcher.smooth(fix)
        case .both:
          _ = matcher.match(fix)
          known = smoother?.smooth(fix) ?? []
        }
        lags += known.indices.map { index - matches.count - $0 }
        matches += known
      }
      if mode != .filtered { matches += smoother?.finish() ?? matcher.finish() }
      cpuS = Self.seconds(since: start)
      lines = MatchedTrace(matches: matches, network: network).lines
      places = matches.map { $0.place?.coordinate }
    }
  }

  private static func seconds(since start: Int64) -> Double {
    Double(clinux_cpu_ns() - start) / 1e9
  }
}
