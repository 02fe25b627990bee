extension Fix {
  /// A fix with those values alone that a receiver can mean.
  public struct Readable: Hashable, Sendable {
    public var fix: Fix
    /// Names of the fields whose values were left out because no receiver can mean them.
    ///
    /// The marks for "not known" are not among them.
    public var leftOut: [String]
  }

  /// The fix without the values that cannot be true; the place and the time stay as they are.
  ///
  /// Receivers mark what they do not know in their own ways: Core Location with -1, Android with 0 for an accuracy.
  /// One value that cannot be true says nothing of the place.
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
    // Heights of -1 m are true in many places.
    if let altitude = altitudeM, !(-12_000...100_000).contains(altitude) {
      fix.altitudeM = nil
      leftOut.append("altitude_m")
    }
    return Readable(fix: fix, leftOut: leftOut)
  }
}
