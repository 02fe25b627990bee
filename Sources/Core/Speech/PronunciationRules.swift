/// What a language knows about names on signs: abbreviations and prefixes of road numbers.
///
/// What an abbreviation means depends on its place in the name. Keys are in lower case and without dots.
public struct PronunciationRules: Codable, Hashable, Sendable {
  /// Abbreviation to word, anywhere in a name.
  public var words: [String: String]
  /// The same, only at the end of a name: `st` is a street.
  public var lastWords: [String: String]
  /// The same, only before another word: `st` is a saint.
  public var firstWords: [String: String]
  /// The same, only after another word and in this spelling: `Jr`, `Sr`, while `SR 20` is a state route.
  public var laterWords: [String: String]
  /// Directions in the names of streets, by letters that must be capitals: `SE` is southeast.
  public var directions: [String: String]
  /// Kinds of roads, as words and abbreviated: the letter before one is a name, as in `N Street`.
  public var roadKinds: Set<String>
  /// Words found only in street names of this language, in addition to road kinds: `N Broadway`.
  public var streetWords: Set<String>
  /// Countries (ISO 3166-1) that abbreviate directions in street names.
  public var directionCountries: Set<String>
  /// Names, split into words, that look abbreviated but are not: `Ave Maria`.
  public var wholeNames: Set<[String]>
  /// First words of street names in other languages.
  ///
  /// A word after `Place` or `Rue` is not a kind of road.
  public var leadingKinds: Set<String>
  /// What is named after the street that it belongs to: `Main St Bridge`.
  public var structures: Set<String>
  /// Endings that make a number an ordinal: `3rd`.
  public var ordinalEndings: Set<String>
  /// The words for `&` and `+`.
  public var and: String
  /// Letters before a road's number that have a name of their own: `I` is `Interstate`.
  public var roadPrefixes: [String: String]
  /// The same for the numbers of one country (ISO 3166-1): in `US`, `NY` is `State Route`.
  public var roadPrefixesByCountry: [String: [String: String]]
  /// Word spoken before a road number without letters: with `road`, `7` becomes road 7.
  public var bareNumber: String

  public init(
    words: [String: String] = [:], lastWords: [String: String] = [:],
    firstWords: [String: String] = [:], laterWords: [String: String] = [:],
    directions: [String: String] = [:], roadKinds: Set<String> = [],
    streetWords: Set<String> = [], directionCountries: Set<String> = [],
    wholeNames: Set<[String]> = [], leadingKinds: Set<String> = [],
    structures: Set<String> = [], ordinalEndings: Set<String> = [], and: String,
    roadPrefixes: [String: String] = [:],
    roadPrefixesByCountry: [String: [String: String]] = [:], bareNumber: String = ""
  ) {
    self.words = words
    self.lastWords = lastWords
    self.firstWords = firstWords
    self.laterWords = laterWords
    self.directions = directions
    self.roadKinds = roadKinds
    self.streetWords = streetWords
    self.directionCountries = directionCountries
    self.wholeNames = wholeNames
    self.leadingKinds = leadingKinds
    self.structures = structures
    self.ordinalEndings = ordinalEndings
    self.and = and
    self.roadPrefixes = roadPrefixes
    self.roadPrefixesByCountry = roadPrefixesByCountry
    self.bareNumber = bareNumber
  }
}

extension PronunciationRules {
  /// Names are spoken up to this many characters.
  static let longestName = 90

  /// A name in spoken form: abbreviations expanded; slashes, dashes and brackets removed.
  ///
  /// Letters are directions if `country` (ISO 3166-1) abbreviates directions in street names.
  /// Elsewhere they are directions only in names with a word for a street of this language. The
  /// result is empty if nothing speakable is left.
  public func name(_ raw: String, country: String? = nil) -> String {
    let parts = plainCharacters(raw).split(separator: ",").map { part in
      expanded(part.split(separator: " ").map(String.init), country)
    }
    let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    guard text.count > Self.longestName else { return text }
    let cut = text.prefix(Self.longestName)
    return String(cut[..<(cut.lastIndex(of: " ") ?? cut.endIndex)])
  }

