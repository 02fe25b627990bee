/// The sizes and weights that the signs of a map distinguish.
///
/// Vehicles that the same signs let through are equivalent: results for one are valid for the
/// other.
public struct VehicleLimits: Sendable {
  // Limits on signs, ascending, in hundredths of metres and tonnes.
  private let heights: [UInt16]
  private let widths: [UInt16]
  private let lengths: [UInt16]
  private let weights: [UInt16]
  private let axleLoads: [UInt16]
  private let barsHazardousGoods: Bool
  private let countsAxles: Bool
  private let limitsBogies: Bool

  /// The limits of a map; n log n in its kinds of road.
  public init(_ graph: RoadGraph) {
    let roads = graph.columns.attributes.records
    let signs = VehicleSigns(graph).all
    func limits(
      _ limit: (RoadAttributes) -> UInt16, _ measure: VehicleSign.Measure
    ) -> [UInt16] {
      let signed = signs.filter { $0.measure == measure }.map {
        UInt16(Double.maximum(0, Double.minimum(65_535, ($0.most * 100).rounded())))
      }
      return Set(roads.lazy.map(limit)).union(signed).filter { $0 > 0 }.sorted()
    }
    heights = limits(\.maxHeightCm, .height)
    widths = limits(\.maxWidthCm, .width)
    lengths = limits(\.maxLengthCm, .length)
    weights = limits(\.maxWeight10Kg, .weight)
    axleLoads = limits(\.maxAxleLoad10Kg, .axleLoad)
    barsHazardousGoods =
      roads.contains { $0.flags.contains(.noHazardousGoods) }
      || signs.contains { $0.measure == .hazmat }
    countsAxles = signs.contains { $0.measure == .axles }
    limitsBogies = signs.contains { $0.measure == .bogieLoad }
  }

  /// The vehicle that represents all those that the same signs let through.
  ///
  /// It has axles only if a sign counts them, and no trailers. Loads of bogies depend on weights,
  /// so if a sign limits them, the weights stay as they are.
  public func rounded(_ vehicle: VehicleSize) -> VehicleSize {
    VehicleSize(
      heightM: Self.rounded(vehicle.heightM, heights),
      widthM: Self.rounded(vehicle.widthM, widths),
      lengthM: Self.rounded(vehicle.lengthM, lengths),
      weightT: limitsBogies ? vehicle.weightT : Self.rounded(vehicle.weightT, weights),
      axleLoadT: limitsBogies ? vehicle.axleLoadT : Self.rounded(vehicle.axleLoadT, axleLoads),
      carriesHazardousGoods: barsHazardousGoods && vehicle.carriesHazardousGoods,
      axles: countsAxles || limitsBogies ? vehicle.axles : 0)
  }

  /// 0 if every sign lets it through, otherwise a hundredth more than the highest limit that bars
  /// it.
  private static func rounded(_ value: Double, _ limits: [UInt16]) -> Double {
    let barred = limits.last { (value * 100).rounded() > Double($0) }
    return barred.map { Double($0) / 100 + 0.01 } ?? 0
  }
}
