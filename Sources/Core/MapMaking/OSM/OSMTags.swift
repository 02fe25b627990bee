/// The tags of one OSM object: keys and values in the file's order, each key once.
public struct OSMTags: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  public private(set) var pairs: [Tag]

  /// A key with its value.
  public struct Tag: Hashable, Sendable {
    public var key: String
    public var value: String

    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  public init(_ pairs: [Tag] = []) { self.pairs = pairs }

  public init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { Tag(key: $0.0, value: $0.1) }
  }

  public var isEmpty: Bool { pairs.isEmpty }

  /// The value of `key`; nil if the object does not have it.
  ///
  /// Linear, since objects have only a few tags.
  public subscript(key: String) -> String? {
    get {
      for tag in pairs where tag.key == key { return tag.value }
      return nil
    }
    set {
      if let index = pairs.firstIndex(where: { $0.key == key }) {
        if let newValue { pairs[index].value = newValue } else { pairs.remove(at: index) }
      } else if let newValue {
        pairs.append(Tag(key: key, value: newValue))
      }
    }
  }

  /// Whether a key starts with these bytes.
  func hasKey(startingWith start: StaticString) -> Bool {
    start.withUTF8Buffer { start in pairs.contains { $0.key.utf8.starts(with: start) } }
  }

  /// Whether the value of `key` is `yes` in one of its spellings.
  func isYes(_ key: String) -> Bool {
    guard let value = self[key] else { return false }
    return value == "yes" || value == "true" || value == "1"
  }
}

/// The text split at a separator, with each part trimmed.
func parts(_ text: String, _ separator: Character = ";") -> [String] {
  text.split(separator: separator).map { trimmed($0) }.filter { !$0.isEmpty }
}

/// The text without white space at its ends.
func trimmed(_ text: some StringProtocol) -> String {
  var rest = Substring(text)
  while rest.first?.isWhitespace == true { rest.removeFirst() }
  while rest.last?.isWhitespace == true { rest.removeLast() }
  return String(rest)
}
