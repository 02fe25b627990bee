import ArgumentParser
import CLinux
import Foundation
import Geodesy
import MapMatching
import Positioning
import RoadFile
import RoadGraph

@main
struct BenchMatching: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-matching",
    abstract: "Measure the matcher on traces whose true way is known.",
    subcommands: [Matching.self, Departures.self], defaultSubcommand: Matching.self)
}

/// How right the matcher is, and what it costs, on traces whose true way is known.
struct Matching: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ways",
    abstract: "Match traces with known truth, and score the ways and the processor time.",
    discussion: """
      Benchmarks/matching.py writes the list, and runs the peers over the same traces. Every second trace of a \
      set is for tuning, the others are held out.
      """)

  @Option(help: "The list of cases.") var list: String
  @Option(help: "Sets of the list, with commas between; all where not given.") var sets = ""
  @Option(help: "Seconds between fixes, with commas between.") var every = "1"
  @Option(help: "whole, smoothed, agreed, filtered, with commas between.") var modes =
    "whole,smoothed,agreed,filtered"
  @Option(help: "tuning, held-out or all.") var half = "all"
  @Option(help: "Metres of sigma told with each fix.") var reported: Double?
  @Option(help: "Times each trace is matched; the fastest counts.") var rounds = 1
  @Option(help: "Times all cases are gone through; the first knows no street of the map.")
  var passes = 1
  @Option(help: "A number of the tuning, as in --set betaM=5.") var set: [String] = []
  @Option(help: "Write the figures to this file as JSON.") var json: String?
  @Option(help: "Write the matched lines to this file as JSON, to be scored by others.")
  var lines: String?
  @Option(help: "Write how far from the truth each fix was put to this file as JSON.")
  var errors: String?
  @Option(help: "Write the confidence of each whole trace with its mismatch to this file as JSON.")
  var confidence: String?
  @Flag(help: "Print each trace.") var each = false

  func run() throws {
    // As the matcher's process does.
    clinux_keep_freed_memory(16 << 20)
    let cases = try MatchingCase.read(list: list, sets: words(sets))
    let modes = try words(modes).map { word in
      guard let mode = MatchingMode(rawValue: word) else {
        throw ValidationError("--modes has \"\(word)\"")
      }
      return (mode: mode, tuning: try TuningNames.apply(set, to: mode.tuning))
    }
    var networks: [String: MatchingNetwork] = [:]
    var results = MatchingResults(
      keepsLines: lines != nil, keepsErrors: errors != nil, keepsConfidence: confidence != nil)
    for pass in 1...max(1, passes) {
      var counts: [String: Int] = [:]
      for one in cases {
        counts[one.set, default: 0] += 1
        let isTuned = (counts[one.set] ?? 0) % 2 == 1
        guard half == "all" || (half == "tuning") == isTuned else { continue }
        let network = try networks[one.map] ?? Self.network(one.map)
        // A map of a track's own is kept only where it is come back to.
        if one.set != "kubicka" || passes > 1 { networks[one.map] = network }
        let truth = RouteMismatch(truth: one.truth)
        for step in words(every).compactMap({ Int($0) }) where step > 0 {
          let sampled = one.sampled(every: step, sigmaM: reported)
          for (mode, tuning) in modes {
            let run = fastest(sampled.fixes, mode, network, tuning)
            let result = MatchingResult(
              one: sampled, run: run, score: truth.score(run.lines), truth: truth,
              graph: network.graph, half: isTuned ? "tuning" : "held-out", mode: mode,
              everyS: step, toldM: reported, pass: pass)
            results.add(result)
            if each { print("  \(result.report(of: one.id, result.half).row)") }
          }
        }
      }
    }
    let reports = results.finishedReports
    for report in reports where half == "all" || report.half != "all" { print(report.row) }
    try write(reports, to: json)
    try write(results.drawn, to: lines)
    try write(results.placed, to: errors)
    try write(results.judged, to: confidence)
  }

  /// The run of `rounds` that took least.
  private func fastest(
    _ fixes: [Fix], _ mode: MatchingMode, _ network: MatchingNetwork, _ tuning: MatcherTuning
  ) -> MatchingRun {
    var run = MatchingRun(fixes, mode: mode, network: network, tuning: tuning)
    for _ in 0..<rounds where rounds > 1 {
      run.cpuS = min(
        run.cpuS, MatchingRun(fixes, mode: mode, network: network, tuning: tuning).cpuS)
    }
    return run
  }

  private func words(_ list: String) -> [String] { list.split(separator: ",").map(String.init) }

  private static func network(_ map: String) throws -> MatchingNetwork {
    do throws(RoadFileError) {
      return MatchingNetwork(graph: try RoadFile.open(path: map), mode: .car)
    } catch {
      throw ValidationError(error.description)
    }
  }

  private func write(_ value: some Encodable, to path: String?) throws {
    guard let path else { return }
    try JSONEncoder().encode(value).write(to: URL(fileURLWithPath: path))
  }
}
