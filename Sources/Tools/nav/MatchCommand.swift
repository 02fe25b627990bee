import ArgumentParser
import EventTime
import Foundation
import Geodesy
import MapMatching
import Positioning
import RoadFile
import RoadGraph

/// `nav match`: a recorded trace on the roads of a map file, with no stack running.
struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: "Match a recorded trace to the roads of a map.",
    discussion: """
      The trace is GPX, TCX, KML, GeoJSON, records in JSON, PLT, a log of NMEA 0183 or of OwnTracks, or CSV with a header \
      line: time, lat, lon, and optionally speed_mps, bearing_deg, accuracy_m, trip. Times are ISO 8601, \
      seconds from any start, or seconds, milliseconds, microseconds or nanoseconds since 1970; in the \
      output they are seconds with the same origin.

      --explain tells of each fix, and with --explain INDEX of one, what roads were weighed, how \
      likely each was, the winning way, the next best, and what told them apart.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case geojson
    case csv
    case gpx
    case osrm
  }

  @Argument(help: "The recording; its format is recognised.") var file: String
  @Option(help: "A .navmap or OSM file.") var map: String
  @Option(
    help:
      "Name or number (from 1) of the trip or track; default: the first with more than one fix.")
  var trip: String?
  @Option(help: "Checksums of NMEA sentences: required (others are left out) or optional.")
  var nmeaChecksum = "required"
  @Option(help: "Weeks added to each NMEA date: 1024 for old receivers since 2019.")
  var nmeaAddWeeks = 0
  @Option(help: "car, truck, bus, taxi, scooter, bicycle or pedestrian.") var mode = "car"
  @Flag(help: "Match fix by fix as in a drive: smoothed after the lag, and beside it as at once.")
  var online = false
  @Option(help: "lag: after the lag; agreed: once all likely ways agree, at the lag at the latest.")
  var smoothing = Smoothing.Rule.lag.rawValue
  @Option(help: "Fixes for which a smoothed answer waits at most; 5, or 100 where they agree.")
  var lagFixes: Int?
  @Option(help: "Seconds for which it waits at most; 10, or 100 where they agree.")
  var lagS: Double?
  @Option(help: "text, json, geojson, csv, gpx or osrm.") var format = Format.text
  @Option(help: "Explain the fix of this number, counted from 0; without a number each of them.")
  var explain: String?

  /// The word that stands for `--explain` without a number.
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
      throw ValidationError("--lag-fixes and --lag-s are greater than 0")
    }
  }

  /// The arguments with a word behind an `--explain` that has none.
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
    do throws(MatchCommandFault) {
      guard let mode = TravelMode(word: mode) else {
        throw MatchCommandFault("--mode \(mode) is no travel mode")
      }
      let read = try TraceFile(
        file, trip: trip,
        nmea: NMEAOptions(
          requiresChecksum: nmeaChecksum == "required", addedWeeks: nmeaAddWeeks))
      let fixes = read.fixes
      read.remarks.forEach { Self.say($0) }
      let explained = try explained(fixes.count)
      let checked = CheckedTrace(fixes, looksBack: !online)
      checked.remarks.forEach { Self.say($0) }
      let network = MatchingNetwork(graph: try graph(), mode: mode)
      var report = MatchReport(trace: matched(checked.fixes, network), network: network)
      report.trace.restore(fixes, frozen: checked.frozen)
      Self.outcomeRemarks(report.trace).forEach { Self.say($0) }
      if online { report.live = live(checked.fixes, network) }
      if let explained {
        report.explanations = network.explain(
          trace: checked.fixes, wanted: explained, isOnline: online)
        if format == .text {
          return try Self.write(report.explanationText())
        }
      }
      switch format {
      case .text: try Self.write([report.text()])
      case .json: try Self.write([try report.json()])
      case .geojson: try Self.write([try report.geoJSON()])
      case .csv: try Self.write(report.csvLines())
      case .gpx: try Self.write(report.gpxLines())
      case .osrm: try Self.write([try report.osrm()])
      }
    } catch {
      Self.say(error.sentence)
      throw ExitCode.failure
    }
  }

  /// Writes lines to the output; what cannot be written is an error and not the end of a good answer.
  private static func write(_ lines: [String]) throws(MatchCommandFault) {
    do {
      for first in stride(from: 0, to: lines.count, by: 4096) {
        let text = lines[first..<min(first + 4096, lines.count)].joined(separator: "\n") + "\n"
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
      }
    } catch {
      throw MatchCommandFault("the answer cannot be written: \(error.localizedDescription)")
    }
  }

  private static func say(_ sentence: String) {
    FileHandle.standardError.write(Data("nav: \(sentence)\n".utf8))
  }

  /// Returns remarks about the fixes that were not matched.
  private static func outcomeRemarks(_ trace: MatchedTrace) -> [String] {
    guard trace.matches.contains(where: { $0.place != nil }) else {
      return trace.matches.isEmpty ? ["the trace holds no fix"] : [trace.whyNothingMatched]
    }
    return trace.unused.filter { $0.key != .noTime }.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "of \(trace.matches.count) fixes \($0.value) \($0.key.predicate)" }
  }

  private func explained(_ count: Int) throws(MatchCommandFault) -> Range<Int>? {
    guard let explain else { return nil }
    if explain == Self.explainsAll { return 0..<count }
    guard let index = Int(explain), (0..<count).contains(index) else {
      throw MatchCommandFault("--explain \(explain): the trace has fixes 0 to \(count - 1)")
    }
    return index..<(index + 1)
  }

  private func matched(_ fixes: [Fix], _ network: MatchingNetwork) -> MatchedTrace {
    var progress = MatchProgress(count: fixes.count)
    guard online else { return network.match(trace: fixes) { progress.done($0) } }
    let rule = Smoothing(
      Smoothing.Rule(rawValue: smoothing) ?? .lag, fixes: lagFixes, timeS: lagS)
    var matcher = OnlineMatcher(network: network, tuning: rule.tuning(MatcherTuning()))
    var smoothed: [Match] = []
    for (index, fix) in fixes.enumerated() {
      smoothed += matcher.smooth(fix)
      if index % 4096 == 4095 { progress.done(index + 1) }
    }
    return MatchedTrace(
      matches: smoothed + matcher.finish(), confidence: matcher.confidence, network: network)
  }

  /// The answers at once.
  private func live(_ fixes: [Fix], _ network: MatchingNetwork) -> [Match] {
    var matcher = OnlineMatcher(network: network)
    return fixes.map { matcher.match($0).match }
  }

  private func graph() throws(MatchCommandFault) -> RoadGraph {
    do throws(RoadFileError) {
      return try RoadFile.open(path: map)
    } catch {
      throw MatchCommandFault(error.description)
    }
  }
}

/// Why `nav match` has no answer.
struct MatchCommandFault: Error {
  var sentence: String
  init(_ sentence: String) { self.sentence = sentence }
}

/// Tells how far a long trace is, on standard error.
private struct MatchProgress {
  let count: Int
  private var told = 0

  init(count: Int) { self.count = count }

  /// Says each tenth of a trace of 20,000 fixes and more.
  mutating func done(_ fixes: Int) {
    let tenths = fixes * 10 / max(1, count)
    guard count >= 20_000, tenths > told else { return }
    told = tenths
    FileHandle.standardError.write(
      Data("nav: matched \(fixes) of \(count) fixes, \(tenths * 10) %\n".utf8))
  }
}
