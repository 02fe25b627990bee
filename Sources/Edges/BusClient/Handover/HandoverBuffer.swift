import BusProtocol

/// Input that waits at a successor, from the marker until the successor may continue.
struct HandoverBuffer {
  /// Maximum size of held input, in bytes.
  static let maximumBytes = 64 << 20
  /// Overhead of a message beyond its payload.
  private static let overhead = 256

  let token: UInt64
  /// The held slots; nil for everything.
  let slots: SlotSet?
  /// The last message that this reader had received itself of each source at the marker.
  let own: [InputMark]
  private(set) var frames: [(frame: Frame, arrival: MonotonicTime)] = []
  /// Last values of states that the stage needs together with the handed-over state.
  private(set) var lastValues: [Frame] = []
  private(set) var bytes = 0

  init(token: UInt64, slots: SlotSet?, own: [InputMark]) {
    self.token = token
    self.slots = slots
    self.own = own
  }

  var isOverfull: Bool { bytes > Self.maximumBytes }

  func holds(_ topic: String) -> Bool { slots?.covers(topic: topic) ?? true }

  /// Whether topics of a slot are held; nil for a topic without a vehicle.
  func holds(slot: Int?) -> Bool { slots?.covers(slot) ?? true }

  mutating func append(_ frame: Frame, now: MonotonicTime) {
    bytes += frame.payload.count + Self.overhead
    // The handover fails in this case, so holding more is pointless.
    if !isOverfull { frames.append((frame, now)) }
  }

  mutating func append(lastValue frame: Frame) {
    if holds(frame.topic) { lastValues.append(frame) }
  }

  /// The reason why input would be lost if this reader continued from the end of `inputs`; nil if
  /// none would.
  func fault(after inputs: [InputMark]) -> String? {
    if isOverfull {
      return "more than \(Self.maximumBytes >> 20) MiB of input arrived during the handover"
    }
    var last: [Line: InputMark] = [:]
    for mark in inputs where mark.key == nil { last[Line(mark.topic, mark.source)] = mark }
    for mark in own where mark.key == nil {
      if let theirs = last[Line(mark.topic, mark.source)], theirs.run == mark.run,
        theirs.sequence < mark.sequence
      {
        return "the old process has not received \(mark.topic) \(mark.sequence) of \(mark.source)"
      }
    }
    for (frame, _) in frames where !frame.header.isLatched {
      let line = Line(frame.topic, frame.header.source)
      let header = frame.header
      if let before = last[line], before.run == header.run, header.sequence > before.sequence + 1 {
        return "\(frame.topic) \(before.sequence + 1) of \(header.source) did not arrive"
      }
      if let before = last[line], (before.run, before.sequence) > (header.run, header.sequence) {
        continue
      }
      last[line] = InputMark(frame.topic, header.writer, header.sequence)
    }
    return nil
  }

  private struct Line: Hashable {
    var topic: String
    var source: String

    init(_ topic: String, _ source: String) {
      self.topic = topic
      self.source = source
    }
  }
}
