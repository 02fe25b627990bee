/// One or more sentences as pieces, from which both plain text and SSML are made.
///
/// Languages write it as an interpolated string: `"turn \(side) onto \(road)"`.
public struct Sentence: Codable, Hashable, Sendable, ExpressibleByStringInterpolation {
  public enum Piece: Codable, Hashable, Sendable {
    case words(String)
    /// A road's number: the letters to be spelled, and the rest.
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

  /// Whether nothing would be spoken: there are no words, or only spaces.
  public var isEmpty: Bool {
    pieces.allSatisfy { piece in
      switch piece {
      case .words(let words): words.utf8.allSatisfy { $0 == .space }
      case .roadNumber(let letters, let rest):
        letters.utf8.allSatisfy { $0 == .space } && rest.utf8.allSatisfy { $0 == .space }
      }
    }
  }

  /// The text for a voice without markup, with single spaces.
  public var plain: String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .words(let words): text += words
      case .roadNumber(let letters, let rest):
        text += letters.map(String.init).joined(separator: " ")
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

  /// With an initial capital and a final full stop.
  public var finished: Sentence {
    var pieces = pieces
    if case .words(let words)? = pieces.first, let initial = words.first {
      pieces[0] = .words(initial.uppercased() + words.dropFirst())
    }
    if let last = plain.utf8.last, !".!?".utf8.contains(last) { pieces.append(.words(".")) }
    return Sentence(pieces: pieces)
  }

  // The searched characters are ASCII and do not occur as bytes of other characters. Reading bytes
  // takes a tenth of the time of reading characters, and a driver waits for the result.

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { entity($0) != nil }) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      if let entity = entity(byte) {
        result += entity.utf8
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func entity(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    default: nil
    }
  }

  private static func singleSpaced(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if byte == .space, result.isEmpty || result.last == .space { continue }
      if byte == .comma || byte == .stop, result.last == .space { result.removeLast() }
      if byte == .stop, result.last == .comma { result.removeLast() }
      if byte == .comma, result.last == .comma { continue }
      result.append(byte)
    }
    while result.last == .space { result.removeLast() }
    return String(decoding: result, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate static let space = UInt8(ascii: " ")
  fileprivate static let comma = UInt8(ascii: ",")
  fileprivate static let stop = UInt8(ascii: ".")
}
