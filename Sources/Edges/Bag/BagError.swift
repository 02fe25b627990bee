/// Why a recording could not be written or read, and at which byte of which file.
public struct BagError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// The system refused; `code` is its errno.
    case system(action: String, code: Int32)
    /// The file does not begin or end with the eight bytes of MCAP.
    case wrongMagic
    /// The file, a chunk or a record ends within `field`.
    case truncated(field: String)
    /// A field holds what it may not, or refers to what is not there.
    case invalid(field: String)
    /// The record is legal where it is not expected, or not legal at all.
    case unexpectedRecord(opcode: UInt8)
    /// The CRC-32 of `part` is not the one that is written beside it.
    case wrongChecksum(part: String)
    /// A chunk or attachment says that it is larger than the reader's limit, in bytes.
    case tooLarge(field: String, bytes: UInt64, limit: Int)
    /// A chunk is compressed in a way that is not read; none and zstd are.
    case unknownCompression(String)
    /// The compressed bytes are none, or do not give what the chunk says.
    case badCompression(String)
    /// The file has no summary: it was not closed, or its writer makes none.
    case noSummary
    /// A value has no place in the format.
    case outOfRange(field: String)
    /// The writer was closed, or failed before.
    case closed
  }

  public var reason: Reason
  public var path: String
  /// The byte of the file, from 0.
  public var byteOffset: Int
  /// Where the place is within a chunk: its byte after decompression; `byteOffset` is the chunk's.
  public var byteInChunk: Int?

  public init(reason: Reason, path: String, byteOffset: Int, byteInChunk: Int? = nil) {
    self.reason = reason
    self.path = path
    self.byteOffset = byteOffset
    self.byteInChunk = byteInChunk
  }

  /// Whether the file just ends too early, as it does where its writer was killed.
  public var isTruncation: Bool {
    if case .truncated = reason { return byteInChunk == nil }
    return false
  }

  public var description: String {
    let place = byteInChunk.map { ", byte \($0) of the chunk there" } ?? ""
    return "\(path): byte \(byteOffset)\(place): \(reason.text)"
  }
}

extension BagError.Reason {
  /// A sentence for people.
  public var text: String {
    switch self {
    case .system(let action, let code): "cannot \(action): \(errorText(code))"
    case .wrongMagic: "these are not the eight bytes with which an MCAP file begins and ends"
    case .truncated(let field): "the file or record ends within \(field)"
    case .invalid(let field): "\(field) holds what it may not, or names what is not there"
    case .unexpectedRecord(let opcode): "a record of kind \(opcode) has no place here"
    case .wrongChecksum(let part): "the checksum of the \(part) is wrong"
    case .tooLarge(let field, let bytes, let limit):
      "\(field) says \(bytes) bytes; up to \(limit) are read"
    case .unknownCompression(let name):
      "compressed with \"\(name)\", which is not read; none and zstd are"
    case .badCompression(let why): "the compressed bytes are damaged: \(why)"
    case .noSummary: "there is no summary: the file was not closed"
    case .outOfRange(let field): "\(field) has no place in the format"
    case .closed: "the recording was closed, or failed before"
    }
  }
}
