/// Why a recording could not be written or read, and at which byte of which file.
public struct BagError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// The system refused; `code` is its errno.
    case system(action: String, code: Int32)
    /// The file does not begin or end with the eight bytes of MCAP.
    case wrongMagic
    /// The file or a record ends within `field`.
    case truncated(field: String)
    /// A field holds what it may not, or refers to what is not there.
    case invalid(field: String)
    /// The record is legal where it is not expected, or not legal at all.
    case unexpectedRecord(opcode: UInt8)
    /// The messages are in chunks, which this reader does not open.
    case chunked
    /// A value has no place in the format.
    case outOfRange(field: String)
    /// The writer was closed, or failed before.
    case closed
  }

  public var reason: Reason
  public var path: String
  /// The byte of the file, from 0.
  public var byteOffset: Int

  public init(reason: Reason, path: String, byteOffset: Int) {
    self.reason = reason
    self.path = path
    self.byteOffset = byteOffset
  }

  public var description: String { "\(path): byte \(byteOffset): \(reason)" }
}
