/// SHA-256 per topic over schema and payload of each message, in order.
///
/// Each message contributes four parts: the schema's length as 4 bytes, most significant first, the
/// schema, the payload's length likewise, and the payload. Headers are excluded, because a run
/// number or a wall clock is not content. Also excluded are `_node/…` and `_log/…` (figures and log
/// lines of a process: memory, latency, the machine's time) and `_bus/…` (the broker's own topics).
/// `_svc/…` is excluded because it contains the duration of calls; their content is visible in all
/// that follows.
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

  /// Adds the next message of a topic, named with its vehicle; the cost is that of hashing it.
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

  /// The digests of all messages so far.
  public func sheet() throws(DigestError) -> DigestList {
    var sheet = DigestList()
    for (topic, line) in lines {
      sheet.topics[topic] = DigestList.Entry(sha256: try line.sum.hexadecimal(), count: line.count)
    }
    return sheet
  }
}
