import FixRecordings
import Foundation
public import Foundations
import Geodesy
import Positioning
import RoadFile
import RoadGraph
import Stage

/// The settings shared by all vehicles of a location provider.
public struct LocationSettings: Sendable {
  enum Kind: String, Sendable {
    case simulator
    case gpx
    case csv
    case nmea
    case recording
    case receivers
    case external
  }

  let kind: Kind
  let rate: Double
  let intervalS: Double
  let loops: Bool
  /// Longest pause of a recording that is not skipped, s.
  let longestPauseS: Double
  /// Remarks about the recording, one sentence each.
  let remarks: [String]
  /// Options for reading NMEA receivers and logs.
  let nmea: NMEAOptions
  let waitsForRoute: Bool
  let priority: Int64
  let startTime: Instant
  /// The recording; nil without one.
  let replay: TraceReplay?
  /// The driver at the start; nil for recordings.
  let simulator: RouteSimulator?
  let noise: NoiseSettings
  let seed: UInt64
  /// Receivers that are read in addition to the source, the one with the highest priority first.
  public let receivers: [ReceiverAddress]

  /// Creates the stream of a receiver with the options from the parameters.
  public func stream(of address: ReceiverAddress, today: Instant) -> ReceiverStream {
    ReceiverStream(address, today: today, nmea: nmea)
  }

  init(_ parameters: Parameters) throws(StageFailure) {
    kind = Kind(rawValue: parameters.string("source") ?? "") ?? .simulator
    rate = parameters.double("rate")
    intervalS = parameters.double("interval_s")
    loops = parameters.bool("loop")
    waitsForRoute = parameters.string("wait_for") == "route"
    priority = Int64(parameters.int("priority"))
    seed = UInt64(parameters.int("seed"))
    let startText = parameters.string("start_time") ?? ""
    guard let start = TimeText.iso8601(startText) else {
      throw StageFailure(
        "start_time: \"\(startText)\" is not a time; expected 2026-01-01T08:00:00Z")
    }
    guard FixGate.possibleTimes.contains(start) else {
      throw StageFailure("start_time: \(startText) is out of range; expected 1990 to 2199")
    }
    startTime = start
    noise = Self.noise(parameters)
    longestPauseS = parameters.double("max_pause_s")
    nmea = NMEAOptions(
      requiresChecksum: parameters.string("nmea_checksum") != "optional",
      addedWeeks: parameters.int("nmea_add_weeks"))
    receivers = try Self.receivers(parameters, kind: kind)
    switch kind {
    case .gpx, .csv, .nmea, .recording:
      let options = TraceReader.Options(start: start, nmea: nmea)
      let recording = try Self.recording(parameters, kind: kind, options)
      remarks = recording.remarks
      replay = TraceReplay(recording.fixes, start: start, intervalS: intervalS)
      simulator = nil
      if loops, let replay, replay.lengthS < Self.shortestLoopS {
        throw StageFailure(
          "loop: the recording lasts \(replay.lengthS) s and cannot be looped; "
            + "select another trip, or remove loop")
      }
    case .simulator:
      remarks = []
      replay = nil
      simulator = try Self.simulator(parameters)
    case .external, .receivers:
      remarks = []
      replay = nil
      simulator = nil
    }
  }

  /// Shortest duration of a recording that can be looped, s.
  ///
  /// A shorter loop would keep every node busy with new clock runs.
  private static let shortestLoopS = 1.0

  /// Returns the receivers in order, each with a priority one above that of the next.
  private static func receivers(
    _ parameters: Parameters, kind: Kind
  ) throws(StageFailure) -> [ReceiverAddress] {
    let texts = parameters.strings("receivers")
    guard kind == .receivers else {
      guard texts.isEmpty else {
        throw StageFailure("receivers: they need source: receivers")
      }
      return []
    }
    guard !texts.isEmpty else {
      throw StageFailure("receivers: the source receivers needs at least one")
    }
    guard Set(texts).count == texts.count else {
      throw StageFailure("receivers: one is listed twice")
    }
    let last = Int64(parameters.int("priority"))
    var receivers: [ReceiverAddress] = []
    for (number, text) in texts.enumerated() {
      receivers.append(
        try ReceiverAddress(text, priority: last + Int64(texts.count - 1 - number)))
    }
    return receivers
  }

