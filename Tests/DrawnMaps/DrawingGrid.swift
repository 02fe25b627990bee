public import Geodesy

/// The cells of a drawing: one for each character, the same number in every line.
public struct DrawingGrid: Hashable, Sendable {
  public let lineCount: Int
  /// The characters of the longest line, without spaces at its end.
  public let columnCount: Int
  /// Metres from a character to the next one.
  public let cellM: Double
  /// Metres from a line to the next one.
  public let lineM: Double
  /// The plane whose origin is the first character of the first line.
  public let plane: LocalPlane

  init(_ lines: [Substring], cellM: Double, lineM: Double, origin: Coordinate) {
    lineCount = lines.count
    columnCount = Self.columnCount(lines)
    self.cellM = cellM
    self.lineM = lineM
    plane = LocalPlane(origin: origin)
  }

  /// The place of a character, counted from 0.
  public func coordinate(line: Int, column: Int) -> Coordinate {
    plane.coordinate(
      PlanePoint(eastM: Double(column) * cellM, northM: -Double(line) * lineM))
  }

  static func lines(_ drawing: String) -> [Substring] {
    drawing.split(separator: "\n", omittingEmptySubsequences: false)
  }

  static func columnCount(_ lines: [Substring]) -> Int {
    lines.map { line in (line.lastIndex { $0 != " " }).map { line[...$0].count } ?? 0 }.max() ?? 0
  }
}
