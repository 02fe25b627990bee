/// The units in which distances are printed.
public enum DistanceUnits: String, Codable, Hashable, Sendable, CaseIterable {
  case metric
  /// Feet and miles.
  case imperialUS = "imperial_us"
  /// Yards and miles.
  case imperialUK = "imperial_uk"

  /// `metres` as shown on a screen: 20 m, 350 m, 1.2 km; 150 ft, 0.5 mi; 200 yd.
  ///
  /// Rounded to 10 below 300 and to 50 above, to tenths of the larger unit below 10, and to whole
  /// ones above. Negative and unknown numbers count as 0.
  public func text(_ metres: Double) -> String {
    let metres = metres.isFinite ? Double.maximum(metres, 0) : 0
    let small: (unit: String, perMetre: Double)
    let great: (unit: String, metres: Double)
    switch self {
    case .metric: (small, great) = (("m", 1), ("km", 1000))
    case .imperialUS: (small, great) = (("ft", 1 / 0.3048), ("mi", 1609.344))
    case .imperialUK: (small, great) = (("yd", 1 / 0.9144), ("mi", 1609.344))
    }
    let count = metres * small.perMetre
    let step: Double = count < 300 ? 10 : 50
    let rounded = (count / step).rounded() * step
    if rounded < 1000 { return "\(Int(rounded)) \(small.unit)" }
    let tenths = (metres / great.metres * 10).rounded()
    if tenths < 100 { return "\(Int(tenths) / 10).\(Int(tenths) % 10) \(great.unit)" }
    return "\(Int((metres / great.metres).rounded())) \(great.unit)"
  }
}
