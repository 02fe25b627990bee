public import MessagePack

/// What a handover asks of a node, in its place among what the node hears.
public enum HandoverEvent: Hashable, Sendable {
  /// All input before this is the node's; of `slots` (nil for all) what follows is its successor's.
  ///
  /// `inputs` is what the node had of each source by then; `isSettled` is false where some of it
  /// was still being asked for. With `keepsCopy` the successor has the same name, and may fail
  /// later: then `takeBack` returns the slots to this node.
  case cut(
    token: UInt64, slots: SlotSet?, inputs: [InputMark], isSettled: Bool, keepsCopy: Bool)
  /// The node gets input of `slots` from here on; it is held until `takeHeld`.
  case cutForSuccessor(token: UInt64, slots: SlotSet?)
  /// The broker asks how large the state is; answered by `weighed`.
  case weigh(token: UInt64)
  /// No call of what is handed over comes after this.
  case freeze(token: UInt64)
  /// The predecessor's state; answered by `imported`.
  case take(token: UInt64, state: [UInt8])
  /// Last values that were asked for with `askLastValues` are held with the rest.
  case lastValues(token: UInt64)
  /// A standby goes on in silence from the state that it has taken, for a comparison.
  case shadow(token: UInt64)
  /// The node's turn: it says so with `publishFence` before anything else.
  case release(token: UInt64)
  /// The successor has begun.
  case retire(token: UInt64)
  /// The handover failed; the node goes on as before.
  case resume(token: UInt64, reason: String)
  /// The handover failed; what was taken over or held is void.
  case dismiss(token: UInt64, reason: String)
  /// One part of a handover failed; the slots of that part are void, and the process goes on.
  case dismissPart(token: UInt64, reason: String)
  /// The successor is gone: the slots that it had are the node's again.
  case takeBack(reason: String)
  /// The predecessor, whose run was `run`, is gone: all that it still had is the successor's.
  case inherit(run: UInt64)
  /// The broker is a new one, which knows of no handover.
  case void
}

/// What a reader had last of a source of one topic.
public struct InputMark: Hashable, Sendable, Packable {
  public var topic: String
  public var source: String
  public var run: UInt64
  public var sequence: UInt64
  /// The key of a state whose last value this was, empty where it has none; nil for the last
  /// message of the source.
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
      throw reader.fault(.wrongType, at: start, "expected [topic, src, run, seq] or a key more")
    }
    topic = try reader.string()
    source = try reader.string()
    run = try reader.uint()
    sequence = try reader.uint()
    key = count == 5 ? try reader.string() : nil
  }

  init(_ topic: String, _ writer: Writer, _ sequence: UInt64, key: String? = nil) {
    self.topic = topic
    source = writer.source
    run = writer.run
    self.sequence = sequence
    self.key = key
  }
}
