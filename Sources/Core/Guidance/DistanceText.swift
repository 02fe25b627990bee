/// A distance as a screen shows it: a rounded number, its unit, and both as text.
public struct DistanceText: Hashable, Sendable {
  public enum Units: String, Hashable, Sendable, CaseIterable {
    case metric
    case imperialUS = "imperial_us"
    case imperialUK = "imperial_uk"
  }

  public enum Unit: String, Hashable, Sendable {
    case meters = "m"
    case kilometers = "km"
    case feet = "ft"
    case yards = "yd"
    case miles = "mi"
  }

  public var number: Double
  public var unit: Unit
  public var text: String

  /// Below 1000 m in tens of metres, up to 20 km with one decimal, above in whole kilometres;
  /// similarly in miles.
  public init(_ metres: Double, units: Units) {
    let metres = max(0, metres.isFinite ? metres : 0)
    switch units {
    case .metric:
      if metres < 995 {
        self.init(Self.rounded(metres, to: metres < 100 ? 5 : 10), .meters)
      } else {
        self.init(large: metres / 1000, .kilometers)
      }
    case .imperialUS:
      let feet = metres / 0.3048
      if feet < 1000 {
        self.init(Self.rounded(feet, to: 50), .feet)
      } else {
        self.init(large: metres / 1609.344, .miles)
      }
    case .imperialUK:
      let yards = metres / 0.9144
      if yards < 880 {
        self.init(Self.rounded(yards, to: 10), .yards)
      } else {
        self.init(large: metres / 1609.344, .miles)
      }
    }
  }

  private init(_ number: Double, _ unit: Unit, text: String) {
    self.number = number
    self.unit = unit
    self.text = text
  }

  private init(_ whole: Double, _ unit: Unit) {
    self.init(whole, unit, text: "\(Int(whole)) \(unit.rawValue)")
  }

  private init(large amount: Double, _ unit: Unit) {
    if amount < 20 {
      let tenths = Int((amount * 10).rounded())
      self.init(
        Double(tenths) / 10, unit, text: "\(tenths / 10).\(tenths % 10) \(unit.rawValue)")
    } else {
      self.init(amount.rounded(), unit)
    }
  }

  private static func rounded(_ amount: Double, to step: Double) -> Double {
    (amount / step).rounded() * step
  }
}
