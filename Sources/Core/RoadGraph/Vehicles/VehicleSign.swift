/// A maximum size, weight or load by a sign that only applies to some modes, or that no other field
/// of a road stores.
///
/// In a map file it is a line among the rules of a road: `sign 2 weight 7.5` (modes as hexadecimal
/// bits, tonnes or metres).
public struct VehicleSign: Hashable, Sendable {
  public enum Measure: String, Hashable, Sendable, CaseIterable {
    case height
    case width
    case length
    case weight
    case axleLoad = "axleload"
    /// Load of two axles close to each other.
    case bogieLoad = "bogieload"
    case axles
    case hazmat
  }

  public var modes: TravelModes
  public var measure: Measure
  /// Metres, tonnes or a count.
  public var most: Double

  public init(modes: TravelModes, measure: Measure, most: Double) {
    self.modes = modes
    self.measure = measure
    self.most = most
  }

  /// The line of a map file.
  public var line: String {
    "sign \(String(modes.rawValue, radix: 16)) \(measure.rawValue) \(Self.text(most))"
  }

  /// A value rounded to hundredths, without needless digits.
  public static func text(_ value: Double) -> String {
    let hundredths = Int((Double.minimum(value, 1e6) * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    if rest % 10 == 0 { return "\(whole).\(rest / 10)" }
    return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Reads a line of a map file; nil if it is not a sign.
  public init?(line: some StringProtocol) {
    let words = line.split(separator: " ")
    guard words.count == 4, words[0] == "sign", let bits = UInt8(words[1], radix: 16),
      let measure = Measure(rawValue: String(words[2])), let most = Double(words[3])
    else { return nil }
    self.init(modes: TravelModes(rawValue: bits), measure: measure, most: most)
  }

  /// Whether a vehicle of a mode may pass the sign.
  public func lets(_ vehicle: VehicleSize, _ mode: TravelMode) -> Bool {
    guard modes.contains(mode) else { return true }
    let value =
      switch measure {
      case .height: vehicle.heightM
      case .width: vehicle.widthM
      case .length: vehicle.lengthM
      case .weight: vehicle.weightT
      case .axleLoad: vehicle.axleLoadT
      case .bogieLoad: vehicle.bogieLoadT
      case .axles: Double(vehicle.axles)
      case .hazmat: vehicle.carriesHazardousGoods ? Double.infinity : 0
      }
    return (value * 100).rounded() <= (most * 100).rounded()
  }
}

extension VehicleSize {
  /// The maximum load of two adjacent axles, estimated, in tonnes; 0 for a vehicle of two axles.
  ///
  /// A truck with three axles and 26 t has 19 t on the rear two, which is the maximum for two
  /// driven axles (Council Directive 96/53/EC, annex I). Two axles carry at most twice the maximum
  /// load of one.
  public var bogieLoadT: Double {
    if axles == 1 || axles == 2 { return 0 }
    let shareT = Double.minimum(19, weightT * 19 / 26)
    return axleLoadT > 0 ? Double.minimum(shareT, 2 * axleLoadT) : shareT
  }
}

/// The signs of a map, indexed by the text of the rules that contain them.
public struct VehicleSigns: Sendable {
  private let signs: [TextID: [VehicleSign]]

  /// Linear in the distinct attributes of roads that have rules.
  public init(_ graph: RoadGraph) {
    var signs: [TextID: [VehicleSign]] = [:]
    for road in graph.columns.attributes.records
    where !road.rules.isEmpty && signs[road.rules] == nil {
      signs[road.rules] = graph.text(road.rules).split(separator: "\n").compactMap {
        VehicleSign(line: $0)
      }
    }
    self.signs = signs.filter { !$0.value.isEmpty }
  }

  /// All signs, in no particular order.
  public var all: [VehicleSign] { signs.values.flatMap { $0 } }

  /// Whether a vehicle of a mode may drive on a road, by all signs that always apply.
  public func permit(_ vehicle: VehicleSize, _ mode: TravelMode, on road: RoadAttributes) -> Bool {
    guard road.lets(vehicle) else { return false }
    guard !signs.isEmpty, !road.rules.isEmpty, let own = signs[road.rules] else { return true }
    return own.allSatisfy { $0.lets(vehicle, mode) }
  }
}
