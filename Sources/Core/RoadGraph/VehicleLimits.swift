/// The sizes and weights that the signs of a map tell apart.
///
/// Vehicles that the same signs let through are the same to it: what is worked out for one holds for the other.
public struct VehicleLimits: Sendable {
  // What signs allow, ascending, in hundredths of metres and tonnes.
  private let heights: [UInt16]
  private let widths: [UInt16]
  private let lengths: [UInt16]
  private let weights: [UInt16]
  private let axleLoads: [UInt16]
  private let barsHazardousGoods: Bool

  /// The limits of a map; n log n in its kinds of road.
  public init(_ graph: RoadGraph) {
    let roads = graph.columns.attributes.records
    func limits(_ limit: (RoadAttributes) -> UInt16) -> [UInt16] {
      Set(roads.lazy.map(limit)).filter { $0 > 0 }.sorted()
    }
    heights = limits(\.maxHeightCm)
    widths = limits(\.maxWidthCm)
    lengths = limits(\.maxLengthCm)
    weights = limits(\.maxWeight10Kg)
    axleLoads = limits(\.maxAxleLoad10Kg)
    barsHazardousGoods = roads.contains { $0.flags.contains(.noHazardousGoods) }
  }

  /// The vehicle that stands for all that the same signs let through; it has no axles or trailers.
  public func rounded(_ vehicle: VehicleSize) -> VehicleSize {
    VehicleSize(
      heightM: Self.rounded(vehicle.heightM, heights),
      widthM: Self.rounded(vehicle.widthM, widths),
      lengthM: Self.rounded(vehicle.lengthM, lengths),
      weightT: Self.rounded(vehicle.weightT, weights),
      axleLoadT: Self.rounded(vehicle.axleLoadT, axleLoads),
      carriesHazardousGoods: barsHazardousGoods && vehicle.carriesHazardousGoods)
  }

  /// 0 for what every sign lets through, else a hundredth more than the greatest limit that bars it.
  private static func rounded(_ value: Double, _ limits: [UInt16]) -> Double {
    let barred = limits.last { (value * 100).rounded() > Double($0) }
    return barred.map { Double($0) / 100 + 0.01 } ?? 0
  }
}
