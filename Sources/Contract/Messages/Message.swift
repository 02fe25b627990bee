@_exported public import MessagePack

/// A structure of the contract in Protocols/, with its MessagePack encoding.
public protocol StructMessage: Packable, Hashable, Sendable {
  /// Decodes a payload; types, ranges and required fields are checked.
  ///
  /// Unknown fields are rejected in the request of a call and ignored everywhere else.
  init(decoding bytes: [UInt8]) throws(DecodeError)
}

extension StructMessage {
  /// The encoded payload.
  public func encoded() -> [UInt8] {
    var packer = Packer()
    pack(into: &packer)
    return packer.bytes
  }

  /// Decodes a payload; unknown fields are ignored; types, ranges and required fields are checked.
  public init(decoding bytes: [UInt8]) throws(DecodeError) {
    var reader = Unpacker(bytes)
    try self.init(from: &reader)
    try reader.end()
  }
}

/// The payload of a topic.
public protocol TopicMessage: StructMessage {
  /// Name of the topic without the vehicle; parts in angle brackets stand for any one token.
  static var topic: String { get }
  /// Name and version of the schema, as in headers.
  static var schema: String { get }
}

/// The request or reply of a call.
public protocol CallMessage: StructMessage {
  static var call: String { get }
  /// Name and version of the schema, as in headers.
  static var schema: String { get }
}

/// The request of a call.
public protocol RequestMessage: CallMessage {
  /// Maximum size of a request in bytes.
  static var maxSizeBytes: Int { get }
}

extension RequestMessage {
  /// Decodes a request; unknown fields at any depth and requests that are too large are rejected.
  ///
  /// A caller that asks for something must not get an answer that silently leaves it out.
  public init(decoding bytes: [UInt8]) throws(DecodeError) {
    guard bytes.count <= Self.maxSizeBytes else {
      throw DecodeError(
        reason: .tooLarge, path: "", byteOffset: Self.maxSizeBytes,
        message: "the request has \(bytes.count) bytes; at most \(Self.maxSizeBytes) are allowed "
          + "(byte \(Self.maxSizeBytes))")
    }
    var reader = Unpacker(bytes)
    reader.refusesUnknownFields = true
    try self.init(from: &reader)
    try reader.end()
  }
}
