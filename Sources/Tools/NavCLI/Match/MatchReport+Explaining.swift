import Foundation
import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph

extension MatchReport {
  /// Appends the reasons for the match of a fix, as JSON.
  static func write(_ explanation: FixExplanation, _ out: inout OutputText) {
    out.text("{\"candidates\":[" as StaticString)
    for (index, one) in explanation.candidates.enumerated() {
      if index > 0 { out.byte(0x2c) }
      write(one, &out)
    }
    out.byte(0x5d)
    if let winner = explanation.winner {
      out.text(",\"winner\":" as StaticString)
      write(winner, &out)
    }
    if let next = explanation.runnerUp {
      out.text(",\"runner_up\":" as StaticString)
      write(next, &out)
    }
    out.text(",\"reasons\":[" as StaticString)
    for (index, reason) in explanation.reasons.enumerated() {
      if index > 0 { out.byte(0x2c) }
      out.json(reason)
    }
    out.text("]}" as StaticString)
  }

  private static func write(_ one: FixExplanation.Candidate, _ out: inout OutputText) {
    out.text("{\"off_road\":" as StaticString)
    out.json(one.place == nil)
    if let place = one.place {
      out.text(",\"segment\":" as StaticString)
      write(place.segment, &out)
      out.text(",\"lat\":" as StaticString)
      out.fixed(place.coordinate.latitudeDeg, 7)
      out.text(",\"lon\":" as StaticString)
      out.fixed(place.coordinate.longitudeDeg, 7)
      out.text(",\"distance_m\":" as StaticString)
      out.fixed(place.distanceM, 2)
    }
    let numbers: [(StaticString, Double)] = [
      (",\"total_nats\":", one.totalNats), (",\"probability\":", one.probability),
      (",\"way_nats\":", one.transition.nats),
      (",\"evidence_nats\":{\"distance\":", one.evidence.distance),
      (",\"course\":", one.evidence.course), (",\"speed\":", one.evidence.speed),
      (",\"route\":", one.evidence.route), (",\"road\":", one.evidence.road),
      (",\"total\":", one.evidence.total),
    ]
    for (name, value) in numbers {
      out.text(name)
      out.json(value, 6)
    }
    out.text("},\"came_by\":" as StaticString)
    out.json(one.transition.kind.rawValue)
    if let from = one.transition.from {
      out.text(",\"came_from\":" as StaticString)
      out.integer(from)
    }
    if let lengthM = one.transition.lengthM {
      out.text(",\"way_m\":" as StaticString)
      out.json(lengthM, 2)
    }
    if let expectedM = one.transition.expectedM {
      out.text(",\"expected_m\":" as StaticString)
      out.json(expectedM, 2)
    }
    out.byte(0x7d)
  }

  private static func write(_ path: FixExplanation.Path, _ out: inout OutputText) {
    out.text("{\"here\":" as StaticString)
    out.integer(path.here)
    if let before = path.before {
      out.text(",\"before\":" as StaticString)
      out.integer(before)
    }
    if let after = path.after {
      out.text(",\"after\":" as StaticString)
      out.integer(after)
    }
    out.text(",\"segments\":[" as StaticString)
    for (index, segment) in path.segments.enumerated() {
      if index > 0 { out.byte(0x2c) }
      write(segment, &out)
    }
    out.text("],\"total_nats\":" as StaticString)
    out.json(path.totalNats, 6)
    out.byte(0x7d)
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
          "   #   total    prob | distance  course   speed   route    road | path from before"
            + "                    | road")
      }
      for (number, one) in explanation.candidates.enumerated() {
        let e = one.evidence
        lines.append(
          String(
            format: "  %2d %7.2f %7.4f | %8.2f %7.2f %7.2f %7.2f %7.2f | ", number, one.totalNats,
            one.probability, e.distance, e.course, e.speed, e.route, e.road)
            + transition(one.transition).padding(toLength: 34, withPad: " ", startingAt: 0) + " | "
            + (one.place.map {
              road($0) + String(format: ", %.1f m away", $0.distanceM)
            } ?? "no road"))
      }
      if let winner = explanation.winner { lines.append("  won: " + path(winner)) }
      if let next = explanation.runnerUp {
        lines.append("  next best: " + path(next) + String(format: ", %.2f nats", next.totalNats))
      }
      lines += explanation.reasons.map { "  reason: \($0)" }
      return lines
    }
  }

  private func transition(_ transition: FixExplanation.Transition) -> String {
    var words = transition.kind.rawValue
    if let from = transition.from { words += " from \(from)" }
    if let length = transition.lengthM, let expected = transition.expectedM {
      words += String(format: " %.0f m, expected %.0f", length, expected)
    }
    return words + String(format: ": %.2f", transition.nats)
  }

  private func path(_ path: FixExplanation.Path) -> String {
    let segments = path.segments.map { "\($0.way):\($0.from)>\($0.to)" }
    return segments.isEmpty ? "on no road" : segments.joined(separator: " ")
  }
}
