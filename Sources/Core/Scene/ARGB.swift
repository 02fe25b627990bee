/// A colour of 24 bits with its opacity.
public struct ARGB: Codable, Hashable, Sendable {
  /// 0 is invisible, 255 opaque.
  public var alpha: UInt8
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(alpha: UInt8 = .max, red: UInt8, green: UInt8, blue: UInt8) {
    self.alpha = alpha
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Reads `#rrggbb` or `#aarrggbb`; nil for any other text.
  public init?(_ text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), [6, 8].contains(digits.count),
      digits.allSatisfy(Self.isHexDigit), let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(
      alpha: digits.count == 6 ? .max : UInt8(truncatingIfNeeded: value >> 24),
      red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value))
  }

  /// `#rrggbb` for an opaque colour, `#aarrggbb` otherwise; in lower case.
  public var text: String {
    let channels = (alpha == .max ? [] : [alpha]) + [red, green, blue]
    return "#" + channels.map(Self.hex).joined()
  }

  /// The same in the order of CSS: `#rrggbb` or `#rrggbbaa`.
  public var cssText: String {
    let channels = [red, green, blue] + (alpha == .max ? [] : [alpha])
    return "#" + channels.map(Self.hex).joined()
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isHexDigit
  }
}
