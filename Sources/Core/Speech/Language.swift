/// Converts phrases to text in one language: grammar, number words, ordinals, units.
///
/// Adding a language takes one file with one conforming type, and one line in `Languages.all`.
public protocol Language: Sendable {
  /// BCP 47: `en-US`.
  var tag: String { get }
  /// Name of the espeak-ng voice that speaks it.
  var voice: String { get }
  /// The rules that convert names on signs to their spoken form.
  var earRules: PronunciationRules { get }
  /// The phrase as one or more sentences; names in it have been processed by `earRules`.
  func sentence(for phrase: Phrase, units: Units) -> Sentence
}

extension Language {
  /// The phrase with a capital, a full stop and single spaces.
  public func utterance(for phrase: Phrase, units: Units) -> Utterance {
    let sentence = sentence(for: phrase, units: units).finished
    return Utterance(text: sentence.plain, ssml: sentence.ssml(tag: tag), language: tag)
  }

  /// The text of `utterance(for:units:)` alone, at half its cost.
  public func text(for phrase: Phrase, units: Units) -> String {
    sentence(for: phrase, units: units).finished.plain
  }
}

/// A phrase in words, plain and as SSML.
public struct Utterance: Codable, Hashable, Sendable {
  public var text: String
  public var ssml: String
  /// BCP 47 tag of the language it is in.
  public var language: String

  public init(text: String, ssml: String, language: String) {
    self.text = text
    self.ssml = ssml
    self.language = language
  }
}

/// The available languages.
public enum Languages {
  public static let all: [any Language] = [English(region: .us), English(region: .gb)]

  /// The language for `tag`, and a note for the log if it differs from the requested one.
  ///
  /// `en_gb` finds `en-GB`, and `en` or `en-AU` the first English one; unavailable languages fall
  /// back to en-US.
  public static func find(_ tag: String) -> (language: any Language, note: String?) {
    let wanted = tag.lowercased().split { $0 == "-" || $0 == "_" }.joined(separator: "-")
    if let exact = all.first(where: { $0.tag.lowercased() == wanted }) { return (exact, nil) }
    let stem = wanted.split(separator: "-").first.map(String.init) ?? ""
    let related = all.first {
      $0.tag.lowercased().split(separator: "-").first.map(String.init) == stem
    }
    if let related {
      let isBareStem = stem == wanted
      return (related, isBareStem ? nil : note(tag, spoken: related.tag))
    }
    return (English(region: .us), note(tag, spoken: "en-US"))
  }

  /// A sentence about a language that is not available.
  private static func note(_ tag: String, spoken: String) -> String {
    "language \(tag) is not available, so texts are in \(spoken); available: "
      + all.map(\.tag).joined(separator: ", ")
  }
}
