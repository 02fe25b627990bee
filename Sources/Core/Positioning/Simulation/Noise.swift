public import Foundations
public import Geodesy
import RealModule

/// The true state of a vehicle.
public struct VehicleTruth: Hashable, Sendable {
  public var place: Coordinate
  public var bearingDeg: Double
  public var speedMps: Double
  public var isInTunnel: Bool

  public init(place: Coordinate, bearingDeg: Double, speedMps: Double, isInTunnel: Bool) {
    self.place = place
    self.bearingDeg = bearingDeg
    self.speedMps = speedMps
    self.isInTunnel = isInTunnel
  }
}

/// The errors of a simulated receiver.
public struct NoiseSettings: Codable, Hashable, Sendable {
  /// Standard deviation of each fix independently, along each axis.
  public var sigmaM = 0.0
  /// Standard deviation of a drifting error, along each axis.
  public var driftSigmaM = 0.0
  /// Correlation time of the drifting error, in seconds.
  public var driftTimeS = 60.0
  public var speedSigmaMps = 0.0
  public var bearingSigmaDeg = 0.0
  /// Share of fixes that are outliers.
  public var outlierShare = 0.0
  public var outlierM = 300.0
  /// Share of fixes at which the receiver stops reporting for a while.
  public var dropoutShare = 0.0
  public var dropoutS = 5.0
  /// Whether there are no fixes in tunnels.
  public var hidesTunnels = true

  public init() {}
}

/// A simulated receiver: true states in, fixes out; seeded, so that its errors are reproducible.
public struct NoisyReceiver: Codable, Hashable, Sendable {
  public var settings: NoiseSettings
  private var random: SplitMix64
  private var driftEastM = 0.0
  private var driftNorthM = 0.0
  private var last: Instant?
  private var silentUntil: Instant?

  public init(_ settings: NoiseSettings, seed: UInt64) {
    self.settings = settings
    random = SplitMix64(seed: seed)
  }

  /// The fix reported at `now`; nil if there is none.
  ///
  /// The course is absent below 0.5 m/s, as with real receivers.
  public mutating func fix(of truth: VehicleTruth, at now: Instant) -> Fix? {
    // All random numbers are drawn first, so that one kind of noise does not shift the numbers of
    // another.
    let (driftEast, driftNorth) = (random.gaussian(), random.gaussian())
    let (east, north) = (random.gaussian(), random.gaussian())
    let (faster, turned) = (random.gaussian(), random.gaussian())
    let outlier = random.unit()
    let outlierBearingDeg = random.unit() * 360
    let dropout = random.unit()
    drift(to: now, driftEast, driftNorth)
    if dropout < settings.dropoutShare { silentUntil = now.advanced(bySeconds: settings.dropoutS) }
    if let silentUntil, now < silentUntil { return nil }
    if truth.isInTunnel, settings.hidesTunnels { return nil }
    let plane = LocalPlane(origin: truth.place)
    var place = plane.coordinate(
      PlanePoint(
        eastM: driftEastM + settings.sigmaM * east,
        northM: driftNorthM + settings.sigmaM * north))
    if outlier < settings.outlierShare {
      place = truth.place.moved(bearingDeg: outlierBearingDeg, distanceM: settings.outlierM)
    }
    let speed = Double.maximum(0, truth.speedMps + settings.speedSigmaMps * faster)
    let bearing = Angle.normalizedDeg(truth.bearingDeg + settings.bearingSigmaDeg * turned)
    let sigma =
      (settings.sigmaM * settings.sigmaM + settings.driftSigmaM * settings.driftSigmaM)
      .squareRoot()
    return Fix(
      place: place, time: now, bearingDeg: truth.speedMps < 0.5 ? nil : bearing,
      // Standing still is measured reliably: the Doppler shift of a receiver at rest is almost
      // zero.
      speedMps: truth.speedMps == 0 ? 0 : speed,
      // 68 % of a normal error in two dimensions lie within 1.51 sigma.
      accuracyM: Double.maximum(3, 1.51 * sigma),
      bearingAccuracyDeg: truth.speedMps < 0.5
        ? nil : Double.maximum(2, settings.bearingSigmaDeg),
      speedAccuracyMps: Double.maximum(0.1, settings.speedSigmaMps))
  }

  /// The drifting error as a first-order Gauss-Markov process.
  private mutating func drift(to now: Instant, _ east: Double, _ north: Double) {
    let elapsedS = last.map { Double.maximum(0, now.seconds(since: $0)) } ?? .infinity
    last = now
    let memory =
      elapsedS.isFinite && settings.driftTimeS > 0
      ? Double.exp(-elapsedS / settings.driftTimeS) : 0
    let fresh = settings.driftSigmaM * (1 - memory * memory).squareRoot()
    driftEastM = memory * driftEastM + fresh * east
    driftNorthM = memory * driftNorthM + fresh * north
  }
}
