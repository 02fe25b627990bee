import BusProtocol
import MessagePack

/// The channel `_trace`, with headers that contain more than a message's record can hold.
///
/// A message's record has room for the low 32 bits of the number and for the stamp, and its channel
/// for source, run and schema. If the header contains more (cause, key, id, ttl, latched, wall,
/// class, or an unknown key), it follows as a message of this channel. That message is the header's
/// own map, with `topic` added. It comes directly after its message, in the same chunk, with the
/// same times.
enum FrameTrace {
  static let topic = "_trace"
  static let schemaName = "trace/1.0"

  static let schema = """
    {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "trace/1.0", \
    "title": "trace", "type": "object", \
    "description": "The header of the original message, if it contains more than the record.", \
    "required": ["seq", "stamp", "src", "run", "schema", "topic"], "properties": {\
    "topic": {"type": "string"}, "seq": {"type": "integer", "minimum": 1}, \
    "stamp": {"type": "integer", "x-unit": "ns"}, "src": {"type": "string"}, \
    "run": {"type": "integer", "minimum": 0}, "schema": {"type": "string"}, \
    "cause": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}, \
    {"type": "integer"}, {"type": "integer"}]}, "key": {"type": "string"}, \
    "id": {"type": "string"}, "ttl": {"type": "integer", "x-unit": "ms"}, \
    "latched": {"type": "boolean"}, "wall": {"type": "integer", "x-unit": "ns"}, \
    "class": {"enum": ["stream", "state", "event"]}}}
    """

  /// Number of entries that every header has; further ones do not fit into a record.
  private static let plainEntries = 5

  /// Whether the header contains more than the record and its channel.
  static func isNeeded(for header: Header, _ bytes: [UInt8]) -> Bool {
    let plain = 0x80 | UInt8(plainEntries)
    return bytes.first != plain || header.sequence > UInt64(UInt32.max) || header.stampNS < 0
  }

  /// The header's map with one added entry; nil if `header` is not a map.
  static func payload(header: [UInt8], topic: String) -> [UInt8]? {
    guard let (count, start) = mapHead(header) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header.count + topic.utf8.count + 16)
    switch count + 1 {
    case 0...15: bytes.append(0x80 | UInt8(count + 1))
    case 16...0xFFFF:
      bytes.append(0xDE)
      withUnsafeBytes(of: UInt16(count + 1).bigEndian) { bytes.append(contentsOf: $0) }
    default: return nil
    }
    bytes.append(contentsOf: header[start...])
    bytes.append(contentsOf: tail(topic))
    return bytes
  }

  /// Decodes the header of a message on `topic`; nil if the trace belongs to another topic.
  static func header(_ payload: [UInt8], topic: String) -> Header? {
    guard payload.suffix(tail(topic).count).elementsEqual(tail(topic)) else { return nil }
    return try? Header(decoding: payload)
  }

  private static func tail(_ topic: String) -> [UInt8] {
    var packer = Packer()
    packer.pack("topic" as StaticString)
    packer.pack(topic)
    return packer.bytes
  }

  /// Number of entries of a map, and the position of the first.
  private static func mapHead(_ bytes: [UInt8]) -> (count: Int, start: Int)? {
    guard let first = bytes.first else { return nil }
    if first & 0xF0 == 0x80 { return (Int(first & 0x0F), 1) }
    if first == 0xDE, bytes.count >= 3 { return (Int(bytes[1]) << 8 | Int(bytes[2]), 3) }
    return nil
  }
}
