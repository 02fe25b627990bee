public import OpeningHours

/// A time-dependent rule of a road: another access, another limit, car pools only, or the timetable
/// of a ferry.
///
/// In a map file it is one line: `access 1f 0 @ Mo-Fr 07:00-09:00` (modes as hexadecimal bits, the
/// access's number), `limit 7f 80 @ wet` (km/h, 255 none), `closed 7f 0 @ 06:00-22:00` (the access
/// outside these opening hours), `carpool 3 1 @ Mo-Fr 06:00-09:00` (1 car pools only, 0 not),
/// `boarding 7f 900 @ Sa,Su` (seconds) or `crossing 7f 1500 @ Oct-Mar` (thousandths). Readers skip
/// other lines.
public struct RoadRule: Hashable, Sendable {
  public enum Effect: Hashable, Sendable {
    case access(Access)
    /// km/h; nil for no limit.
    case limit(kmh: Double?)
    /// Whether only vehicles with enough occupants may use the road.
    case carPool(Bool)
    /// A different mean wait for the ferry to leave.
    case boarding(seconds: Double)
    /// A different crossing time, as a multiple of the usual one.
    case crossing(factor: Double)
  }

  public var modes: TravelModes
  public var effect: Effect
  public var condition: Condition
  /// The condition as stored in the map.
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
    case .access(let access) where isOutsideHours:
      "closed \(hex) \(access.rawValue) @ \(when)"
    case .access(let access): "access \(hex) \(access.rawValue) @ \(when)"
    case .limit(let kmh): "limit \(hex) \(kmh.map { Int($0.rounded()) } ?? 255) @ \(when)"
    case .carPool(let isOnly): "carpool \(hex) \(isOnly ? 1 : 0) @ \(when)"
    case .boarding(let seconds): "boarding \(hex) \(Int(seconds.rounded())) @ \(when)"
    case .crossing(let factor): "crossing \(hex) \(Int((factor * 1000).rounded())) @ \(when)"
    }
  }

  /// Whether one of the rules of a road, one a line, opens it to a mode at some time of each year.
  public static func opens(_ lines: String, to mode: TravelMode) -> Bool {
    lines.split(separator: "\n").contains { line in
      guard let rule = RoadRule(line: line), case .access(let access) = rule.effect else {
        return false
      }
      return access.isUsable && rule.modes.contains(mode) && !rule.namesYear
    }
  }

  /// Whether its condition names a year, as for a road that is still under construction.
  private var namesYear: Bool {
    when.split { !("0"..."9").contains($0) }.contains { $0.count == 4 }
  }

  private var isOutsideHours: Bool {
    if case .outside = condition.terms.first { condition.terms.count == 1 } else { false }
  }

  /// Reads a line of a map file; nil if it is not a rule.
  public init?(line: some StringProtocol) {
    guard let at = line.firstIndex(of: "@") else { return nil }
    let words = line[..<at].split(separator: " ")
    let when = String(line[line.index(after: at)...].drop { $0 == " " })
    guard words.count == 3, let bits = UInt8(words[1], radix: 16), let number = UInt32(words[2]),
      var condition = try? Condition(when)
    else { return nil }
    let effect: Effect
    switch words[0] {
    case "access", "closed":
      guard let access = UInt8(exactly: number).flatMap({ Access(rawValue: $0) }) else {
        return nil
      }
      effect = .access(access)
      if words[0] == "closed" {
        guard let outside = condition.outside else { return nil }
        condition = outside
      }
    case "limit":
      guard number <= 255 else { return nil }
      effect = .limit(kmh: number == 255 ? nil : Double(number))
    case "carpool":
      guard number <= 1 else { return nil }
      effect = .carPool(number == 1)
    case "boarding": effect = .boarding(seconds: Double(number))
    case "crossing": effect = .crossing(factor: Double(number) / 1000)
    default: return nil
    }
    self.init(
      modes: TravelModes(rawValue: bits), effect: effect, condition: condition, when: when)
  }
}

extension RoadAttributes {
  /// The access of a mode under given circumstances, by the rules of the road; the last one that
  /// applies decides.
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
