/// What a language knows about names on signs: abbreviations and prefixes of road numbers.
public struct EarRules: Codable, Hashable, Sendable {
  /// Abbreviation without its dot, in lower case, to the word.
  public var words: [String: String]
  /// The same, only at the end of a name: `st` is a street.
  public var lastWords: [String: String]
  /// The same, only before another word: `st` is a saint.
  public var firstWords: [String: String]
  /// What `&` and `+` are called.
  public var and: String
  /// Letters before a road's number that have a name of their own: `I` is `Interstate`.
  public var roadPrefixes: [String: String]

  public init(
    words: [String: String] = [:], lastWords: [String: String] = [:],
    firstWords: [String: String] = [:], and: String, roadPrefixes: [String: String] = [:]
  ) {
    self.words = words
    self.lastWords = lastWords
    self.firstWords = firstWords
    self.and = and
    self.roadPrefixes = roadPrefixes
  }
}

extension EarRules {
  /// No name is said beyond this many characters.
  static let longestName = 90

  /// A name as one says it: abbreviations expanded; slashes, dashes and brackets gone.
  ///
  /// Empty where nothing speakable is left.
  public func name(_ raw: String) -> String {
    let parts = plainCharacters(raw).split(separator: ",").map { part in
      expanded(part.split(separator: " ").map(String.init))
    }
    let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    guard text.count > Self.longestName else { return text }
    let cut = text.prefix(Self.longestName)
    return String(cut[..<(cut.lastIndex(of: " ") ?? cut.endIndex)])
  }

  /// A road's number as one says it: `EN109-3;A 1` becomes the letters E N and `109 3`.
  ///
  /// Only the first of several numbers is said. nil where nothing speakable is left.
  public func roadNumber(_ raw: String) -> Sentence.Piece? {
    guard let first = raw.split(whereSeparator: { $0 == ";" || $0 == "," }).first else {
      return nil
    }
    let tokens = roadTokens(String(first.prefix(24)))
    guard let head = tokens.first else { return nil }
    let rest = tokens.dropFirst().joined(separator: " ")
    if let prefix = roadPrefixes[head.uppercased()], !rest.isEmpty {
      return .words("\(prefix) \(rest)")
    }
    guard head.allSatisfy({ $0.isUppercase }), head.count <= 3 else {
      return .words(tokens.joined(separator: " "))
    }
    return .roadNumber(letters: head, rest: rest)
  }

  /// Runs of letters and runs of digits (with the letter that ends them) apart: `CR12A` is `CR`, `12A`.
  private func roadTokens(_ raw: String) -> [String] {
    var tokens: [String] = []
    var current = ""
    for character in raw {
      guard character.isLetter || character.isNumber else {
        if !current.isEmpty { tokens.append(current) }
        current = ""
        continue
      }
      if let last = current.last, last.isLetter, character.isNumber, tokens.isEmpty {
        tokens.append(current)
        current = ""
      }
      current.append(character)
    }
    if !current.isEmpty { tokens.append(current) }
    return tokens
  }

  private func plainCharacters(_ raw: String) -> String {
    var result = ""
    let characters = Array(raw.prefix(400))
    for (index, character) in characters.enumerated() {
      switch character {
      case "/", ";", "|", "\\": result += ","
      case "-", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}":
        let isApart = index > 0 && characters[index - 1] == " "
        result += isApart ? "," : " "
      case "(", ")", "[", "]", "{", "}", "<", ">", "_", "\"", "*", "#", "=", "~", "^": result += " "
      case "&", "+": result += " \(and) "
      case _ where character.isWhitespace || character.isNewline: result += " "
      case _ where character.unicodeScalars.contains { $0.value < 32 }: continue
      default: result.append(character)
      }
    }
    return result
  }

  private func expanded(_ tokens: [String]) -> String {
    var words: [String] = []
    for (index, token) in tokens.enumerated() {
      let hasDot = token.last == "."
      let key = (hasDot ? String(token.dropLast()) : token).lowercased()
      let isLast = index == tokens.count - 1
      let isAlone = tokens.count == 1
      let beginsNumber = !isLast && tokens[index + 1].first?.isNumber == true
      let expansion: String? =
        if isAlone || beginsNumber { self.words[key] } else if isLast {
          lastWords[key] ?? self.words[key]
        } else if index == 0 { firstWords[key] ?? self.words[key] } else {
          innerWord(key, before: tokens[index + 1])
        }
      words.append(expansion ?? (hasDot && key.count > 1 ? String(token.dropLast()) : token))
    }
    return words.joined(separator: " ")
  }

  /// Inside a name: `Main St N` is a street, `Rue St Jean` a saint.
  private func innerWord(_ key: String, before next: String) -> String? {
    let nextKey = (next.last == "." ? String(next.dropLast()) : next).lowercased()
    if lastWords[nextKey] != nil, let word = lastWords[key] { return word }
    return words[key] ?? firstWords[key]
  }
}
