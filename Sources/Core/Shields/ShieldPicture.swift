/// A shield as a picture: its size in pixels, its description, its key and its drawing.
public struct ShieldPicture: Hashable, Sendable {
  /// Size within the requested box, with the sign's own aspect; whole pixels, at least 1.
  public var widthPx: Int
  public var heightPx: Int
  /// For screen readers: `Interstate 80 East`.
  public var description: String
  /// The row of the table of signs: `US:CA`, `GB:A@3`; `level-3` for a plain plate.
  public var style: String
  /// Equal for equal pictures: made of all properties, the box, the scheme and the night mode.
  public var key: String
  public var drawing: ShieldDrawing

  /// The picture as an SVG document with its size in pixels; linear in the elements.
  public var svg: String {
    let (width, height) = (Self.number(drawing.width), Self.number(drawing.height))
    var text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(widthPx)\" height=\"\(heightPx)\" "
      + "viewBox=\"0 0 \(width) \(height)\" role=\"img\"><title>\(Self.escaped(description))</title>"
    for element in drawing.elements {
      switch element {
      case .fill(let path, let colour):
        text += "<path d=\"\(Self.data(path))\" fill=\"\(colour)\"/>"
      case .stroke(let path, let colour, let width):
        text +=
          "<path d=\"\(Self.data(path))\" fill=\"none\" stroke=\"\(colour)\" "
          + "stroke-width=\"\(Self.number(width))\" stroke-linejoin=\"round\"/>"
      case .text(let item):
        text +=
          "<text x=\"\(Self.number(item.x))\" y=\"\(Self.number(item.baselineY))\" "
          + "font-family=\"Arial Narrow, Helvetica, Arial, sans-serif\" font-weight=\"bold\" "
          + "font-size=\"\(Self.number(item.size))\" text-anchor=\"middle\" "
          + "textLength=\"\(Self.number(item.width))\" lengthAdjust=\"spacingAndGlyphs\" "
          + "fill=\"\(item.colour)\">\(Self.escaped(item.text))</text>"
      }
    }
    return text + "</svg>"
  }

  private static func data(_ path: ShieldPath) -> String {
    path.steps.map { step in
      switch step {
      case .move(let x, let y): "M\(number(x)) \(number(y))"
      case .line(let x, let y): "L\(number(x)) \(number(y))"
      case .curve(let x1, let y1, let x2, let y2, let x, let y):
        "C\(number(x1)) \(number(y1)) \(number(x2)) \(number(y2)) \(number(x)) \(number(y))"
      case .close: "Z"
      }
    }.joined()
  }

  /// A number with at most two decimals.
  private static func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest % 10 == 0 ? rest / 10 : rest)"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
