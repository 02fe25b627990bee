/// An error when writing or reading a recording, with its byte in its file.
public struct BagError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// The system refused; `code` is its errno.
    case system(action: String, code: Int32)
    /// The file does not start or end with the eight magic bytes of MCAP.
    case wrongMagic
    /// The file, a chunk or a record ends within `field`.
    case truncated(field: String)
    /// A field contains an invalid value, or refers to something that is not there.
    case invalid(field: String)
    /// The record is not allowed in this position, or not at all.
    case unexpectedRecord(opcode: UInt8)
    /// The computed CRC-32 of `part` differs from the stored one.
    case wrongChecksum(part: String)
    /// The declared size of a chunk or attachment is above the reader's limit, in bytes.
    case tooLarge(field: String, bytes: UInt64, limit: Int)
    /// A chunk has an unsupported compression; none and zstd are supported.
    case unknownCompression(String)
    /// The compressed bytes are invalid, or do not match the chunk's description.
    case badCompression(String)
    /// The file has no summary: it was not closed, or its writer does not write one.
    case noSummary
    /// A value cannot be represented in the format.
    case outOfRange(field: String)
    /// The writer was closed, or failed earlier.
    case closed
  }

  public var reason: Reason
  public var path: String
  /// The byte offset in the file.
  public var byteOffset: Int
  /// The byte offset within the decompressed chunk; `byteOffset` is then that of the chunk.
  public var byteInChunk: Int?

  public init(reason: Reason, path: String, byteOffset: Int, byteInChunk: Int? = nil) {
    self.reason = reason
    self.path = path
    self.byteOffset = byteOffset
    self.byteInChunk = byteInChunk
  }

  /// Whether the file just ends too early, for example because its writer was killed.
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
  /// Description for people.
  public var text: String {
    switch self {
    case .system(let action, let code): "cannot \(action): \(errorText(code))"
    case .wrongMagic: "not the eight magic bytes at the beginning and the end of an MCAP file"
    case .truncated(let field): "the file or record ends within \(field)"
    case .invalid(let field):
      "\(field) contains an invalid value, or refers to something that is missing"
    case .unexpectedRecord(let opcode): "a record with opcode \(opcode) is not allowed here"
    case .wrongChecksum(let part): "the checksum of the \(part) is wrong"
    case .tooLarge(let field, let bytes, let limit):
      "\(field) declares \(bytes) bytes; the limit is \(limit)"
    case .unknownCompression(let name):
      "compressed with \"\(name)\", which is not supported; none and zstd are"
    case .badCompression(let why): "the compressed bytes are damaged: \(why)"
    case .noSummary: "the summary is missing: the file was not closed"
    case .outOfRange(let field): "\(field) is outside the range of the format"
    case .closed: "the recording is already closed, or has failed"
    }
  }
}
