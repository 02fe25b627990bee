import MapMatching
import Positioning
import RoadGraph

/// Matches traces one after the other on a map that all threads share.
struct MatchWork: Sendable {
  let network: MatchingNetwork
  let setting: MatchSetting

  /// Number of standard deviations in an accuracy: 68 % of the normal errors in a plane lie within.
  private static let sigmasOfAccuracy = 1.51

  /// Matches a trace, and appends it to `out` in the format of the setting.
  ///
  /// Appends to `remarks` what a reader of the answer should know. `flush` may empty `out` at any
  /// position of the answer.
  ///
  /// - Throws: `MatchCommandFault` for a fix to explain that does not exist, and the errors of
  ///   `flush`.
  func write(
    _ job: MatchJob, to out: inout OutputText, remarks: inout [String],
    flush: MatchReport.Flush
  ) throws(MatchCommandFault) -> MatchTally {
    let explained = try explained(job.fixes.count)
    let checked = CheckedTrace(job.fixes, looksBack: !setting.isOnline)
    remarks += checked.remarks
    var fixes = checked.fixes
    if let sigmaM = setting.sigmaM {
      for index in fixes.indices where fixes[index].accuracyM == nil {
        fixes[index].accuracyM = Self.sigmasOfAccuracy * sigmaM
      }
    }
    var report = MatchReport(
      trace: matched(fixes), network: network, job: job, origin: setting.origin)
    report.trace.restore(job.fixes, frozen: checked.frozen)
    let outside = TraceOutsideMap(job.fixes, on: network.graph)
    // Traces outside the map are reported together.
    if outside == nil { remarks += Self.outcomeRemarks(report.trace) }
    if setting.isOnline { report.live = live(fixes) }
    if let explained {
      report.explanations = network.explain(
        trace: fixes, wanted: explained, isOnline: setting.isOnline)
    }
    try report.write(setting, to: &out, flush: flush)
    return MatchTally(
      traces: 1, fixes: job.fixes.count,
      matched: report.trace.matches.count { $0.place != nil }, lengthM: report.trace.lengthM,
      outside: outside)
  }

  /// Returns remarks about the fixes that were not matched.
  private static func outcomeRemarks(_ trace: MatchedTrace) -> [String] {
    guard trace.matches.contains(where: { $0.place != nil }) else {
      return trace.matches.isEmpty ? ["the trace contains no fix"] : [trace.whyNothingMatched]
    }
    return trace.unused.filter { $0.key != .noTime }.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "of \(trace.matches.count) fixes \($0.value) \($0.key.predicate)" }
  }

  private func explained(_ count: Int) throws(MatchCommandFault) -> Range<Int>? {
    guard let explain = setting.explain else { return nil }
    if explain == MatchCommand.explainsAll { return 0..<count }
    guard let index = Int(explain), (0..<count).contains(index) else {
      throw MatchCommandFault("--explain \(explain): the trace has fixes 0 to \(count - 1)")
    }
    return index..<(index + 1)
  }

  /// The tuning, with limits that allow the standard deviation of the setting.
  private var tuning: MatcherTuning {
    var tuning = setting.isOnline ? setting.tuning : .wholeTrace
    if let sigmaM = setting.sigmaM {
      tuning.weakAccuracyM = max(tuning.weakAccuracyM, Self.sigmasOfAccuracy * sigmaM)
      tuning.greatestSigmaM = max(tuning.greatestSigmaM, sigmaM)
      tuning.radiusM = max(tuning.radiusM, 2 * sigmaM)
    }
    return tuning
  }

  private func matched(_ fixes: [Fix]) -> MatchedTrace {
    var progress = MatchProgress(count: fixes.count)
    let tuning = tuning
    guard setting.isOnline else {
      return network.match(trace: fixes, tuning: tuning) { progress.done($0) }
    }
    var matcher = OnlineMatcher(network: network, tuning: tuning)
    var smoothed: [Match] = []
    for (index, fix) in fixes.enumerated() {
      smoothed += matcher.smooth(fix)
      if index % 4096 == 4095 { progress.done(index + 1) }
    }
    return MatchedTrace(matches: smoothed + matcher.finish(), network: network)
  }

  /// The immediate answers, fix by fix.
  private func live(_ fixes: [Fix]) -> [Match] {
    var matcher = OnlineMatcher(network: network)
    return fixes.map { matcher.match($0).match }
  }
}

/// Reports on standard error the progress of a long trace.
private struct MatchProgress {
  let count: Int
  private var reported = 0

  init(count: Int) { self.count = count }

  /// Reports each tenth of a trace of 20,000 fixes and more.
  mutating func done(_ fixes: Int) {
    let tenths = fixes * 10 / max(1, count)
    guard count >= 20_000, tenths > reported else { return }
    reported = tenths
    MatchCommand.say("matched \(fixes) of \(count) fixes, \(tenths * 10) %")
  }
}
