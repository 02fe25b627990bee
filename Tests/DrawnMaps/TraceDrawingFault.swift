/// An error in the drawing of a trace.
public enum TraceDrawingFault: Error, Hashable, CustomStringConvertible {
  /// The drawing has no number.
  case noFix
  /// The number 0, because the first fix is 1.
  case zero
  /// A number occurs twice.
  case repeated(Int)
  /// A number is missing, and a greater one exists.
  case missing(Int)
  /// The drawing has another size than that of the map, in lines and characters.
  case size(lines: Int, columns: Int, mapLines: Int, mapColumns: Int)
  /// A letter is at another place than in the drawing of the map.
  case displaced(Character)
  /// There are fewer or more times than fixes.
  case times(Int, fixes: Int)
  /// A line needs two or more points at different places, a speed and an interval above 0.
  case noLine(String)

  public var description: String {
    switch self {
    case .noFix: "the trace has no fix: no number in the drawing"
    case .zero: "there is no fix 0: the numbers must be 1, 2, 3 and so on"
    case .repeated(let number): "fix \(number) is in the drawing twice"
    case .missing(let number): "fix \(number) is missing: the numbers must be 1, 2, 3 and so on"
    case .size(let lines, let columns, let mapLines, let mapColumns):
      "the trace is drawn on \(lines) lines of \(columns) characters, "
        + "the map on \(mapLines) lines of \(mapColumns)"
    case .displaced(let letter): "\"\(letter)\" is not where the map has it"
    case .times(let count, let fixes): "there are \(count) times for \(fixes) fixes"
    case .noLine(let points):
      "no drive along \"\(points)\": it needs two points, a speed and an interval"
    }
  }
}
