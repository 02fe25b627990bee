extension VehicleSize {
  /// The largest truck or bus that the law of a country allows without a permit; nil for other
  /// modes.
  ///
  /// For an unknown country, the sizes of the European Union: Council Directive 96/53/EC as amended
  /// by 2015/719, annex I. Other rows: 23 CFR 658 (US), C&U Regulations 1986 and the usual height
  /// of trailers, since no law limits it (GB), Heavy Vehicle National Law (AU), Land Transport Rule
  /// 41001 (NZ), the federal-provincial memorandum on weights and dimensions (CA), Vehicle
  /// Restriction Order (JP), GB 1589 (CN), RVV and Regeling voertuigen (NL).
  public static func legal(_ mode: TravelMode, country: String?) -> VehicleSize? {
    switch mode {
    case .truck: country.flatMap { trucks[$0] } ?? europeanTruck
    case .bus: country.flatMap { buses[$0] } ?? europeanBus
    case .car, .taxi, .scooter, .bicycle, .pedestrian: nil
    }
  }

  private static let europeanTruck = VehicleSize(
    heightM: 4, widthM: 2.55, lengthM: 18.75, weightT: 40, axleLoadT: 11.5, axles: 5)
  private static let europeanBus = VehicleSize(
    heightM: 4, widthM: 2.55, lengthM: 13.5, weightT: 19.5, axleLoadT: 11.5, axles: 2)

  private static let trucks: [String: VehicleSize] = [
    "AU": VehicleSize(
      heightM: 4.3, widthM: 2.5, lengthM: 19, weightT: 42.5, axleLoadT: 9, axles: 6),
    "CA": VehicleSize(
      heightM: 4.15, widthM: 2.6, lengthM: 23, weightT: 46.5, axleLoadT: 9.1, axles: 6),
    "CN": VehicleSize(
      heightM: 4, widthM: 2.55, lengthM: 17.1, weightT: 49, axleLoadT: 11.5, axles: 6),
    "GB": VehicleSize(
      heightM: 4.95, widthM: 2.55, lengthM: 18.75, weightT: 44, axleLoadT: 11.5, axles: 6),
    "JP": VehicleSize(
      heightM: 3.8, widthM: 2.5, lengthM: 12, weightT: 20, axleLoadT: 10, axles: 3),
    "NL": VehicleSize(
      heightM: 4, widthM: 2.55, lengthM: 18.75, weightT: 50, axleLoadT: 11.5, axles: 6),
    "NZ": VehicleSize(
      heightM: 4.3, widthM: 2.55, lengthM: 23, weightT: 46, axleLoadT: 8.8, axles: 8),
    "US": VehicleSize(
      heightM: 4.11, widthM: 2.59, lengthM: 22.86, weightT: 36.29, axleLoadT: 9.07, axles: 5),
  ]

  private static let buses: [String: VehicleSize] = [
    "AU": VehicleSize(
      heightM: 4.3, widthM: 2.5, lengthM: 12.5, weightT: 18, axleLoadT: 10, axles: 2),
    "CA": VehicleSize(
      heightM: 4.15, widthM: 2.6, lengthM: 14, weightT: 18.5, axleLoadT: 9.1, axles: 2),
    "GB": VehicleSize(
      heightM: 4.57, widthM: 2.55, lengthM: 13.5, weightT: 19.5, axleLoadT: 11.5, axles: 2),
    "JP": VehicleSize(
      heightM: 3.8, widthM: 2.5, lengthM: 12, weightT: 20, axleLoadT: 10, axles: 2),
    "NZ": VehicleSize(
      heightM: 4.3, widthM: 2.55, lengthM: 13.5, weightT: 18, axleLoadT: 9, axles: 2),
    "US": VehicleSize(
      heightM: 4.11, widthM: 2.59, lengthM: 13.72, weightT: 18.14, axleLoadT: 9.07, axles: 2),
  ]

  /// The vehicle with each size that is 0 replaced by that of another; loads and trailers stay the
  /// same.
  public func filled(from other: VehicleSize) -> VehicleSize {
    var filled = self
    if heightM == 0 { filled.heightM = other.heightM }
    if widthM == 0 { filled.widthM = other.widthM }
    if lengthM == 0 { filled.lengthM = other.lengthM }
    if weightT == 0 { filled.weightT = other.weightT }
    if axleLoadT == 0 {
      // A truck of 18 t has up to 11.5 t on one of its two axles.
      filled.axleLoadT =
        weightT == 0 ? other.axleLoadT : Double.minimum(other.axleLoadT, weightT * 0.64)
    }
    if axles == 0, weightT == 0 { filled.axles = other.axles }
    return filled
  }
}
