public import Geodesy

/// The places found for a text, and a note if it does not name exactly one.
public struct PlaceSearchResult: Hashable, Sendable {
  public var places: [FoundPlace]
  /// The text that was searched for instead, or the reason why nothing was found; nil if the
  /// text was clear.
  public var note: String?
}

extension PlaceIndex {
  /// Two places with the same name farther apart than this are ambiguous, in metres.
  private static let ambiguousM = 3_000.0

  /// Finds places like `find`, and also understands a house number, and a town after a comma.
  ///
  /// Maps contain no house numbers, so a street stands for all its houses. A town selects the
  /// nearest street with the name.
  public func search(
    _ text: String, near: Coordinate? = nil, limit: Int = 10
  ) -> PlaceSearchResult {
    let found = find(text, near: near, limit: limit)
    if !found.isEmpty {
      return PlaceSearchResult(places: found, note: near == nil ? Self.ambiguity(found) : nil)
    }
    let parts = text.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty }
    guard let first = parts.first else {
      return PlaceSearchResult(places: [], note: "the text is empty: enter a name or coordinates")
    }
    if parts.count == 2, parts.allSatisfy({ Double($0) != nil }) {
      return PlaceSearchResult(
        places: [],
        note: "\(text) are not valid coordinates: latitude is -90 to 90, longitude -180 to 180")
    }
    let street = Self.withoutHouseNumber(first)
    guard parts.count > 1 else { return withoutTown(text, street, near, limit) }
    return inTown(street, of: parts.dropFirst().joined(separator: ", "), near, limit)
  }

  private func withoutTown(
    _ text: String, _ street: String, _ near: Coordinate?, _ limit: Int
  ) -> PlaceSearchResult {
    let found = street == text ? [] : find(street, near: near, limit: limit)
    guard !found.isEmpty else {
      return PlaceSearchResult(places: [], note: "\(Self.nothing(text)); \(Self.rule)")
    }
    let ambiguity = near == nil ? Self.ambiguity(found).map { "; \($0)" } : nil
    return PlaceSearchResult(
      places: found,
      note: "the map has no house numbers; these are the places called \"\(street)\""
        + (ambiguity ?? ""))
  }

  private func inTown(
    _ street: String, of town: String, _ near: Coordinate?, _ limit: Int
  ) -> PlaceSearchResult {
    let center = find(town, near: near, limit: 5).first { $0.kind == .place }
    let found = find(street, near: center?.coordinate ?? near, limit: limit)
    switch (found.isEmpty, center) {
    case (false, .some(let center)):
      return PlaceSearchResult(
        places: found,
        note: "these are the places called \"\(street)\", the nearest to \(center.name) first")
    case (false, nil):
      return PlaceSearchResult(
        places: found,
        note: "\(Self.nothing(town)); these are the places called \"\(street)\" elsewhere")
    case (true, .some(let center)):
      return PlaceSearchResult(
        places: [],
        note: "\(Self.nothing(street)), although it contains \(center.name); \(Self.rule)")
    case (true, nil):
      return PlaceSearchResult(
        places: [],
        note: "the map has neither \"\(street)\" nor \"\(town)\": is it the map of another region?")
    }
  }

  private static let rule =
    "the words of the text must be beginnings of the words of a name, in the same order"

  private static func nothing(_ text: String) -> String {
    "nothing on the map is called \"\(text)\""
  }

  /// A note if places far apart have the name of the first one.
  private static func ambiguity(_ found: [FoundPlace]) -> String? {
    guard let first = found.first else { return nil }
    let same = found.filter { $0.name == first.name }
    guard
      same.contains(where: { $0.coordinate.distanceM(to: first.coordinate) > ambiguousM })
    else { return nil }
    return
      "\(same.count) places are called \"\(first.name)\": add the town after a comma, or a place near it"
  }

  /// The text without a house number at its beginning or end: `12`, `12a`, `12-14`.
  static func withoutHouseNumber(_ text: String) -> String {
    var words = text.split(separator: " ")
    func isNumber(_ word: Substring?) -> Bool {
      guard let word, let first = word.first, first.isNumber else { return false }
      return word.allSatisfy { $0.isNumber || $0.isLetter || $0 == "-" || $0 == "/" }
        && word.count(where: \.isLetter) <= 1
    }
    guard words.count > 1 else { return text }
    if isNumber(words.last) {
      words.removeLast()
    } else if isNumber(words.first) {
      words.removeFirst()
    }
    return words.joined(separator: " ")
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
