import Bag
import BusProtocol
import MessagePack
import Recorder

/// The selected messages of a recording.
struct RecordingChoice {
  var topics: [String]
  var times: ClosedRange<Int64> = 0...Int64.max

  func frames(_ recording: Recording) throws -> FrameCursor {
    let filter = TopicFilter(topics)
    return try recording.frames(where: { filter.includes($0) }, during: times)
  }

  /// Checks that each pattern selects a topic of some recording; a recording without an index is
  /// not checked, since it would have to be read to its end.
  ///
  /// - Throws: `Problem` that names the pattern and, if there is one, the topic with a similar
  /// name.
  func check(_ recordings: [Recording]) throws {
    var known: Set<String> = []
    for recording in recordings {
      guard let summary = recording.summary else { return }
      known.formUnion(summary.channels.values.map(\.topic))
    }
    guard let absent = TopicFilter(topics).unmatched(among: known).first else { return }
    let names = known.union(known.map { TopicName.split($0).leaf })
    let hint = Suggestion.nearest(to: absent, among: names).map { "; did you mean \($0)?" }
    throw Problem(
      "\(recordings.map(\.path).joined(separator: ", ")): no topic is \(absent)"
        + (hint ?? "; nav rec info lists the topics"))
  }
}

/// A recorded message as one JSON object.
enum RecordedLine {
  static func json(_ one: RecordedFrame) -> String {
    let header = one.frame.header
    var entries: [(String, MessagePackValue)] = [
      ("log_time", .int(one.logTimeNS)), ("topic", .string(one.frame.topic)),
      ("src", .string(header.source)), ("run", .int(Int64(clamping: header.run))),
      ("seq", .int(Int64(clamping: header.sequence))), ("stamp", .int(header.stampNS)),
      ("schema", .string(header.schema)),
    ]
    if let key = header.key { entries.append(("key", .string(key))) }
    if let cause = header.cause {
      entries.append(
        (
          "cause",
          .array([
            .string(cause.topic), .string(cause.source), .int(Int64(clamping: cause.run)),
            .int(Int64(clamping: cause.sequence)),
          ])
        ))
    }
    if header.isLatched { entries.append(("latched", .bool(true))) }
    entries.append(("payload", payload(one.frame)))
    return MessagePackValue.map(entries.map { MessagePackValue.Entry($0.0, $0.1) }).json()
  }

  /// The payload as a value: null if it is empty, its bytes if it is not MessagePack.
  static func payload(_ frame: Frame) -> MessagePackValue {
    frame.payload.isEmpty
      ? .null : (try? MessagePackValue(decoding: frame.payload)) ?? .bytes(frame.payload)
  }
}
