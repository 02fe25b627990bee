import MessagePack

/// The settings for the recording of bus messages: its path and its topics.
public struct RecordSettings: Hashable, Sendable {
  /// Path of the file, relative to the stack file's folder; `{stack}` and `{start}` are not filled
  /// in yet.
  public var to: Located<String>
  /// Patterns, of which those that start with `!` are excluded; empty for everything.
  public var topics: [Located<String>] = []
  /// Seconds and bytes after which the next file starts; nil for never.
  public var splitEveryS: Double?
  public var splitBytes: Int?
  /// Total size of all recordings next to it, in bytes; nil for no limit.
  public var keepBytes: Int?

  public init(to: Located<String>) { self.to = to }

  /// The placeholders that may occur in a path.
  static let words = ["stack", "start"]

  /// The path with its placeholders filled in; `start` is as in `20260801-120338`.
  public func path(stack: String, start: String) -> String {
    to.value.replacing("{stack}", with: stack).replacing("{start}", with: start)
  }

  /// Problems of these settings.
  var problems: [StackProblem] {
    var problems: [StackProblem] = []
    for word in Self.braces(to.value) where !Self.words.contains(word) {
      let nearest = Suggestion.nearest(to: word, among: Self.words)
      let hint = nearest.map { " (did you mean \"{\($0)}\"?)" } ?? "; known are {stack} and {start}"
      problems.append(
        StackProblem("unknown placeholder \"{\(word)}\"\(hint)", path: "record.to", at: to.place))
    }
    for topic in topics where !Self.isPattern(topic.value) {
      problems.append(
        StackProblem(
          "expected *, a topic such as location/raw, or a subtree such as guidance/, optionally after !, "
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
