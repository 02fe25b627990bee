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
      The trace is GPX, a log of NMEA 0183, or CSV with a header line: time, lat, lon, and where \
      known speed_mps, bearing_deg, accuracy_m, trip. Times are ISO 8601, seconds since 1970, or \
      seconds from any start; in the answer they are seconds by the same count.

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

  @Argument(help: "A .gpx, .nmea or .csv file.") var file: String
  @Option(help: "A .navmap or OSM file.") var map: String
  @Option(help: "Trip of the CSV or track of the GPX; the first where it is not given.")
  var trip: String?
  @Option(help: "car, truck, bus, taxi, scooter, bicycle or pedestrian.") var mode = "car"
  @Flag(help: "Match fix by fix as in a drive: smoothed after the lag, and beside it as at once.")
  var online = false
  @Option(help: "text, json, geojson, csv, gpx or osrm.") var format = Format.text
  @Option(help: "Explain the fix of this number, counted from 0; without a number each of them.")
  var explain: String?

  /// The word that stands for `--explain` without a number.
  static let explainsAll = "all"

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
      let fixes = try TraceFile.fixes(of: file, trip: trip)
      let explained = try explained(fixes.count)
      let network = MatchingNetwork(graph: try graph(), mode: mode)
      var report = MatchReport(trace: matched(fixes, network), network: network)
      if online { report.live = live(fixes, network) }
      if let explained {
        report.explanations = network.explain(
          trace: fixes, wanted: explained, isOnline: online)
        if format == .text {
          report.explanationText().forEach { print($0) }
          return
        }
      }
      switch format {
      case .text: print(report.text())
      case .json: print(report.json())
      case .geojson: print(report.geoJSON())
      case .csv: report.csvLines().forEach { print($0) }
      case .gpx: report.gpxLines().forEach { print($0) }
      case .osrm: print(report.osrm())
      }
    } catch {
      FileHandle.standardError.write(Data("nav: \(error.sentence)\n".utf8))
      throw ExitCode.failure
    }
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
    var matcher = OnlineMatcher(network: network)
    var smoothed: [Match] = []
    for (index, fix) in fixes.enumerated() {
      smoothed += matcher.match(fix).smoothed
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

/// Recorded traces by their file's name.
enum TraceFile {
  /// The fixes of one trip of a file.
  static func fixes(of path: String, trip: String?) throws(MatchCommandFault) -> [Fix] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw MatchCommandFault("\(path) cannot be read")
    }
    let bytes = [UInt8](data)
    let name = path.lowercased()
    let traces: [Trace]
    do throws(TraceFault) {
      if name.hasSuffix(".gpx") {
        traces = try GPX.parse(bytes)
      } else if name.hasSuffix(".nmea") || name.hasSuffix(".gga") || bytes.first == 0x24 {
        traces = try NMEALog.parse(bytes)
      } else {
        traces = try CSVTrace.parse(bytes, start: Instant(nanoseconds: 0))
      }
    } catch {
      throw MatchCommandFault("\(path):\(error.line):\(error.column): \(error.problem)")
    }
    guard let trip else { return traces.first?.fixes ?? [] }
    guard let wanted = traces.first(where: { $0.name == trip }) else {
      throw MatchCommandFault("\(path) has no trip \"\(trip)\"; it has \(traces.count)")
    }
    return wanted.fixes
  }
}
