/// Size and weight of a vehicle; 0 for a value that restricts nothing.
public struct VehicleSize: Codable, Hashable, Sendable {
  public var heightM: Double
  public var widthM: Double
  public var lengthM: Double
  /// Tonnes.
  public var weightT: Double
  public var axleLoadT: Double
  public var carriesHazardousGoods: Bool
  public var axles: Int
  public var trailers: Int

  public init(
    heightM: Double = 0, widthM: Double = 0, lengthM: Double = 0, weightT: Double = 0,
    axleLoadT: Double = 0, carriesHazardousGoods: Bool = false, axles: Int = 0, trailers: Int = 0
  ) {
    self.heightM = heightM
    self.widthM = widthM
    self.lengthM = lengthM
    self.weightT = weightT
    self.axleLoadT = axleLoadT
    self.carriesHazardousGoods = carriesHazardousGoods
    self.axles = axles
    self.trailers = trailers
  }
}
