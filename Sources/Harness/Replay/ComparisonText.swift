import BusProtocol
import Foundations
import MessagePack

extension Comparison {
  /// The comparison for people.
  ///
  /// It has a line for each topic that differs, the number of equal topics, and the first
  /// difference field by field.
  public var text: [String] {
    let equal = counts.filter { $0.value.isEqual }
    let messages = equal.reduce(0) { $0 + $1.value.equal }
    var lines = [
      isEqual
        ? "equal: \(equal.count) topics, \(messages) messages"
        : "\(counts.count - equal.count) topics differ, \(equal.count) are equal"
    ]
    for (topic, count) in counts.sorted(by: { $0.key < $1.key }) where !count.isEqual {
      let parts = [
        "\(count.equal) equal", "\(count.different) different",
        count.added > 0 ? "\(count.added) only in the new run" : nil,
        count.missing > 0 ? "\(count.missing) only in the old run" : nil,
      ]
      lines.append("  \(topic): \(parts.compactMap { $0 }.joined(separator: ", "))")
    }
    if let first { lines += ["first difference:"] + first.text.map { "  \($0)" } }
    return lines
  }
}

extension Comparison.Difference {
  /// The message, its time, its cause, and the fields that differ.
  public var text: [String] {
    guard let frame = now ?? then else { return [] }
    var lines = ["\(topic), message \(place), at \(Self.time(stampNS)) by \(frame.header.source)"]
    if let cause = Self.cause(frame.header.cause) { lines.append("caused by \(cause)") }
    switch (then, now) {
    case (let then?, let now?): lines += Self.fields(then, now)
    case (let then?, nil): lines.append("only in the old run: \(Self.whole(then))")
    case (nil, let now?): lines.append("only in the new run: \(Self.whole(now))")
    case (nil, nil): break
    }
    return lines
  }

  private static func fields(_ then: Frame, _ now: Frame) -> [String] {
    var lines: [String] = []
    if then.header.schema != now.header.schema {
      lines.append("schema: \(then.header.schema) before, \(now.header.schema) now")
    }
    if then.header.key != now.header.key {
      lines.append("key: \(then.header.key ?? "none") before, \(now.header.key ?? "none") now")
    }
    if then.header.stampNS != now.header.stampNS {
      lines.append("stamp: \(time(then.header.stampNS)) before, \(time(now.header.stampNS)) now")
    }
    guard let a = try? MessagePackValue(decoding: then.payload),
      let b = try? MessagePackValue(decoding: now.payload)
    else {
      return then.payload == now.payload
        ? lines : lines + ["payload: \(then.payload.count) bytes before, \(now.payload.count) now"]
    }
    let found = FieldDifference.list(a, b)
    if found.isEmpty, then.payload != now.payload {
      lines.append("payload: equal values, different bytes")
    }
    return lines + found.map(\.text)
  }

  private static func whole(_ frame: Frame) -> String {
    guard let value = try? MessagePackValue(decoding: frame.payload) else {
      return "\(frame.payload.count) bytes"
    }
    let text = value.json()
    return text.count > 300 ? text.prefix(300) + "…" : text
  }

  private static func cause(_ origin: Origin?) -> String? {
    origin?.words
  }

  /// `12:04:31.220000000`, in UTC.
  static func time(_ stampNS: Int64) -> String {
    let day: Int64 = 86_400_000_000_000
    let rest = ((stampNS % day) + day) % day
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = rest / 1_000_000_000
    let digits = String(rest % 1_000_000_000)
    let nanoseconds = String(repeating: "0", count: 9 - digits.count) + digits
    return "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(nanoseconds)"
  }
}
