import EventTime
import Foundation
import Geodesy
import Positioning
import RoadFile
import RoadGraph
import Stage

/// What all vehicles of a location provider share.
public struct LocationSettings: Sendable {
  enum Kind: String, Sendable {
    case simulator
    case gpx
    case csv
    case nmea
    case receivers
    case external
  }

  let kind: Kind
  let rate: Double
  let intervalS: Double
  let loops: Bool
  let waitsForRoute: Bool
  let priority: Int64
  let startTime: Instant
  /// The recording; nil without one.
  let replay: TraceReplay?
  /// The driver at the start; nil for recordings.
  let simulator: RouteSimulator?
  let noise: NoiseSettings
  let seed: UInt64
  /// Receivers that are read beside the stage, the one of the highest priority first.
  public let receivers: [ReceiverAddress]

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
        "start_time: \"\(startText)\" is no time; expected 2026-01-01T08:00:00Z")
    }
    startTime = start
    noise = Self.noise(parameters)
    receivers = try Self.receivers(parameters, kind: kind)
    switch kind {
    case .gpx, .csv, .nmea:
      replay = TraceReplay(
        try Self.fixes(parameters, kind: kind, start: start), start: start, intervalS: intervalS)
      simulator = nil
    case .simulator:
      replay = nil
      simulator = try Self.simulator(parameters)
    case .external, .receivers:
      replay = nil
      simulator = nil
    }
  }

  /// The receivers in their order, each with a priority one above that of the next.
  private static func receivers(
    _ parameters: Parameters, kind: Kind
  ) throws(StageFailure) -> [ReceiverAddress] {
    let texts = parameters.strings("receivers")
    guard kind == .receivers else {
      guard texts.isEmpty else {
        throw StageFailure("receivers: they are read with source: receivers only")
      }
      return []
    }
    guard !texts.isEmpty else {
      throw StageFailure("receivers: the source receivers needs one at least")
    }
    guard Set(texts).count == texts.count else {
      throw StageFailure("receivers: one is named twice")
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
    else { throw StageFailure("start_at: \"\(text)\" is no place; expected 47.1,9.5") }
    var settings = RouteSimulator.Settings()
    settings.driving.speedFactor = parameters.double("speed_factor")
    settings.driving.stopoverS = parameters.double("stopover_s")
    settings.wrongTurnsAtM = parameters.optionalDouble("wrong_turn_at_m").map { [$0] } ?? []
    settings.wrongTurnLengthM = parameters.double("wrong_turn_length_m")
    let mode = TravelMode(word: parameters.string("mode") ?? "") ?? .car
    if !settings.wrongTurnsAtM.isEmpty, parameters.string("map") == nil {
      throw StageFailure("map: a wrong turn needs the map's roads; name the .navmap")
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

  /// The fixes of the wanted trip.
  private static func fixes(
    _ parameters: Parameters, kind: Kind, start: Instant
  ) throws(StageFailure) -> [Fix] {
    guard let path = parameters.string("file") else {
      throw StageFailure("file: the source \(kind.rawValue) needs a recording")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StageFailure("file: \(path) cannot be read")
    }
    let traces: [Trace]
    do throws(TraceFault) {
      let bytes = [UInt8](data)
      traces =
        switch kind {
        case .gpx: try GPX.parse(bytes)
        case .nmea: try NMEALog.parse(bytes, start: start)
        default: try CSVTrace.parse(bytes, start: start)
        }
    } catch {
      throw StageFailure("\(path):\(error.line):\(error.column): \(error.problem)")
    }
    guard let trip = parameters.string("trip") else { return traces.first?.fixes ?? [] }
    guard let trace = traces.first(where: { $0.name == trip }) else {
      let names = traces.prefix(5).map(\.name).joined(separator: ", ")
      throw StageFailure(
        "trip: \(path) has no trip \"\(trip)\"; it has \(traces.count), among them \(names)")
    }
    return trace.fixes
  }
}