  /// A road's number in spoken form: `EN109-3;A 1` becomes the letters E N and `109 3`.
  ///
  /// Only the first of several numbers is spoken. Letters have the meaning that they have in
  /// `country` (ISO 3166-1). The result is nil if nothing speakable is left.
  public func roadNumber(_ raw: String, country: String? = nil) -> Sentence.Piece? {
    guard let first = raw.split(whereSeparator: { $0 == ";" || $0 == "," }).first else {
      return nil
    }
    let tokens = roadTokens(String(first.prefix(24)))
    guard let head = tokens.first else { return nil }
    let rest = tokens.dropFirst().joined(separator: " ")
    if head.first?.isNumber == true, !bareNumber.isEmpty {
      return .words("\(bareNumber) \(tokens.joined(separator: " "))")
    }
    let own = country.flatMap { roadPrefixesByCountry[$0] }?[head.uppercased()]
    if let prefix = own ?? roadPrefixes[head.uppercased()], !rest.isEmpty {
      return .words("\(prefix) \(rest)")
    }
    guard head.allSatisfy({ $0.isUppercase }), head.count <= 3 else {
      return .words(tokens.joined(separator: " "))
    }
    return .roadNumber(letters: head, rest: rest)
  }

  /// Splits letters from digits (with the letter that ends them): `CR12A` is `CR`, `12A`.
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

  private func expanded(_ tokens: [String], _ country: String?) -> String {
    let keys = tokens.map { token in token.filter { $0 != "." }.lowercased() }
    let hasDirections = hasDirections(keys, country)
    return tokens.indices.map { index in
      let token = tokens[index]
      if isPartOfWholeName(index, keys) { return token }
      if let word = expansion(at: index, of: tokens, keys, hasDirections) { return word }
      let initials = token.split(separator: ".")
      if initials.count > 1, initials.allSatisfy({ $0.count == 1 }) {
        return initials.joined(separator: " ")
      }
      return token.last == "." && keys[index].count > 1 ? String(token.dropLast()) : token
    }.joined(separator: " ")
  }

  /// Whether letters in a name may be directions.
  private func hasDirections(_ keys: [String], _ country: String?) -> Bool {
    if let country, directionCountries.contains(country) { return true }
    return keys.contains { roadKinds.contains($0) || streetWords.contains($0) }
      // Numbered streets of a grid, such as W 100 N.
      || keys.count == 3 && isNumber(keys[1])
  }

  private func isPartOfWholeName(_ index: Int, _ keys: [String]) -> Bool {
    wholeNames.contains { name in
      keys.indices.contains {
        (max(0, index - name.count + 1)...index).contains($0)
          && keys[$0...].prefix(name.count).elementsEqual(name)
      }
    }
  }

  private func expansion(
    at index: Int, of tokens: [String], _ keys: [String], _ hasDirections: Bool
  ) -> String? {
    let key = keys[index]
    guard tokens.count > 1 else { return words[key] }
    if hasDirections, let word = direction(at: index, of: tokens, keys) { return word }
    if index > 0, tokens.count > 2, leadingKinds.contains(keys[0]) {
      return index + 1 < tokens.count ? firstWords[key] : laterWord(tokens[index])
    }
    if directions[key] != nil, words[key] == nil { return nil }
    guard index + 1 < tokens.count else {
      return lastWords[key] ?? laterWord(tokens[index]) ?? words[key]
    }
    if isNumber(keys[index + 1]) { return (index > 0 ? lastWords[key] : nil) ?? words[key] }
    if index == 0 { return firstWords[key] ?? words[key] }
    let next = keys[index + 1]
    if lastWords[next] != nil || isDirection(next) || structures.contains(next),
      let word = lastWords[key]
    {
      return word
    }
    return words[key] ?? laterWord(tokens[index]) ?? firstWords[key]
  }

  private func laterWord(_ token: String) -> String? {
    laterWords[token.last == "." ? String(token.dropLast()) : token]
  }

  /// The direction that a token stands for; nil if it is an initial, a letter or a road's number.
  private func direction(at index: Int, of tokens: [String], _ keys: [String]) -> String? {
    let key = keys[index]
    guard let word = directions[key], tokens[index].allSatisfy({ $0.isUppercase || $0 == "." })
    else { return nil }
    let isLetter = key.count == 1
    let after = keys[(index + 1)...]
    guard let next = after.first else {
      return isLetter && index == 1 && roadKinds.contains(keys[0]) ? nil : word
    }
    if isNumber(next) {
      guard let kind = after.dropFirst().first else { return nil }
      return roadKinds.contains(kind) || isDirection(kind) ? word : nil
    }
    guard isLetter else { return word }
    // A letter after a road kind at the start of the name is an initial: Avenue E Zola.
    if index > 0 { return index > 1 && roadKinds.contains(keys[index - 1]) ? word : nil }
    return roadKinds.contains(next) && after.dropFirst().allSatisfy(isDirection) ? nil : word
  }

  private func isDirection(_ key: String) -> Bool {
    directions[key] != nil || directions.values.contains { $0.lowercased() == key }
  }

  /// Whether a token is a number but not an ordinal: letters before one belong to a road's number.
  private func isNumber(_ key: String) -> Bool {
    key.first?.isNumber == true && !ordinalEndings.contains(String(key.drop(while: \.isNumber)))
  }
}
