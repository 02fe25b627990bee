public import BusProtocol

/// The chain of causes of a message, as far as headers contain them and were received.
public struct CauseTrail: Sendable {
  public struct Step: Hashable, Sendable, Encodable {
    public var topic: String
    public var source: String
    /// Sequence number; 0 for a call or a tick of the clock.
    public var sequence: UInt64
    /// Event time in nanoseconds; nil for a message that was published before listening started.
    public var stampNS: Int64?
    /// Time of sending by the machine's clock, nanoseconds since 1970; nil if it is unknown.
    public var sentNS: Int64?
  }

  /// The message itself first, its first cause last.
  public private(set) var steps: [Step]
  /// Whether each cause was received.
  public private(set) var isWhole = true

  /// Follows the causes of `frame` through `heard`, which contains headers by their origin.
  public init(of frame: Frame, through heard: RecentHeaders) {
    let (vehicle, leaf) = TopicName.split(frame.topic)
    steps = [Step(leaf, frame.header)]
    var next = frame.header.cause
    // A chain has no loop, but received data may contain anything.
    while let cause = next, steps.count < 32 {
      guard cause.isMessage else {
        // Every chain starts with one of these, or with a message that names no cause.
        steps.append(Step(topic: cause.topic, source: cause.source, sequence: 0))
        return
      }
      guard let header = heard.header(of: cause, vehicle: vehicle) else {
        steps.append(
          Step(topic: cause.topic, source: cause.source, sequence: cause.sequence))
        isWhole = false
        return
      }
      steps.append(Step(cause.topic, header))
      next = header.cause
    }
  }

  /// The steps for people; ages are relative to `nowNS` of the machine's clock.
  public func lines(nowNS: Int64) -> [String] {
    var lines: [String] = []
    for (index, step) in steps.enumerated() {
      guard step.sequence > 0 else {
        let origin = Origin(topic: step.topic, source: step.source, run: 0, sequence: 0)
        lines.append("caused by \(origin.words)")
        continue
      }
      var text = "\(step.topic)  seq \(step.sequence)  from \(step.source)"
      if let stamp = step.stampNS { text += "  \(clock(stamp))" }
      if let sent = step.sentNS {
        text += "  \(Explanation.text(ms: UInt64(max(0, (nowNS - sent) / 1_000_000)))) ago"
        if index + 1 < steps.count, let before = steps[index + 1].sentNS {
          text += ", \(Self.text(ns: sent - before)) after"
        }
      } else {
        text += "  (before this subscription)"
      }
      lines.append(index == 0 ? text : "caused by \(text)")
    }
    return lines
  }

  private static func text(ns: Int64) -> String {
    "\(Explanation.figure(Double(max(0, ns)) / 1e6)) ms"
  }
}

extension CauseTrail.Step {
  fileprivate init(_ leaf: String, _ header: Header) {
    self.init(
      topic: leaf, source: header.source, sequence: header.sequence, stampNS: header.stampNS,
      sentNS: header.wallNS)
  }
}

/// Headers of recent messages, in which causes are looked up.
///
/// Memory is bounded: of a bus with many messages only the last ones are kept.
public struct RecentHeaders: Sendable {
  private struct Place: Hashable {
    var vehicle: String?
    var origin: Origin
  }

  private let capacity: Int
  private var headers: [Place: Header] = [:]
  /// The headers before those.
  private var older: [Place: Header] = [:]

  /// Keeps at least the last `capacity` headers, and at most twice as many.
  public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

  public mutating func ingest(_ frame: Frame) {
    if headers.count >= capacity {
      older = headers
      headers = [:]
    }
    let (vehicle, leaf) = TopicName.split(frame.topic)
    let header = frame.header
    let origin = Origin(
      topic: leaf, source: header.source, run: header.run, sequence: header.sequence)
    headers[Place(vehicle: vehicle, origin: origin)] = header
  }

  func header(of origin: Origin, vehicle: String?) -> Header? {
    for place in [Place(vehicle: vehicle, origin: origin), Place(vehicle: nil, origin: origin)] {
      if let header = headers[place] ?? older[place] { return header }
    }
    return nil
  }
}
