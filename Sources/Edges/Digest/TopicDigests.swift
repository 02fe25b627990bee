/// SHA-256 per topic over schema and payload of each message, in order.
///
/// Of each message four parts go in: the schema's length as 4 bytes, most significant first, the
/// schema, the payload's length likewise, the payload. Headers stay out: a run number or a wall
/// clock says nothing of what was said. So do `_node/…` and `_log/…` (figures and lines of a
/// process: memory, latency, the machine's time), `_bus/…` (the broker's own) and `_svc/…` (how long
/// calls took; what they said shows in all that follows).
public struct TopicDigests: ~Copyable {
  private final class Line {
    var sum: SHA256
    var count: UInt64 = 0
    init() throws(DigestError) { sum = try SHA256() }
  }

  private var lines: [String: Line] = [:]

  public init() {}

  /// Whether a topic, with its vehicle, is part of digests.
  public static func covers(_ topic: String) -> Bool {
    topic != "_digest"
      && !["_node/", "_log/", "_bus/", "_svc/", "_handover/", "_journal/"].contains {
        topic.hasPrefix($0)
      }
  }

  /// Takes the next message of a topic, named with its vehicle; cost is that of hashing it.
  public mutating func add(
    topic: String, schema: String, payload: [UInt8]
  ) throws(DigestError) {
    guard Self.covers(topic) else { return }
    let line: Line
    if let known = lines[topic] {
      line = known
    } else {
      line = try Line()
      lines[topic] = line
    }
    let name = Array(schema.utf8)
    line.sum.update(Self.length(name) + name + Self.length(payload))
    line.sum.update(payload)
    line.count += 1
  }

  private static func length(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt32(clamping: bytes.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  /// The digests of all that came.
  public func sheet() throws(DigestError) -> DigestSheet {
    var sheet = DigestSheet()
    for (topic, line) in lines {
      sheet.topics[topic] = DigestSheet.Entry(sha256: try line.sum.hexadecimal(), count: line.count)
    }
    return sheet
  }
}
