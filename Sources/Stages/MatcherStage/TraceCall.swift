import Foundations
import Geodesy
import MapMatching
import Messages
import Positioning
import RoadGraph
import RouteWire
import Stage

/// The call `match/trace`: matches a whole trace at once (MM-13), concurrently with the event loop.
struct TraceCall: Sendable {
  private let id: String
  private let fixes: [Fix]
  private let mode: TravelMode

  init(_ request: MatchTraceRequest, id: String) {
    self.id = id
    fixes = request.fixes.map { Fix(wire: $0).readable.fix }
    mode = TravelMode(wire: request.mode)
  }

  func outputs(_ shared: MatcherShared) -> [StageOutput] {
    [
      .work(callID: id) {
        var remarks: [String] = []
        let outcome = outcome(shared, &remarks)
        return remarks.map { .log(.warning, "match/trace: \($0)") }
          + [.reply(callID: id, outcome: outcome)]
      }
    ]
  }

  private func outcome(_ shared: MatcherShared, _ remarks: inout [String]) -> CallOutcome {
    do throws(CallError) {
      try check()
      let network =
        mode == shared.network.mode
        ? shared.network : MatchingNetwork(graph: shared.graph, mode: mode)
      let checked = CheckedTrace(fixes)
      remarks = checked.remarks
      var trace = network.match(trace: checked.fixes, tuning: shared.tuning.forWholeTraces)
      trace.restore(fixes, frozen: checked.frozen)
      try Self.checkMatched(trace, on: shared.graph)
      return .ok(.matchTrace(Self.reply(trace, network: network)))
    } catch {
      return .failed(error)
    }
  }

  private func check() throws(CallError) {
    guard !fixes.isEmpty else {
      throw CallError(code: "invalid", message: "the trace contains no fix", field: "fixes")
    }
    guard fixes.contains(where: { $0.time != nil }) else {
      throw CallError(code: "no_time", message: "no fix of the trace has a time", field: "fixes")
    }
    var gate = FixGate()
    for (index, fix) in fixes.enumerated() {
      do throws(FixFault) {
        try gate.admit(fix)
      } catch {
        throw CallError(code: "invalid", message: error.sentence, field: "fixes[\(index)]")
      }
    }
  }

  private static func checkMatched(
    _ trace: MatchedTrace, on graph: RoadGraph
  ) throws(CallError) {
    guard !trace.matches.contains(where: { $0.place != nil }) else { return }
    if trace.matches.allSatisfy({ $0.reason == .noMapData }) {
      let outside = TraceOutsideMap(trace.matches.lazy.map(\.fix), on: graph)
      throw CallError(
        code: "no_map_data", message: outside?.sentence() ?? "the trace is outside the map")
    }
    throw CallError(code: "no_match", message: trace.whyNothingMatched)
  }

  private static func reply(_ trace: MatchedTrace, network: MatchingNetwork) -> MatchTraceReply {
    var run = OutcomeRun()
    let matches = trace.matches.map { match in
      return Wire.matched(
        match, network: network, speedMps: match.fix.speedMps, consecutive: run.count(match))
    }
    return MatchTraceReply(
      matches: matches, path: trace.path.map { network.reference($0).wire },
      shape: EncodedPolyline.encode(trace.shape, decimals: 6), lengthM: trace.lengthM,
      confidence: trace.confidence)
  }
}
