import EventTime
import Foundation
import Geodesy
import MapMatching
import Positioning
import RoadGraph

/// Why a fix is where it is, as JSON.
struct ExplanationJSON: Encodable {
  struct Candidate: Encodable {
    var segment: SegmentJSON?
    var lat: Double?
    var lon: Double?
    var distanceM: Double?
    var offRoad: Bool
    var totalNats: Double
    var probability: Double
    var evidenceNats: [String: Double]
    var cameBy: String
    var cameFrom: Int?
    var wayM: Double?
    var expectedM: Double?
    var wayNats: Double
  }
  struct Path: Encodable {
    var before: Int?
    var here: Int
    var after: Int?
    var segments: [SegmentJSON]
    var totalNats: Double

    init(_ path: FixExplanation.Path) {
      before = path.before
      here = path.here
      after = path.after
      segments = path.segments.map { SegmentJSON($0) }
      totalNats = path.totalNats
    }
  }
  var candidates: [Candidate]
  var winner: Path?
  var runnerUp: Path?
  var reasons: [String]

  init(_ explanation: FixExplanation) {
    candidates = explanation.candidates.map { one in
      Candidate(
        segment: one.place.map { SegmentJSON($0.segment) },
        lat: one.place?.coordinate.latitudeDeg, lon: one.place?.coordinate.longitudeDeg,
        distanceM: one.place?.distanceM, offRoad: one.place == nil, totalNats: one.totalNats,
        probability: one.probability,
        evidenceNats: [
          "distance": one.evidence.distance, "course": one.evidence.course,
          "speed": one.evidence.speed, "route": one.evidence.route, "road": one.evidence.road,
          "total": one.evidence.total,
        ], cameBy: one.way.kind.rawValue, cameFrom: one.way.from, wayM: one.way.lengthM,
        expectedM: one.way.expectedM, wayNats: one.way.nats)
    }
    winner = explanation.winner.map { Path($0) }
    runnerUp = explanation.runnerUp.map { Path($0) }
    reasons = explanation.reasons
  }
}

extension MatchReport {
  /// The explanations as tables.
  func explanationText() -> [String] {
    explanations.flatMap { explanation in
      let fix = trace.matches[explanation.index].fix
      var lines = [
        "fix \(explanation.index)"
          + (fix.time.map { String(format: " at %.1f s", $0.seconds) } ?? "")
          + String(format: " (%.6f, %.6f)", fix.place.latitudeDeg, fix.place.longitudeDeg)
      ]
      if !explanation.candidates.isEmpty {
        lines.append(
          "   #   total    prob | distance  course   speed   route    road | way from before"
            + "                    | road")
      }
      for (number, one) in explanation.candidates.enumerated() {
        let e = one.evidence
        lines.append(
          String(
            format: "  %2d %7.2f %7.4f | %8.2f %7.2f %7.2f %7.2f %7.2f | ", number, one.totalNats,
            one.probability, e.distance, e.course, e.speed, e.route, e.road)
            + way(one.way).padding(toLength: 34, withPad: " ", startingAt: 0) + " | "
            + (one.place.map {
              road($0) + String(format: ", %.1f m away", $0.distanceM)
            } ?? "no road"))
      }
      if let winner = explanation.winner { lines.append("  won: " + path(winner)) }
      if let next = explanation.runnerUp {
        lines.append("  next best: " + path(next) + String(format: ", %.2f nats", next.totalNats))
      }
      lines += explanation.reasons.map { "  because \($0)" }
      return lines
    }
  }

  private func way(_ way: FixExplanation.Way) -> String {
    var words = way.kind.rawValue
    if let from = way.from { words += " from \(from)" }
    if let length = way.lengthM, let expected = way.expectedM {
      words += String(format: " %.0f m, expected %.0f", length, expected)
    }
    return words + String(format: ": %.2f", way.nats)
  }

  private func path(_ path: FixExplanation.Path) -> String {
    let segments = path.segments.map { "\($0.way):\($0.from)>\($0.to)" }
    return segments.isEmpty ? "on no road" : segments.joined(separator: " ")
  }
}
