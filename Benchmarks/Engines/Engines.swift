import ArgumentParser
import Foundation
import Foundations
import Positioning
import RoadFile
import RoadGraph
import Route

/// What routing and matching cost in processor time, on one thread of this process.
@main
struct Engines: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-engines", abstract: "Measure routing and matching on a map file.",
    discussion: """
      Times are of the processor, not of the wall. Pairs are ends of roads that a car may use, at \
      least 500 m apart, drawn with the seed. Matching is online: one fix at a time, each \
      answered at once; on recorded traces, and on drives along the first routes with a fix a \
      second.
      """)

  @Option(help: "A .navmap or OSM file.") var map: String
  @Option(help: "How many pairs to route.") var pairs = 1000
  @Option(help: "Seed of the pairs and of the drives' noise.") var seed: UInt64 = 1
  @Option(help: "Recorded traces to match, as CSV.") var traces: String?
  @Flag(help: "No matching.") var routingOnly = false
  @Option(help: "How many routes to drive for matching at one fix a second.") var drives = 20
  @Flag(help: "Print JSON.") var json = false

  /// All figures of one run.
  struct Report: Encodable {
    var map: String
    var nodeCount: Int
    var edgeCount: Int
    var seed: UInt64
    var openCPUMS: Double
    var networkCPUMS: Double
    var metricCPUMS: Double
    var hierarchyCPUMS: Double
    var customizeCPUMS: Double
    var routing: RoutingBench.Figures
    var traffic: [TrafficBench.Figures]
    var matching: [MatchingBench.Figures]
  }

  func run() throws {
    var opening = Stopwatch()
    let graph: RoadGraph
    do {
      graph = try RoadFile.open(path: map)
    } catch {
      throw ValidationError("\(error)")
    }
    let openCPUMS = opening.lapMS()
    let bench = RoutingBench(graph: graph)
    let (routing, routes) = bench.run(pairs: max(1, pairs), seed: seed, keeping: drives)
    var matching: [MatchingBench.Figures] = []
    if !routingOnly {
      let matcher = MatchingBench(graph: graph)
      if let traces { matching.append(matcher.run("traces", try recorded(traces))) }
      let driven = routes.map { Drive(along: $0, seed: seed).fixes }
      matching.append(matcher.run("1 Hz drives", driven))
    }
    try show(
      Report(
        map: URL(fileURLWithPath: map).lastPathComponent, nodeCount: graph.nodeCount,
        edgeCount: graph.edgeCount, seed: seed, openCPUMS: openCPUMS,
        networkCPUMS: bench.networkCPUMS, metricCPUMS: bench.metricCPUMS,
        hierarchyCPUMS: bench.hierarchyCPUMS,
        customizeCPUMS: bench.customizeCPUMS, routing: routing,
        traffic: bench.trafficFigures(seed: seed), matching: matching))
  }

  private func recorded(_ path: String) throws -> [[Fix]] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ValidationError("\(path) cannot be read")
    }
    do {
      return try CSVTrace.parse([UInt8](data)).map(\.fixes)
    } catch {
      throw ValidationError("\(path):\(error.line):\(error.column): \(error.problem)")
    }
  }

  private func show(_ report: Report) throws {
    guard !json else {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return print(String(decoding: try encoder.encode(report), as: UTF8.self))
    }
    let routing = report.routing
    func ms(_ value: Double) -> String { String(format: "%.2f ms", value) }
    print(
      "\(report.map): \(report.nodeCount) nodes, \(report.edgeCount) edges; CPU to open "
        + "\(ms(report.openCPUMS)), network \(ms(report.networkCPUMS)), metric "
        + "\(ms(report.metricCPUMS)), hierarchy \(ms(report.hierarchyCPUMS)), customization "
        + ms(report.customizeCPUMS))
    print(
      "routing, \(routing.pairs) pairs, seed \(report.seed), crow-fly median "
        + String(format: "%.1f km", routing.crowMedianM / 1000)
        + ", \(routing.failed) without a route")
    print("  lean: CPU p50 \(ms(routing.leanMS.p50)), p95 \(ms(routing.leanMS.p95))")
    print("  full: CPU p50 \(ms(routing.fullMS.p50)), p95 \(ms(routing.fullMS.p95))")
    for figures in report.traffic {
      print(
        "new traffic on \(figures.reports) edges: CPU \(ms(figures.wholeMS)) to the next answer: view "
          + "\(ms(figures.viewMS)), metric \(ms(figures.metricMS)), customization "
          + "\(ms(figures.customizeMS)), route \(ms(figures.queryMS))")
    }
    for figures in report.matching {
      print(
        "matching, \(figures.name): \(figures.fixes) fixes of \(figures.traces) traces, "
          + "\(figures.matched) matched, \(Int(figures.fixesPerCPUSecond)) fixes/s of CPU")
    }
  }
}
