import Foundation
import RoadGraph
import Route
import Routing

/// Explains a route: the costs of its roads, and those of the best alternative.
enum RouteReason {
  /// A stretch of one road.
  private struct Stretch {
    var title: String
    var lengthM = 0.0
    var drivingS = 0.0
    var turnS = 0.0
    var extraS = 0.0
    var entryS = 0.0
  }

  /// The explanation of the best of `paths`, and its differences from each other one.
  static func text(_ paths: [FoundPath], by metric: RoadMetric, _ request: RouteRequest) -> String {
    guard let best = paths.first else { return "" }
    let account = CostBreakdown(best, by: metric)
    var lines = ["why this route (\(request.optimisation.rawValue), \(request.mode.word)):"]
    lines.append("      km     min  km/h  turns s  penalty s")
    for stretch in stretches(account, metric) {
      let hours = stretch.drivingS / 3600
      let kmh = hours > 0 ? stretch.lengthM / 1000 / hours : 0
      lines.append(
        String(
          format: "%8.2f %7.1f %5.0f %8.0f %10.0f  ", stretch.lengthM / 1000,
          stretch.drivingS / 60, kmh, stretch.turnS, stretch.extraS + stretch.entryS)
          + stretch.title)
    }
    lines.append(
      String(
        format: "cost %.0f s: %.0f s driving, %.0f s turns and signals, %.0f s penalties",
        account.costS, account.drivingS, account.turnS, account.extraS + account.entryS))
    lines += others(paths, account, metric)
    return lines.joined(separator: "\n")
  }

  private static func stretches(_ account: CostBreakdown, _ metric: RoadMetric) -> [Stretch] {
    let graph = metric.network.graph
    var all: [Stretch] = []
    for item in account.items {
      let title = title(RoadFacts(graph, item.edge), isClosed: metric.isClosed(item.edge))
      if all.last?.title != title { all.append(Stretch(title: title)) }
      all[all.count - 1].lengthM += item.lengthM
      all[all.count - 1].drivingS += item.drivingS
      all[all.count - 1].turnS += item.turnS
      all[all.count - 1].extraS += item.extraS
      all[all.count - 1].entryS += item.entryS
    }
    return all
  }

  private static func title(_ road: RoadFacts, isClosed: Bool) -> String {
    let names = [road.name, road.number].filter { !$0.isEmpty }.joined(separator: ", ")
    let flags: [(Bool, String)] = [
      (road.isToll, "toll"), (road.isFerry, "ferry"), (road.isTunnel, "tunnel"),
      (road.isUnpaved, "unpaved"), (road.isCarPool, "car pool"), (isClosed, "closed"),
    ]
    let marks = flags.filter(\.0).map(\.1)
    return "\(names.isEmpty ? "no name" : names) (\(road.roadClass)"
      + (marks.isEmpty ? ")" : ", \(marks.joined(separator: ", ")))")
  }

  private static func others(
    _ paths: [FoundPath], _ best: CostBreakdown, _ metric: RoadMetric
  ) -> [String] {
    guard paths.count > 1 else { return ["no alternative differs enough at little extra cost"] }
    let own = Set(best.items.map(\.edge))
    let graph = metric.network.graph
    return paths.dropFirst().map { path in
      let other = CostBreakdown(path, by: metric)
      var lengths: [String: Double] = [:]
      for item in other.items where !own.contains(item.edge) {
        let road = RoadFacts(graph, item.edge)
        let name = road.name.isEmpty ? road.number : road.name
        if !name.isEmpty { lengths[name, default: 0] += item.lengthM }
      }
      let by = lengths.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(2).map(\.key)
      let lengthM = other.items.reduce(0) { $0 + $1.lengthM }
      let bestM = best.items.reduce(0) { $0 + $1.lengthM }
      return "alternative" + (by.isEmpty ? "" : " via \(by.joined(separator: " and "))")
        + String(
          format: " costs %+.0f s: %+.0f s driving, %+.0f s turns, %+.0f s penalties, %+.2f km",
          other.costS - best.costS, other.drivingS - best.drivingS, other.turnS - best.turnS,
          other.extraS + other.entryS - best.extraS - best.entryS, (lengthM - bestM) / 1000)
    }
  }
}