  private static func noise(_ parameters: Parameters) -> NoiseSettings {
    var noise = NoiseSettings()
    noise.sigmaM = parameters.double("noise_m")
    noise.driftSigmaM = parameters.double("noise_drift_m")
    noise.driftTimeS = parameters.double("noise_drift_s")
    noise.speedSigmaMps = parameters.double("noise_speed_mps")
    noise.bearingSigmaDeg = parameters.double("noise_bearing_deg")
    noise.outlierShare = parameters.double("noise_outlier_share")
    noise.outlierM = parameters.double("noise_outlier_m")
    noise.dropoutShare = parameters.double("noise_dropout_share")
    noise.dropoutS = parameters.double("noise_dropout_s")
    noise.hidesTunnels = !parameters.bool("tunnel_fixes")
    return noise
  }

  private static func simulator(_ parameters: Parameters) throws(StageFailure) -> RouteSimulator {
    guard let text = parameters.string("start_at") else {
      throw StageFailure("start_at: the simulator needs a place to start: lat,lon")
    }
    let numbers = text.split(separator: ",").map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
      Coordinate(latitudeDeg: latitude, longitudeDeg: longitude).isValid
    else { throw StageFailure("start_at: \"\(text)\" is not a place; expected 47.1,9.5") }
    var settings = RouteSimulator.Settings()
    settings.driving.speedFactor = parameters.double("speed_factor")
    settings.waitsAtSignals = parameters.string("signals") != "ignore"
    settings.driving.stopoverS = parameters.double("stopover_s")
    settings.wrongTurnsAtM = parameters.optionalDouble("wrong_turn_at_m").map { [$0] } ?? []
    settings.wrongTurnLengthM = parameters.double("wrong_turn_length_m")
    let mode = TravelMode(word: parameters.string("mode") ?? "") ?? .car
    if !settings.wrongTurnsAtM.isEmpty, parameters.string("map") == nil {
      throw StageFailure("map: a wrong turn needs the roads of the map; set the .navmap")
    }
    return RouteSimulator(
      start: Coordinate(latitudeDeg: latitude, longitudeDeg: longitude),
      bearingDeg: parameters.double("start_bearing_deg"),
      streets: try streets(parameters.string("map"), mode: mode), settings: settings)
  }

  private static func streets(
    _ path: String?, mode: TravelMode
  ) throws(StageFailure) -> StreetNetwork? {
    guard let path else { return nil }
    do {
      let graph = try RoadFile.open(path: path)
      return StreetNetwork(graph: graph, index: SegmentIndex(graph), mode: mode)
    } catch {
      throw StageFailure("map: \(error)")
    }
  }

  /// Returns the fixes of the wanted trip, and remarks about the recording.
  private static func recording(
    _ parameters: Parameters, kind: Kind, _ options: TraceReader.Options
  ) throws(StageFailure) -> (fixes: [Fix], remarks: [String]) {
    guard let path = parameters.string("file") else {
      throw StageFailure("file: the source \(kind.rawValue) needs a recording")
    }
    let recording =
      try FixBag.isBag(path: path) && kind == .recording
      ? bag(path) : document(path, as: TraceFormat(rawValue: kind.rawValue), options)
    do throws(NoSuchTrip) {
      let (trace, remarks) = try recording.trip(parameters.string("trip"))
      return (
        trace.fixes, recording.remarks.sentences + remarks + TraceTimes.remarks(trace.fixes)
      )
    } catch {
      throw StageFailure("trip: \(path): \(error)")
    }
  }

  private static func bag(_ path: String) throws(StageFailure) -> TraceRecording {
    do throws(FixBagFault) {
      return try FixBag.read(path: path)
    } catch {
      throw StageFailure("\(path): \(error)")
    }
  }

  private static func document(
    _ path: String, as format: TraceFormat?, _ options: TraceReader.Options
  ) throws(StageFailure) -> TraceRecording {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StageFailure("file: \(path) cannot be read")
    }
    do throws(TraceFault) {
      return try TraceReader.read([UInt8](data), as: format, options: options)
    } catch {
      throw StageFailure("\(path):\(error.line):\(error.column): \(error.problem)")
    }
  }
}
