import Foundations
import Geodesy
public import Messages
public import Positioning

extension Fix {
  /// The fix of a message of `location/raw`, exactly as its source reported it.
  public init(wire raw: LocationRaw) {
    self.init(
      place: Coordinate(latitudeDeg: raw.latDeg, longitudeDeg: raw.lonDeg),
      time: raw.timeNs.map { Instant(nanoseconds: $0) }, bearingDeg: raw.bearingDeg,
      speedMps: raw.speedMps, accuracyM: raw.accuracyM,
      bearingAccuracyDeg: raw.bearingAccuracyDeg, speedAccuracyMps: raw.speedAccuracyMps,
      altitudeM: raw.altitudeM, source: raw.provider, priority: Int(clamping: raw.priority ?? 0))
  }
}

extension LocationRaw {
  /// The message of a fix, with the name and the priority of its source; nil for a source that has
  /// none.
  public init(_ fix: Fix, provider: String?, priority: Int64? = nil) {
    self.init(
      latDeg: fix.place.latitudeDeg, lonDeg: fix.place.longitudeDeg,
      timeNs: fix.time?.nanoseconds, bearingDeg: fix.bearingDeg, speedMps: fix.speedMps,
      accuracyM: fix.accuracyM, bearingAccuracyDeg: fix.bearingAccuracyDeg,
      speedAccuracyMps: fix.speedAccuracyMps, altitudeM: fix.altitudeM, provider: provider,
      priority: priority)
  }
}
