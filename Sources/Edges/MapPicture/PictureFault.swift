/// The reason why a picture cannot be drawn or written, as a sentence.
public struct PictureFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) {
    self.description = description
  }
}
