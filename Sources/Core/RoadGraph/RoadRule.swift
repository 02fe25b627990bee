public import OpeningHours

/// What holds on a road at times only: another access or another limit.
///
/// In a map file one line: `access 1f 0 @ Mo-Fr 07:00-09:00` (modes as hexadecimal bits, the access's
/// number) or `limit 7f 80 @ wet` (km/h, 255 none).
public struct RoadRule: Hashable, Sendable {
  public enum Effect: Hashable, Sendable {
    case access(Access)
    /// km/h; nil for no limit.
    case limit(kmh: Double?)
  }

  public var modes: TravelModes
  public var effect: Effect
  public var condition: Condition
  /// The condition as the map tells it.
  public var when: String

  public init(modes: TravelModes, effect: Effect, condition: Condition, when: String) {
    self.modes = modes
    self.effect = effect
    self.condition = condition
    self.when = when
  }

  /// The line of a map file.
  public var line: String {
    let hex = String(modes.rawValue, radix: 16)
    return switch effect {
    case .access(let access): "access \(hex) \(access.rawValue) @ \(when)"
    case .limit(let kmh): "limit \(hex) \(kmh.map { Int($0.rounded()) } ?? 255) @ \(when)"
    }
  }

  /// Reads a line of a map file; nil where it is none.
  public init?(line: some StringProtocol) {
    guard let at = line.firstIndex(of: "@") else { return nil }
    let words = line[..<at].split(separator: " ")
    let when = String(line[line.index(after: at)...].drop { $0 == " " })
    guard words.count == 3, let bits = UInt8(words[1], radix: 16), let number = UInt8(words[2]),
      let condition = try? Condition(when)
    else { return nil }
    let effect: Effect
    switch words[0] {
    case "access":
      guard let access = Access(rawValue: number) else { return nil }
      effect = .access(access)
    case "limit": effect = .limit(kmh: number == 255 ? nil : Double(number))
    default: return nil
    }
    self.init(
      modes: TravelModes(rawValue: bits), effect: effect, condition: condition, when: when)
  }
}

extension RoadAttributes {
  /// The access of a mode under given circumstances, by the rules of the road; the last that holds decides.
  public func access(
    _ mode: TravelMode, rules: [RoadRule], _ circumstances: Circumstances
  ) -> Access {
    var result = access(mode)
    for rule in rules where rule.modes.contains(mode) {
      if case .access(let access) = rule.effect, rule.condition.holds(circumstances) == true {
        result = access
      }
    }
    return result
  }
}
