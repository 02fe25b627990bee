import MessagePack

/// Where what passes over the bus is recorded, and what of it.
public struct RecordSettings: Hashable, Sendable {
  /// Path of the file, from the stack file's folder; with `{stack}` and `{start}` yet to be filled.
  public var to: Located<String>
  /// Patterns, those that begin with `!` being left out; empty for everything.
  public var topics: [Located<String>] = []
  /// Seconds and bytes after which the next file begins; nil for never.
  public var splitEveryS: Double?
  public var splitBytes: Int?
  /// Bytes that all recordings beside it may have; nil for any number.
  public var keepBytes: Int?

  public init(to: Located<String>) { self.to = to }

  /// The words that may stand in braces in a path.
  static let words = ["stack", "start"]

  /// The path with its words filled in; `start` is as in `20260801-120338`.
  public func path(stack: String, start: String) -> String {
    to.value.replacing("{stack}", with: stack).replacing("{start}", with: start)
  }

  /// What is wrong with it.
  var problems: [StackProblem] {
    var problems: [StackProblem] = []
    for word in Self.braces(to.value) where !Self.words.contains(word) {
      let nearest = Suggestion.nearest(to: word, among: Self.words)
      let hint = nearest.map { " (did you mean \"{\($0)}\"?)" } ?? "; known are {stack} and {start}"
      problems.append(
        StackProblem("unknown word \"{\(word)}\"\(hint)", path: "record.to", at: to.place))
    }
    for topic in topics where !Self.isPattern(topic.value) {
      problems.append(
        StackProblem(
          "expected *, a topic as in location/raw, or a subtree as in guidance/, each perhaps after !, "
            + "found \"\(topic.value)\"", path: "record.topics", at: topic.place))
    }
    return problems
  }

  private static func braces(_ text: String) -> [String] {
    text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix { $0 != "}" })
    }
  }

  private static func isPattern(_ text: String) -> Bool {
    let pattern = text.hasPrefix("!") ? text.dropFirst() : text[...]
    guard pattern != "*" else { return true }
    let tokens = (pattern.hasSuffix("/") ? pattern.dropLast() : pattern)
      .split(separator: "/", omittingEmptySubsequences: false)
    return pattern.utf8.count <= 200
      && tokens.allSatisfy { token in
        !token.isEmpty
          && token.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
              || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "_.-".utf8.contains($0)
          }
      }
  }
}

extension RecordSettings {
  init?(_ value: YAMLValue) {
    guard let to = value["to"].flatMap(Located.text) else { return nil }
    self.init(to: to)
    topics = (value["topics"]?.items ?? []).compactMap(Located.text)
    splitEveryS = value["split"]?.durationS("every")
    splitBytes = value["split"]?["size"]?.text.flatMap(Quantity.bytes)
    keepBytes = value["keep"]?.text.flatMap(Quantity.bytes)
  }
}
