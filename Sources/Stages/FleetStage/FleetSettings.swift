import Foundations
import Positioning
import RoadFile
public import RoadGraph
import Route
import Routing
public import Stage

/// The settings shared by all vehicles of a fleet: the map, the trip planner and the parameters.
public struct FleetSettings: Sendable {
  let graph: RoadGraph
  let trips: TripPlanner
  let vehicles: Int
  let prefix: String
  let joinsPerS: Double
  let churnPerMin: Double
  let guidedShare: Double
  let intervalS: Double
  let rate: Double
  let start: Instant
  let seed: UInt64
  let mode: TravelMode
  let driving: DrivingStyle
  let noise: NoiseSettings
  let longestStopS: Double

  /// Name of the vehicle that sets the clock and admits the others; it publishes no fixes.
  static let dispatcher = "fleet"

  init(_ parameters: Parameters) throws(StageFailure) {
    let graph: RoadGraph
    do {
      graph = try RoadFile.open(path: parameters.string("map") ?? "")
    } catch {
      throw StageFailure("map: \(error)")
    }
    try self.init(parameters, graph: graph)
  }

  /// Creates the settings for an open map, for tests and embedding.
  public init(_ parameters: Parameters, graph: RoadGraph) throws(StageFailure) {
    self.graph = graph
    mode = TravelMode(word: parameters.string("mode") ?? "") ?? .car
    trips = TripPlanner(graph: graph, mode: mode, radiusM: parameters.double("radius_m"))
    vehicles = parameters.int("vehicles")
    prefix = parameters.string("prefix") ?? "car"
    joinsPerS = parameters.double("joins_per_s")
    churnPerMin = parameters.double("churn_per_min")
    guidedShare = parameters.double("guided")
    intervalS = 1 / parameters.double("rate_hz")
    rate = parameters.double("rate")
    seed = UInt64(parameters.int("seed"))
    longestStopS = parameters.double("stop_s")
    let text = parameters.string("start_time") ?? ""
    guard let start = TimeText.iso8601(text) else {
      throw StageFailure("start_time: \"\(text)\" is not a time; expected 2026-01-01T08:00:00Z")
    }
    guard FixGate.possibleTimes.contains(start) else {
      throw StageFailure("start_time: \(text) is out of range; expected 1990 to 2199")
    }
    self.start = start
    var driving = DrivingStyle()
    driving.speedFactor = parameters.double("speed_factor")
    self.driving = driving
    noise = Self.noise(parameters)
    guard let first = prefix.utf8.first, (0x61...0x7a).contains(first), prefix.utf8.count <= 50,
      prefix.utf8.allSatisfy({ Self.nameBytes.contains($0) }), prefix != Self.dispatcher
    else {
      throw StageFailure(
        "prefix: \"\(prefix)\" is not a valid prefix of names; expected a letter a-z, then a-z 0-9 . _ -, at most 50"
      )
    }
    guard trips.hasRoads else {
      throw StageFailure("map: contains no road that is open to the travel mode \(mode.word)")
    }
  }

  private static let nameBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789._-".utf8)

  private static func noise(_ parameters: Parameters) -> NoiseSettings {
    var noise = NoiseSettings()
    noise.sigmaM = parameters.double("noise_m")
    noise.driftSigmaM = parameters.double("noise_drift_m")
    noise.driftTimeS = parameters.double("noise_drift_s")
    noise.speedSigmaMps = parameters.double("noise_speed_mps")
    noise.bearingSigmaDeg = parameters.double("noise_bearing_deg")
    noise.outlierShare = parameters.double("noise_outlier_share")
    noise.dropoutShare = parameters.double("noise_dropout_share")
    return noise
  }

  // MARK: Driving vehicles

  /// Returns the name of vehicle `number`, counted from 1: `car00042`.
  func name(_ number: Int) -> String {
    let digits = String(number)
    return prefix + String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
  }

  /// Returns the number in a vehicle's name; nil for a name that no vehicle of this fleet has.
  func number(of name: String) -> Int? {
    guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)), number > 0,
      self.name(number) == name
    else { return nil }
    return number
  }

  /// Returns the vehicles that drive at `now`, without the limit on how fast they may join.
  ///
  /// The oldest leave first, so that the result depends only on the time.
  func driving(at now: Instant) -> ClosedRange<Int> {
    let fillingS = Double(vehicles) / joinsPerS
    let minutes = Double.maximum(0, now.seconds(since: start) - fillingS) / 60
    let gone = Int(minutes * churnPerMin)
    return (gone + 1)...(gone + vehicles)
  }

  /// Returns the first moment from `now` on at which vehicle `number` publishes a fix.
  func firstFix(of number: Int, from now: Instant) -> Instant {
    let slot = Double((number - 1) % vehicles) / Double(vehicles)
    let elapsed = now.seconds(since: start) / intervalS - slot
    return start.advanced(bySeconds: (elapsed.rounded(.up) + slot) * intervalS)
  }

  /// Whether vehicle `number` belongs to the guided share; guided vehicles are spread evenly.
  func isGuided(_ number: Int) -> Bool {
    (Double(number) * guidedShare).rounded(.down)
      > (Double(number - 1) * guidedShare).rounded(.down)
  }
}
