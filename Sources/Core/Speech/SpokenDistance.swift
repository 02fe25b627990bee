/// The units preferred by the listener.
public enum Units: String, Codable, Hashable, Sendable, CaseIterable {
  case metric
  /// Feet and miles.
  case imperialUS = "imperial_us"
  /// Yards and miles.
  case imperialUK = "imperial_uk"
}

/// A distance in spoken form, rounded to be easily understood.
public struct SpokenDistance: Codable, Hashable, Sendable {
  public enum Unit: String, Codable, Hashable, Sendable, CaseIterable {
    case metre
    case kilometre
    case foot
    case yard
    case mile
  }

  /// Tenths of the unit: 12 with kilometres is 1.2 km.
  public var tenths: Int
  public var unit: Unit

  public init(tenths: Int, unit: Unit) {
    self.tenths = tenths
    self.unit = unit
  }

  /// Rounds `lengthM` (metres; values that are not finite or below 0 count as 0) for `units`.
  ///
  /// Metric: tens up to 100 m, fifties up to 500 m, hundreds up to 1 km, tenths of a kilometre up
  /// to 10 km, then whole kilometres. Imperial: fifties of feet (tens of yards, then fifties) up to
  /// a quarter of a mile, quarters up to a mile, tenths up to 10 miles, then whole miles.
  public init(lengthM: Double, units: Units) {
    let lengthM = lengthM.isFinite ? min(max(lengthM, 0), 1e8) : 0
    switch units {
    case .metric: self = Self.metric(lengthM)
    case .imperialUS: self = Self.imperial(lengthM, small: .foot, smallM: 0.3048, step: 50)
    case .imperialUK: self = Self.imperial(lengthM, small: .yard, smallM: 0.9144, step: 50)
    }
  }

  private static func metric(_ lengthM: Double) -> Self {
    let step: Double =
      switch lengthM {
      case ..<95: 10
      case ..<475: 50
      default: 100
      }
    let metres = max(10, (lengthM / step).rounded() * step)
    if metres < 1000 { return Self(tenths: Int(metres) * 10, unit: .metre) }
    return Self(tenths: tenths(lengthM / 1000), unit: .kilometre)
  }

  private static func imperial(
    _ lengthM: Double, small: Unit, smallM: Double, step: Double
  ) -> Self {
    let miles = lengthM / 1609.344
    if miles < 0.2 {
      let amount = lengthM / smallM
      let step = amount < 95 ? 10 : step
      return Self(tenths: Int(max(10, (amount / step).rounded() * step)) * 10, unit: small)
    }
    return Self(tenths: max(2, tenths(miles)), unit: .mile)
  }

  /// Tenths below 10, whole units above.
  private static func tenths(_ amount: Double) -> Int {
    amount < 9.95 ? Int((amount * 10).rounded()) : Int(amount.rounded()) * 10
  }
}
