/// Why regions could not be read, offered or installed; one sentence that names the place.
public struct RegionFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}
