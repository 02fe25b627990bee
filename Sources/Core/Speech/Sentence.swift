/// One or more sentences as pieces, from which plain text and SSML are made side by side.
///
/// Languages write it as an interpolated string: `"turn \(side) onto \(road)"`.
public struct Sentence: Codable, Hashable, Sendable, ExpressibleByStringInterpolation {
  public enum Piece: Codable, Hashable, Sendable {
    case words(String)
    /// A road's number: letters that are spelled, and what follows them.
    case roadNumber(letters: String, rest: String)
  }

  public private(set) var pieces: [Piece]

  public init(pieces: [Piece]) { self.pieces = pieces }
  public init(stringLiteral value: String) { self.pieces = [.words(value)] }
  public init(stringInterpolation: Interpolation) { self.pieces = stringInterpolation.pieces }

  public struct Interpolation: StringInterpolationProtocol {
    var pieces: [Piece] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { pieces.append(.words(literal)) }
    }
    public mutating func appendInterpolation(_ words: String) { appendLiteral(words) }
    public mutating func appendInterpolation(_ number: Int) { appendLiteral(String(number)) }
    public mutating func appendInterpolation(_ sentence: Sentence) { pieces += sentence.pieces }
  }

  public static let empty = Sentence(pieces: [])

  public static func + (a: Sentence, b: Sentence) -> Sentence {
    Sentence(pieces: a.pieces + b.pieces)
  }

  public var isEmpty: Bool { plain.isEmpty }

  /// The text for a voice without markup, with single spaces.
  public var plain: String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .words(let words): text += words
      case .roadNumber(let letters, let rest):
        text += letters.split(separator: "").joined(separator: " ")
        if !letters.isEmpty && !rest.isEmpty { text += " " }
        text += rest
      }
    }
    return Self.singleSpaced(text)
  }

  /// The same as an SSML 1.1 document in the language `tag`.
  public func ssml(tag: String) -> String {
    var body = ""
    for piece in pieces {
      switch piece {
      case .words(let words): body += Self.escaped(words)
      case .roadNumber(let letters, let rest):
        if !letters.isEmpty {
          body +=
            "<say-as interpret-as=\"characters\">\(Self.escaped(letters))</say-as>"
          if !rest.isEmpty { body += " " }
        }
        body += Self.escaped(rest)
      }
    }
    return "<speak version=\"1.1\" xmlns=\"http://www.w3.org/2001/10/synthesis\" "
      + "xml:lang=\"\(Self.escaped(tag))\">\(Self.singleSpaced(body))</speak>"
  }

  /// With a capital at the beginning and a full stop at the end.
  public var finished: Sentence {
    var pieces = pieces
    if case .words(let words)? = pieces.first, let initial = words.first {
      pieces[0] = .words(initial.uppercased() + words.dropFirst())
    }
    if let last = plain.last, !".!?".contains(last) { pieces.append(.words(".")) }
    return Sentence(pieces: pieces)
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }

  private static func singleSpaced(_ text: String) -> String {
    var result = ""
    for character in text {
      if character == " ", result.isEmpty || result.last == " " { continue }
      if ",.".contains(character), result.last == " " { result.removeLast() }
      if character == ".", result.last == "," { result.removeLast() }
      if character == ",", result.last == "," { continue }
      result.append(character)
    }
    while result.last == " " { result.removeLast() }
    return result
  }
}
