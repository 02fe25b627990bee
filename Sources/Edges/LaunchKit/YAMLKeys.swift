/// Finds keys of a YAML text that are lists, maps or aliases, before the text is parsed.
///
/// A parser compares all keys of a map, with everything that they hold: a few aliases to aliases as a key, and it
/// never ends. No stack file has such keys. Quotes, comments and block texts are passed over.
struct YAMLKeys {
  private let bytes: [UInt8]
  private var at = 0
  private var line = 1
  private var lineStart = 0
  /// Where the lists and maps in brackets begin that are open.
  private var open: [Place] = []

  private init(_ yaml: String) { bytes = Array(yaml.utf8) }

  /// Where the first of them begins, nil where there is none; linear.
  static func firstThatIsNoWord(of yaml: String) -> Place? {
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
    // Whether a blank, a bracket or a comma stands before.
    var isStart = true
    // The last sign of this line that is no blank; nil at its beginning.
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
        // An alias may have a colon in its name, and is a key before a colon that stands alone.
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

  /// Whether what ends here is a key: a colon follows, behind blanks or at its very end.
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
      // Two single quotes are one that is meant.
      guard quote == UInt8(ascii: "'"), current == quote else { return }
      next()
    }
  }

  /// Passes over a text in lines of its own: all lines that are further in than the one that begins it.
  private mutating func skipBlock() {
    var indent = 0
    while lineStart + indent < bytes.count, bytes[lineStart + indent] == 0x20 { indent += 1 }
    // The list that it may be an entry of is no deeper.
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
