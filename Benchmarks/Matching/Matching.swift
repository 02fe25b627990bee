import ArgumentParser
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
  @Option(help: "Metres of sigma told with each fix.") var told: Double?
  @Option(help: "Times each trace is matched; the fastest counts.") var rounds = 1
  @Option(help: "Times all cases are gone through; the first knows no street of the map.")
  var passes = 1
  @Option(help: "A number of the tuning, as in --set betaM=5.") var set: [String] = []
  @Option(help: "Write the figures to this file as JSON.") var json: String?
  @Option(help: "Write the matched lines to this file as JSON, to be scored by others.")
  var lines: String?
  @Option(help: "Write how far from the truth each fix was put to this file as JSON.")
  var errors: String?
  @Flag(help: "Print each trace.") var each = false

  struct Drawn: Encodable {
    var set: String
    var id: String
    var mode: String
    var everyS: Int
    var lines: [[[Double]]]
  }

  struct Placed: Encodable {
    var set: String
    var id: String
    var mode: String
    var everyS: Int
    /// Metres, of each fix; nil where it was put on no road or the truth is not known.
    var errorsM: [Double?]
  }

  func run() throws {
    let cases = try MatchingCase.read(list: list, sets: words(sets))
    let modes = try words(modes).map { word in
      guard let mode = MatchingMode(rawValue: word) else {
        throw ValidationError("--modes has \"\(word)\"")
      }
      return (mode: mode, tuning: try TuningNames.apply(set, to: mode.tuning))
    }
    var networks: [String: MatchingNetwork] = [:]
    var reports = Reports()
    var drawn: [Drawn] = []
    var placed: [Placed] = []
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
          let sampled = one.sampled(every: step, sigmaM: told)
          for (mode, tuning) in modes {
            let run = fastest(sampled.fixes, mode, network, tuning)
            let score = truth.score(run.lines)
            let halves = [isTuned ? "tuning" : "held-out", "all"]
            func report(_ name: String, _ half: String) -> MatchingReport {
              MatchingReport(
                set: name, half: half, mode: mode, everyS: step, toldM: told, pass: pass)
            }
            for name in halves {
              reports.add(report(one.set, name)) {
                $0.add(run, of: sampled, score: score, against: truth, on: network.graph)
              }
            }
            if each {
              var row = report(one.id, halves[0])
              row.add(run, of: sampled, score: score, against: truth, on: network.graph)
              print("  \(row.row)")
            }
            if errors != nil {
              placed.append(
                Placed(
                  set: one.set, id: one.id, mode: mode.rawValue, everyS: step,
                  errorsM: zip(run.places, sampled.truePlaces).map { place, truly in
                    place.flatMap { place in truly.map { place.distanceM(to: $0) } }
                  }))
            }
            if lines != nil {
              drawn.append(
                Drawn(
                  set: one.set, id: one.id, mode: mode.rawValue, everyS: step,
                  lines: run.lines.map { $0.map { [$0.latitudeDeg, $0.longitudeDeg] } }))
            }
          }
        }
      }
    }
    let finished = reports.finished()
    for report in finished where half == "all" || report.half != "all" { print(report.row) }
    try write(finished, to: json)
    try write(drawn, to: lines)
    try write(placed, to: errors)
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

/// The figures of all sets, modes and samplings, in the order in which they came.
private struct Reports {
  private var reports: [MatchingReport] = []
  private var numbers: [String: Int] = [:]

  /// Lets `add` note a trace in the report that is like `empty`, or in that.
  mutating func add(_ empty: MatchingReport, _ add: (inout MatchingReport) -> Void) {
    let number = numbers[empty.key] ?? reports.count
    if number == reports.count {
      numbers[empty.key] = number
      reports.append(empty)
    }
    add(&reports[number])
  }

  consuming func finished() -> [MatchingReport] {
    for number in reports.indices { reports[number].finish() }
    return reports
  }
}
