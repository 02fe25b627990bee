/// Names in the form that a search compares: lower case, without accents, with punctuation as
/// spaces.
enum FoldedText {
  /// The words of a text; linear.
  static func words(_ text: String) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    for scalar in text.unicodeScalars {
      let folded = fold(scalar)
      if folded.isEmpty {
        if !word.isEmpty { words.append(word) }
        word = []
      } else if folded != [0] {
        word += folded
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// The bytes of one character; empty for word separators, a zero for characters that are ignored.
  private static func fold(_ scalar: Unicode.Scalar) -> [UInt8] {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: return [UInt8(scalar.value)]
    case 0x41...0x5A: return [UInt8(scalar.value + 0x20)]
    case 0x27, 0x2019, 0x300...0x36F: return [0]
    case ..<0x80: return []
    case 0xDF, 0x1E9E: return Array("ss".utf8)
    case 0xC6, 0xE6: return Array("ae".utf8)
    case 0x152, 0x153: return Array("oe".utf8)
    case 0xDE, 0xFE: return Array("th".utf8)
    default: return foldNamed(scalar)
    }
  }

  // Unicode names accented letters by their base letter: LATIN SMALL LETTER E WITH ACUTE.
  private static func foldNamed(_ scalar: Unicode.Scalar) -> [UInt8] {
    let properties = scalar.properties
    guard properties.isAlphabetic || properties.numericType != nil else { return [] }
    let words = properties.name?.split(separator: " ") ?? []
    if words.first == "LATIN", let at = words.firstIndex(of: "LETTER"), at + 1 < words.count,
      words[at + 1].utf8.count == 1, let byte = words[at + 1].utf8.first
    {
      return [byte + 0x20]
    }
    return Array(properties.lowercaseMapping.utf8)
  }
}
