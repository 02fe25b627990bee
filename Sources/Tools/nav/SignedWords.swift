import Foundation

/// Words of the command line that begin with a minus sign and are no options: latitudes of the south.
enum SignedWords {
  /// The words so that a parser of options takes none of them for an option.
  ///
  /// `-33.86,151.2` gets a blank in front, wherever it stands; a number alone after an option is its value.
  static func readable(_ words: [String]) -> [String] {
    var readable: [String] = []
    for (index, word) in words.enumerated() {
      if word == "--" { return readable + words[index...] }
      guard isSigned(word) else {
        readable.append(word)
        continue
      }
      // A number alone would not be one with a blank.
      if Double(word) != nil, let option = readable.last, option.hasPrefix("--"),
        !option.contains("=")
      {
        readable[readable.count - 1] = "\(option)=\(word)"
      } else {
        readable.append(" " + word)
      }
    }
    return readable
  }

  private static func isSigned(_ word: String) -> Bool {
    guard word.first == "-", let second = word.dropFirst().first else { return false }
    return ("0"..."9").contains(second) || second == "."
  }

  /// The numbers between the commas of a text; nil where one is none.
  static func numbers(_ text: String) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    let numbers = parts.compactMap { $0 }.filter(\.isFinite)
    return numbers.count == parts.count ? numbers : nil
  }
}
