/// A resolution-independent drawing: filled and stroked paths, and texts, from back to front.
public struct ShieldDrawing: Hashable, Sendable {
  /// One element; colours are `#rrggbb`.
  public enum Element: Hashable, Sendable {
    case fill(ShieldPath, colour: String)
    case stroke(ShieldPath, colour: String, width: Double)
    case text(ShieldText)
  }

  /// Width and height in the drawing's own units.
  public var width: Double
  public var height: Double
  public var elements: [Element] = []
}

/// A text of a drawing: bold, sans serif, centred, scaled to `width`.
public struct ShieldText: Hashable, Sendable {
  public var text: String
  /// Middle of the text, and its baseline.
  public var x: Double
  public var baselineY: Double
  /// Height of the font (em).
  public var size: Double
  /// Width that the text fills: glyphs are condensed to it.
  public var width: Double
  public var colour: String
}

extension ShieldText {
  /// Height of capitals and digits above the baseline, in ems.
  private static let capHeight = 0.72
  /// Type is condensed to this share before its size is reduced.
  private static let narrowest = 0.72

  /// Fits a text into an area: at full height, otherwise condensed, otherwise smaller.
  init(_ text: String, in area: ShieldArea, colour: String) {
    var size = area.height / Self.capHeight
    let natural = Self.widthEm(text)
    if natural * Self.narrowest * size > area.width {
      size = area.width / (natural * Self.narrowest)
    }
    let width = Double.minimum(natural * size, area.width)
    self.init(
      text: text, x: area.x + area.width / 2,
      baselineY: area.y + area.height / 2 + size * Self.capHeight / 2, size: size, width: width,
      colour: colour)
  }

  /// The usual width of a text in bold sans-serif type, in ems: typical advance widths.
  static func widthEm(_ text: String) -> Double {
    text.reduce(0) { $0 + widthEm($1) }
  }

  private static func widthEm(_ character: Character) -> Double {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    // Ideographs and similar characters fill the square.
    if scalar.value >= 0x1100 { return 1 }
    switch character {
    case "0"..."9": return 0.556
    case "I", "i", "l", "j", ".", ",", ":", " ", "|": return 0.278
    case "-", "(", ")", "/", "J", "t", "f", "r": return 0.35
    case "M", "W", "m", "w", "@": return 0.86
    case "A"..."Z": return 0.70
    default: return character.isLetter ? 0.58 : 0.5
    }
  }
}
