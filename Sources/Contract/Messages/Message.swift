@_exported public import MessagePack

/// A structure of the contract in Protocols/, with its MessagePack form.
public protocol StructMessage: Packable, Hashable, Sendable {}

extension StructMessage {
  /// The payload's bytes.
  public func encoded() -> [UInt8] {
    var packer = Packer()
    pack(into: &packer)
    return packer.bytes
  }

  /// Reads a payload; unknown keys are ignored, types, ranges and required fields are checked.
  public init(decoding bytes: [UInt8]) throws(DecodeError) {
    var reader = Unpacker(bytes)
    try self.init(from: &reader)
    try reader.end()
  }
}

/// The payload of a topic.
public protocol TopicMessage: StructMessage {
  /// Name of the topic without the vehicle; parts in angle brackets stand for any one word.
  static var topic: String { get }
  /// Name and version of the schema, as headers carry it.
  static var schema: String { get }
}

/// The request or reply of a call.
public protocol CallMessage: StructMessage {
  static var call: String { get }
  /// Name and version of the schema, as headers carry it.
  static var schema: String { get }
}
