/// A cell of separated text and its position in the line.
struct CSVCell {
  var text: String
  /// Position of the first byte in the line, counted from 1.
  var column: Int
}

/// A line of separated text.
///
/// With line ends inside quotes, it spans several lines of the file.
struct CSVLine {
  /// Number of its first line in the file, counted from 1.
  var number: Int
  var cells: [CSVCell]

  var isBlank: Bool { cells.allSatisfy { $0.text.isEmpty } }
  var isComment: Bool { cells.first?.text.utf8.first == UInt8(ascii: "#") }
}

/// Splits bytes into lines and trimmed cells (RFC 4180).
///
/// A quoted cell may contain separators, line ends and doubled quotes.
struct CSVLines {
  private let bytes: [UInt8]
  var separator: UInt8
  private var at: Int
  /// Number of the last line that was returned.
  private(set) var number = 0
  /// Number of line ends inside quotes in the current line.
  private var inner = 0

  private static let quote = UInt8(ascii: "\"")

  init(_ bytes: [UInt8], separator: UInt8) {
    self.bytes = bytes
    self.separator = separator
    // A byte order mark is not part of the first column's name.
    at = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
  }

  mutating func next() -> CSVLine? {
    guard at < bytes.count else { return nil }
    number += 1 + inner
    inner = 0
    let start = at
    var cells: [CSVCell] = []
    while true {
      cells.append(cell(lineStart: start))
      guard at < bytes.count, bytes[at] == separator else { break }
      at += 1
    }
    // A line ends with LF, CR LF, or with CR alone.
    if at < bytes.count {
      at += bytes[at] == 0x0d && at + 1 < bytes.count && bytes[at + 1] == 0x0a ? 2 : 1
    }
    return CSVLine(number: number, cells: cells)
  }

  /// Reads a cell up to the next separator or line end.
  private mutating func cell(lineStart: Int) -> CSVCell {
    var first = at
    while first < bytes.count, isBlank(bytes[first]) { first += 1 }
    if first < bytes.count, bytes[first] == Self.quote, let text = quoted(from: first) {
      return CSVCell(text: text, column: first - lineStart + 2)
    }
    while at < bytes.count, bytes[at] != separator, !isLineEnd(bytes[at]) { at += 1 }
    first = min(first, at)
    var last = at
    while first < last, isBlank(bytes[last - 1]) { last -= 1 }
    return CSVCell(
      text: String(decoding: bytes[first..<last], as: UTF8.self), column: first - lineStart + 1)
  }

  /// Returns the text of a cell whose opening quote is at `open`; nil without a closing quote.
  private mutating func quoted(from open: Int) -> String? {
    var text: [UInt8] = []
    var place = open + 1
    var ends = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == 0x0a || byte == 0x0d && (place == bytes.count || bytes[place] != 0x0a) {
        ends += 1
      }
      guard byte == Self.quote else {
        text.append(byte)
        continue
      }
      if place < bytes.count, bytes[place] == Self.quote {
        text.append(byte)
        place += 1
        continue
      }
      while place < bytes.count, bytes[place] != separator, !isLineEnd(bytes[place]) {
        if !isBlank(bytes[place]) { text.append(bytes[place]) }
        place += 1
      }
      at = place
      inner += ends
      return TraceValue.trimmed(String(decoding: text, as: UTF8.self))
    }
    return nil
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 && separator != 0x09
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }
}
