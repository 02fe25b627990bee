extension Fix {
  /// A fix that contains only values that a receiver can mean.
  public struct Readable: Hashable, Sendable {
    public var fix: Fix
    /// Names of the fields whose values were removed because no receiver can mean them.
    ///
    /// Values that mark a field as unknown are not included.
    public var leftOut: [String]
  }

  /// The fix without the values that cannot be true.
  ///
  /// The place and the time are unchanged. Receivers mark unknown values in different ways: Core
  /// Location uses -1, and Android uses 0 for an accuracy. One impossible value is no reason to
  /// reject the place.
  public var readable: Readable {
    var fix = self
    var leftOut: [String] = []
    func kept(_ value: Double?, _ range: ClosedRange<Double>, _ field: String) -> Double? {
      guard let value, value != -1 else { return nil }
      if range.contains(value) { return value }
      leftOut.append(field)
      return nil
    }
    func accuracy(_ value: Double?, _ greatest: Double, _ field: String) -> Double? {
      value == 0 ? nil : kept(value, 0...greatest, field)
    }
    fix.speedMps = kept(speedMps, 0...400, "speed_mps")
    fix.bearingDeg = kept(bearingDeg, 0...360, "bearing_deg")
    fix.accuracyM = accuracy(accuracyM, 1e7, "accuracy_m")
    fix.bearingAccuracyDeg = accuracy(bearingAccuracyDeg, 360, "bearing_accuracy_deg")
    fix.speedAccuracyMps = accuracy(speedAccuracyMps, 1e4, "speed_accuracy_mps")
    // An altitude of -1 m is valid in many places.
    if let altitude = altitudeM, !(-12_000...100_000).contains(altitude) {
      fix.altitudeM = nil
      leftOut.append("altitude_m")
    }
    return Readable(fix: fix, leftOut: leftOut)
  }
}
