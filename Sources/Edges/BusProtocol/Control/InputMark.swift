public import MessagePack

/// The last message that a reader received from a source of one topic.
public struct InputMark: Hashable, Sendable, Packable {
  public var topic: String
  public var source: String
  public var run: UInt64
  public var sequence: UInt64
  /// The key of a state whose last value this was; nil for the last message of the source.
  ///
  /// It is empty if the state has no key.
  public var key: String?

  public func pack(into packer: inout Packer) {
    packer.packArrayHeader(key == nil ? 4 : 5)
    packer.pack(topic)
    packer.pack(source)
    packer.pack(run)
    packer.pack(sequence)
    if let key { packer.pack(key) }
  }

  public init(from reader: inout Unpacker) throws(DecodeError) {
    let start = reader.offset
    let count = try reader.arrayHeader()
    guard count == 4 || count == 5 else {
      throw reader.fault(
        .wrongType, at: start, "expected [topic, src, run, seq], optionally with a key")
    }
    topic = try reader.string()
    source = try reader.string()
    run = try reader.uint()
    sequence = try reader.uint()
    key = count == 5 ? try reader.string() : nil
  }

  package init(_ topic: String, _ writer: Writer, _ sequence: UInt64, key: String? = nil) {
    self.topic = topic
    source = writer.source
    run = writer.run
    self.sequence = sequence
    self.key = key
  }
}
