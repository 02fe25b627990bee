/// An error while reading, offering or installing regions, as one sentence that names the file or address.
public struct RegionFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}
