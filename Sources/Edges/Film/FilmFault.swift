/// The reason why a film or picture cannot be written, as a sentence.
public struct FilmFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) {
    self.description = description
  }
}
