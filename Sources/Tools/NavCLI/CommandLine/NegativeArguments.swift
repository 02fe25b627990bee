import Foundation

/// Command-line arguments that begin with a minus sign but are not options.
///
/// Latitudes of the southern hemisphere are such arguments.
enum NegativeArguments {
  /// Returns the arguments in a form that the option parser does not take for options.
  ///
  /// An argument such as `-33.86,151.2` gets a leading blank. A single number directly after an
  /// option becomes the value of that option.
  static func readable(_ words: [String]) -> [String] {
    var readable: [String] = []
    for (index, word) in words.enumerated() {
      if word == "--" { return readable + words[index...] }
      guard isSigned(word) else {
        readable.append(word)
        continue
      }
      // A single number with a leading blank would not be parsed as a number.
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

  /// Parses the numbers between the commas of a text; nil if one part is not a number.
  static func numbers(_ text: String) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    let numbers = parts.compactMap { $0 }.filter(\.isFinite)
    return numbers.count == parts.count ? numbers : nil
  }
}
