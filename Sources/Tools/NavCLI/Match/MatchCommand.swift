import ArgumentParser
import Foundation
import MapMatching
import NodeKit
import Positioning
import RoadFile
import RoadGraph

/// `nav match`: matches recorded traces to the roads of a map file, without a running stack.
struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: "Match recorded traces to the roads of a map.",
    discussion: """
      A trace is GPX, TCX, KML, GeoJSON, JSON records, PLT, an NMEA 0183 or OwnTracks log, or CSV with a header \
      line: time, lat, lon, and optionally speed_mps, bearing_deg, accuracy_m, trip. Times are ISO 8601, \
      seconds from any start, or seconds, milliseconds, microseconds or nanoseconds since 1970; in the \
      output they are seconds with the same origin.

      Several files, and all trips of a file with --trip all, are matched on all processors; results are printed in \
      the order of the files. json and osrm write a line for each trace, csv rows with one header, geojson and gpx \
      one document. A file that cannot be read is reported, does not affect other files, and makes the exit code 1.

      --explain reports for each fix, and with --explain INDEX for one, the candidate roads, how \
      likely each was, the best path, the next best path, and what distinguishes them.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case jsonl
    case geojson
    case csv
    case gpx
    case osrm
  }

  enum Rows: String, ExpressibleByArgument, CaseIterable {
    case fixes
    case ways
  }

  @Argument(help: "The recordings; - is standard input. Formats are detected.")
  var files: [String]
  @Option(help: "A .navmap or OSM file.") var map: String
  @Option(
    help:
      "Name or number (from 1) of the trip or track, or all; default: the first with more than one fix."
  )
  var trip: String?
  @Option(help: "Checksums of NMEA sentences: required (others are left out) or optional.")
  var nmeaChecksum = "required"
  @Option(help: "Weeks added to each NMEA date: 1024 for old receivers since 2019.")
  var nmeaAddWeeks = 0
  @Option(help: "car, truck, bus, taxi, scooter, bicycle or pedestrian.") var mode = "car"
  @Option(
    help:
      "Standard deviation in metres of fixes without an accuracy; by default, it is learned from each trace."
  )
  var sigma: Double?
  @Flag(
    help:
      "Match fix by fix as in a drive: smoothed after the lag, in addition to the immediate match.")
  var online = false
  @Option(
    help: "lag: after the lag; agreed: once all likely paths converge, at the latest after the lag."
  )
  var smoothing = Smoothing.Rule.lag.rawValue
  @Option(help: "Maximum lag in fixes; default: 5, or 100 with agreed.")
  var lagFixes: Int?
  @Option(help: "Maximum lag in seconds; default: 10, or 100 with agreed.")
  var lagS: Double?
  @Option(help: "text, json (a line for each trace), jsonl (the same), geojson, csv, gpx or osrm.")
  var format = Format.text
  @Option(help: "What a csv row contains: a fix, or a way driven.")
  var rows = Rows.fixes
  @Option(help: "Traces matched at the same time; default: one for each processor.")
  var threads: Int?
  @Option(help: "Explain the fix with this number, counted from 0; without a number, all fixes.")
  var explain: String?

  /// The value that stands for `--explain` without a number.
  static let explainsAll = "all"

  func validate() throws {
    guard Smoothing.Rule(rawValue: smoothing) != nil else {
      throw ValidationError("--smoothing \(smoothing): lag or agreed")
    }
    guard online || (smoothing == Smoothing.Rule.lag.rawValue && lagFixes == nil && lagS == nil)
    else {
      throw ValidationError("--smoothing, --lag-fixes and --lag-s are for --online")
    }
    guard ["required", "optional"].contains(nmeaChecksum) else {
      throw ValidationError("--nmea-checksum \(nmeaChecksum): required or optional")
    }
    guard (0...4096).contains(nmeaAddWeeks) else {
      throw ValidationError("--nmea-add-weeks \(nmeaAddWeeks): 0 to 4096")
    }
    guard lagFixes ?? 1 > 0, lagS ?? 1 > 0 else {
      throw ValidationError("--lag-fixes and --lag-s must be greater than 0")
    }
    guard sigma.map({ (0.1...100).contains($0) }) ?? true else {
      throw ValidationError("--sigma \(sigma ?? 0): 0.1 to 100 m")
    }
    guard (1...1024).contains(threads ?? 1) else {
      throw ValidationError("--threads \(threads ?? 0): 1 to 1024")
    }
    guard rows == .fixes || format == .csv else {
      throw ValidationError("--rows ways is for --format csv; json and geojson contain the ways")
    }
    guard files.count(where: { $0 == "-" }) < 2 else {
      throw ValidationError("standard input (-) can be read only once")
    }
  }

  /// The arguments, with a value added to an `--explain` that has none.
  static func completed(_ arguments: [String]) -> [String] {
    guard arguments.first == configuration.commandName else { return arguments }
    var completed: [String] = []
    for (index, word) in arguments.enumerated() {
      let next = index + 1 < arguments.count ? arguments[index + 1] : ""
      let isBare = word == "--explain" && Int(next) == nil && next != explainsAll
      completed.append(isBare ? "--explain=\(explainsAll)" : word)
    }
    return completed
  }

  func run() throws {
    var failures: [String] = []
    do throws(MatchCommandFault) {
      guard let mode = TravelMode(word: mode) else {
        let modes = TravelMode.allCases.map(\.word).joined(separator: ", ")
        throw MatchCommandFault("--mode \(mode) is not a travel mode; modes are \(modes)")
      }
      let graph = try graph()
      let setting = setting(graph)
      let batch = MatchBatch(
        files: files, trip: trip,
        nmea: NMEAOptions(
          requiresChecksum: nmeaChecksum == "required", addedWeeks: nmeaAddWeeks),
        threads: threads ?? ProcessInfo.processInfo.activeProcessorCount,
        work: MatchWork(network: MatchingNetwork(graph: graph, mode: mode), setting: setting))
      let done = try batch.run(MatchOutput(setting))
      failures = done.failures
      if let outside = done.tally.outside {
        Self.say("\(map): \(outside.sentence(ofTraces: done.tally.traces))")
      }
      if files.count > 1 || done.tally.traces > 1 {
        Self.say(Self.summary(done.tally, setting.origin))
        if !failures.isEmpty { Self.say("failed: \(failures.count)") }
      }
    } catch {
      failures.append(error.sentence)
    }
    failures.forEach { Self.say($0) }
    if !failures.isEmpty { throw ExitCode.failure }
  }

  private func setting(_ graph: RoadGraph) -> MatchSetting {
    var setting = MatchSetting()
    setting.format = format
    setting.rows = rows
    setting.isOnline = online
    let rule =
      online
      ? Smoothing(Smoothing.Rule(rawValue: smoothing) ?? .lag, fixes: lagFixes, timeS: lagS) : nil
    if let rule { setting.tuning = rule.tuning(MatcherTuning()) }
    setting.sigmaM = sigma
    setting.explain = explain
    setting.origin = MatchOrigin(
      program: "nav \(NodeVersion.text)", map: map,
      mapDigest: String(format: "%016llx", graph.hash),
      parameters: MatchOrigin.parameters(mode: mode, sigmaM: sigma, online: rule))
    return setting
  }

  private static func summary(_ tally: MatchTally, _ origin: MatchOrigin) -> String {
    "\(tally.traces) traces: \(tally.matched) of \(tally.fixes) fixes matched, "
      + String(format: "%.1f km driven", tally.lengthM / 1000)
      + "; \(origin.program), map \(origin.map) \(origin.mapDigest)"
  }

  static func say(_ sentence: String) {
    FileHandle.standardError.write(Data("nav: \(sentence)\n".utf8))
  }

  private func graph() throws(MatchCommandFault) -> RoadGraph {
    do throws(RoadFileError) {
      return try RoadFile.open(path: map)
    } catch {
      throw MatchCommandFault(error.description)
    }
  }
}

/// The reason why `nav match` has no answer.
struct MatchCommandFault: Error {
  var sentence: String
  init(_ sentence: String) { self.sentence = sentence }
}
