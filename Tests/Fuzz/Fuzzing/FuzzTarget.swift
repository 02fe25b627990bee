/// Something that reads bytes of strangers, and what it promises about them.
public protocol FuzzTarget: SendableMetatype {
  static var name: String { get }
  /// One line for the list of targets.
  static var about: String { get }
  /// So many inputs go into one value, one after the other; then a new one is made.
  ///
  /// nil where nothing is remembered from one input to the next.
  static var inputsOfOneLife: Int? { get }

  init(_ corpus: Corpus) throws

  /// An input: one part or several, as they would travel.
  ///
  /// It depends on nothing but the dice and the corpus, so that each can be made again by its
  /// number.
  mutating func make(_ dice: inout Dice) -> [[UInt8]]

  /// Lets the code under test have it, and gives a word for what came of it.
  ///
  /// - Throws: `Broken` where a promise was not kept; a crash speaks for itself.
  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String

  /// Looks at what must hold at the end of a life.
  mutating func end() throws(Broken)
}

extension FuzzTarget {
  public static var inputsOfOneLife: Int? { nil }
  public mutating func end() throws(Broken) {}
}

/// A promise that was not kept, in a sentence.
public struct Broken: Error {
  public var text: String
  public init(_ text: String) { self.text = text }
}

/// Throws `Broken` where `condition` does not hold.
public func promise(
  _ condition: Bool, _ text: @autoclosure () -> String
) throws(Broken) {
  guard condition else { throw Broken(text()) }
}
