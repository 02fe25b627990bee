/// A colour with its opacity; parts from 0 to 1.
struct Paint: Hashable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha: Double

  static let white = Paint("#ffffff")

  /// Reads `#rrggbb` or `#rrggbbaa`; black for any other text.
  init(_ text: String) {
    let digits = text.dropFirst()
    let value = text.hasPrefix("#") ? UInt32(digits, radix: 16) ?? 0 : 0
    let hasAlpha = digits.count == 8
    func part(_ index: UInt32) -> Double {
      Double((value >> ((hasAlpha ? 24 : 16) - 8 * index)) & 0xFF) / 255
    }
    (red, green, blue) = (part(0), part(1), part(2))
    alpha = hasAlpha ? part(3) : 1
  }

  private init(red: Double, green: Double, blue: Double, alpha: Double) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  func faded(_ opacity: Double) -> Paint {
    Paint(red: red, green: green, blue: blue, alpha: alpha * opacity)
  }

  /// Between this colour (share 0) and another one (share 1).
  func mixed(with other: Paint, _ share: Double) -> Paint {
    func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
    return Paint(
      red: between(red, other.red), green: between(green, other.green),
      blue: between(blue, other.blue), alpha: between(alpha, other.alpha))
  }

  /// With less light: 1 leaves it as it is, 0 is black.
  func shaded(_ light: Double) -> Paint {
    Paint(red: red * light, green: green * light, blue: blue * light, alpha: alpha)
  }
}
