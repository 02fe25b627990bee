/// Finds keys of a YAML text that are lists, maps or aliases, before the text is parsed.
///
/// A parser compares all keys of a map, including their contents. If a key consists of a few
/// aliases to aliases, the comparison never ends. No stack file has such keys. Quoted texts,
/// comments and block texts are skipped.
struct YAMLKeys {
  private let bytes: [UInt8]
  private var at = 0
  private var line = 1
  private var lineStart = 0
  /// Start places of the bracketed lists and maps that are still open.
  private var open: [Place] = []

  private init(_ yaml: String) { bytes = Array(yaml.utf8) }

  /// Returns where the first such key begins; nil if there is none.
  ///
  /// The search takes linear time.
  static func firstNonScalarKey(of yaml: String) -> Place? {
    var scan = Self(yaml)
    return scan.first()
  }

  private var place: Place { Place(line: line, column: at - lineStart + 1) }
  private var current: UInt8? { at < bytes.count ? bytes[at] : nil }

  private static func isBlank(_ byte: UInt8?) -> Bool {
    byte == nil || byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }

  private static func mayPrecedeKey(_ byte: UInt8?) -> Bool {
    guard let byte else { return true }
    return "-[{,".utf8.contains(byte)
  }

  private mutating func next() {
    if bytes[at] == 0x0a {
      line += 1
      lineStart = at + 1
    }
    at += 1
  }

  private mutating func first() -> Place? {
    // Whether the current byte follows a blank, a bracket or a comma.
    var isStart = true
    // The last non-blank byte of this line; nil at the start of the line.
    var previous: UInt8?
    while let byte = current {
      let begin = place
      switch byte {
      case UInt8(ascii: "#") where isStart: skipLine()
      case UInt8(ascii: "\"") where isStart, UInt8(ascii: "'") where isStart: skipQuoted(byte)
      case UInt8(ascii: "|"), UInt8(ascii: ">"):
        if isStart, open.isEmpty, previous == UInt8(ascii: ":") || previous == UInt8(ascii: "-") {
          skipBlock()
        } else {
          next()
        }
      case UInt8(ascii: "?") where isStart && Self.mayPrecedeKey(previous):
        if Self.isBlank(at + 1 < bytes.count ? bytes[at + 1] : nil) { return begin }
        next()
      case UInt8(ascii: "*")
      where isStart && (Self.mayPrecedeKey(previous) || previous == UInt8(ascii: ":")):
        while !Self.isBlank(current), !isBracketOrComma(current) { next() }
        // An alias may have a colon in its name. A separate colon after it makes it a key.
        if isKey(endingAt: at) { return begin }
        isStart = false
        previous = UInt8(ascii: "*")
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if isStart { open.append(begin) }
        next()
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        let opened = open.popLast()
        next()
        if let opened, isKey(endingAt: at) { return opened }
      default: next()
      }
      let last = at > 0 ? bytes[at - 1] : 0x20
      if last == 0x0a { previous = nil } else if !Self.isBlank(last) { previous = last }
      isStart =
        Self.isBlank(last) || last == UInt8(ascii: ",") || last == UInt8(ascii: "[")
        || last == UInt8(ascii: "{")
    }
    return nil
  }

  private func isBracketOrComma(_ byte: UInt8?) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
  }

  /// Whether the node that ends at `end` is a key.
  ///
  /// A key ends with a colon, or a colon follows it, possibly after blanks.
  private func isKey(endingAt end: Int) -> Bool {
    if end > 0, bytes[end - 1] == UInt8(ascii: ":") { return true }
    var place = end
    while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { return false }
    return true
  }

  private mutating func skipLine() {
    while let byte = current, byte != 0x0a { next() }
  }

  private mutating func skipQuoted(_ quote: UInt8) {
    next()
    while let byte = current {
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        next()
        if current != nil { next() }
        continue
      }
      next()
      guard byte == quote else { continue }
      // Two single quotes stand for one literal quote.
      guard quote == UInt8(ascii: "'"), current == quote else { return }
      next()
    }
  }

  /// Skips a block text: all lines that are indented more than the line that begins it.
  private mutating func skipBlock() {
    var indent = 0
    while lineStart + indent < bytes.count, bytes[lineStart + indent] == 0x20 { indent += 1 }
    // If it is an entry of a list, that list is not indented deeper.
    skipLine()
    while current != nil {
      var place = at + 1
      while place < bytes.count, bytes[place] == 0x20 { place += 1 }
      let isEmpty = place < bytes.count && (bytes[place] == 0x0a || bytes[place] == 0x0d)
      guard isEmpty || place - at - 1 > indent else { return }
      next()
      skipLine()
    }
  }
}
