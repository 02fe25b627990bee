import BusProtocol
import DequeModule

/// The events of the last seconds, kept for readers that missed some.
struct EventRing {
  struct Stream: Hashable {
    var topic: String
    var source: String
    var run: UInt64
  }

  private struct Event {
    var header: Header
    var payload: [UInt8]
    var arrival: MonotonicTime

    var size: Int { payload.count + 256 }
  }

  private var streams: [Stream: Deque<Event>] = [:]
  /// The order in which streams lose their oldest event.
  private var order = Deque<Stream>()
  private(set) var bytes = 0
  private let maximumBytes: Int
  private let lifetimeMS: Int64

  init(maximumBytes: Int = 64 << 20, lifetimeMS: Int64 = 30_000) {
    self.maximumBytes = maximumBytes
    self.lifetimeMS = lifetimeMS
  }

  /// Keeps an event unless it is already present; a skipped number stays missing.
  mutating func keep(
    _ topic: String, _ header: Header, _ payload: [UInt8], now: MonotonicTime
  ) {
    let stream = Stream(topic: topic, source: header.source, run: header.run)
    if let last = streams[stream]?.last, last.header.sequence >= header.sequence { return }
    let event = Event(header: header, payload: payload, arrival: now)
    streams[stream, default: Deque()].append(event)
    order.append(stream)
    bytes += event.size
    forget(now: now)
  }

  /// Removes events that are too old or too many.
  mutating func forget(now: MonotonicTime) {
    while let stream = order.first, let oldest = streams[stream]?.first,
      bytes > maximumBytes || now.milliseconds(since: oldest.arrival) > lifetimeMS
    {
      _ = order.popFirst()
      bytes -= oldest.size
      _ = streams[stream]?.popFirst()
      if streams[stream]?.isEmpty == true { streams[stream] = nil }
    }
  }

  /// The events `from ... to` of a stream, and the ranges of numbers that are no longer available.
  func events(
    of stream: Stream, from: UInt64, to: UInt64
  ) -> (frames: [Frame], missing: [ClosedRange<UInt64>]) {
    guard from <= to else { return ([], []) }
    var frames: [Frame] = []
    var missing: [ClosedRange<UInt64>] = []
    var next = from
    for event in streams[stream] ?? Deque() {
      let number = event.header.sequence
      guard number >= from, number <= to else { continue }
      if number > next { missing.append(next...(number - 1)) }
      frames.append(
        Frame(topic: stream.topic, header: event.header.latched, payload: event.payload))
      if number == to { return (frames, missing) }
      next = number + 1
    }
    missing.append(next...to)
    return (frames, missing)
  }

  /// The events of subscriptions that arrived since `start`, in order of arrival.
  func events(matching patterns: PatternSet, since start: MonotonicTime) -> [Frame] {
    streams
      .filter { patterns.matches($0.key.topic) }
      .flatMap { stream, events in
        events.filter { $0.arrival >= start }.map { (stream.topic, $0) }
      }
      .sorted { ($0.1.arrival, $0.1.header.sequence) < ($1.1.arrival, $1.1.header.sequence) }
      .map { Frame(topic: $0.0, header: $0.1.header.latched, payload: $0.1.payload) }
  }
}
