import Foundation
import Geodesy
import Messages
import Positioning
import Route

/// The newest fixes of a drive and what was made of them, to look at what led to a report.
struct DriveLog {
  private static let length = 14
  private(set) var lines: [String] = []

  mutating func record(
    _ step: RouteDrive.Step, _ answer: GuidedDrive.Answer, awayM: Double, on route: Set<[Int64]>
  ) {
    let matched = answer.matched
    let segment = matched?.segment
    let key = segment.map { [$0.way, $0.from, $0.to] }
    let place =
      segment.map {
        "\($0.way) \($0.from)-\($0.to) "
          + (key.map { route.contains($0) } == true ? "on " : "OFF")
      } ?? "none"
    let progress = answer.progress.map {
      String(format: "%@ %.0f m", $0.onRoute.rawValue, $0.travelledM)
    }
    lines.append(
      String(
        format:
          "    %7.0f m %@ away %3.0f m, %4.1f m/s %4.0f deg, err %4.1f m, fix %4.1f m from road, %@ p %.3f bearing %3.0f off road %.2f off route %.3f | %@%@",
        step.drivenM, step.hasStrayed ? "LEFT" : "    ", awayM, step.fix.speedMps ?? -1,
        step.fix.bearingDeg ?? -1, step.truth.distanceM(to: step.fix.place),
        matched?.distanceM ?? -1, place, matched?.probability ?? -1, matched?.bearingDeg ?? -1,
        matched?.offRoadProbability ?? -1, matched?.offRouteProbability ?? -1, progress ?? "-",
        answer.deviation.map { " DEVIATION \($0.evidence.fixes)" } ?? ""))
    if lines.count > Self.length { lines.removeFirst() }
  }
}
