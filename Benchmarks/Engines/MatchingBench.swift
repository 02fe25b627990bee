import Foundations
import MapMatching
import Positioning
import RoadGraph
import Route

/// Matches traces as a live vehicle is matched: fix by fix.
struct MatchingBench {
  struct Figures: Encodable {
    var name: String
    var traces: Int
    var fixes: Int
    var matched: Int
    var cpuMS: Double
    var fixesPerCPUSecond: Double
  }

  private let network: MatchingNetwork

  init(graph: RoadGraph) { network = MatchingNetwork(graph: graph, mode: .car) }

  /// Measures the matching of all `traces`, each with a matcher of its own.
  func run(_ name: String, _ traces: [[Fix]]) -> Figures {
    var matched = 0
    var fixes = 0
    var watch = Stopwatch()
    for trace in traces {
      var matcher = OnlineMatcher(network: network)
      for fix in trace where matcher.match(fix).match.place != nil { matched += 1 }
      _ = matcher.finish()
      fixes += trace.count
    }
    let cpuMS = watch.lapMS()
    return Figures(
      name: name, traces: traces.count, fixes: fixes, matched: matched, cpuMS: cpuMS,
      fixesPerCPUSecond: cpuMS > 0 ? Double(fixes) / cpuMS * 1000 : 0)
  }
}

/// A simulated drive along a route with a fix a second, white noise of 3 m and drift of 3 m.
struct Drive {
  private static let longestS = 7_200

  let fixes: [Fix]

  init(along route: Route, seed: UInt64) {
    let start = Instant(seconds: 1_767_254_400)
    var noise = NoiseSettings()
    noise.sigmaM = 3
    noise.driftSigmaM = 3
    var receiver = NoisyReceiver(noise, seed: seed)
    var driver = RouteSimulator(start: route.waypoints[0].matched, streets: nil)
    driver.adopt(route, at: start)
    var fixes: [Fix] = []
    for second in 0..<Self.longestS {
      let now = start.advanced(bySeconds: Double(second))
      if let fix = receiver.fix(of: driver.truth(at: now), at: now) { fixes.append(fix) }
      if driver.isStanding(at: now) { break }
    }
    self.fixes = fixes
  }
}
