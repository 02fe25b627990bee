import BusClient

/// Input that waits in order for the end of a handover.
struct KeptEvents {
  /// Maximum size of waiting input, in bytes.
  static let maximumBytes = 64 << 20
  private static let overhead = 256

  private var events: [BusEvent] = []
  private var next = 0
  private(set) var bytes = 0

  var isEmpty: Bool { next == events.count }
  var isOverfull: Bool { bytes > Self.maximumBytes }

  mutating func append(_ event: BusEvent) {
    events.append(event)
    bytes += Self.size(event)
  }

  mutating func popFirst() -> BusEvent? {
    guard next < events.count else { return nil }
    let event = events[next]
    next += 1
    bytes -= Self.size(event)
    if next == events.count {
      events = []
      next = 0
    }
    return event
  }

  /// Moves other events before all that wait here, in order.
  mutating func putBefore(_ others: inout KeptEvents) {
    guard !others.isEmpty else { return }
    events = Array(others.events[others.next...] + events[next...])
    next = 0
    bytes += others.bytes
    others = KeptEvents()
  }

  /// Drops the messages of vehicles that belong to another process.
  mutating func drop(_ isDropped: (String) -> Bool) {
    let rest = events[next...].filter { event in
      guard case .message(let delivery) = event, let vehicle = delivery.vehicle else { return true }
      return !isDropped(vehicle)
    }
    events = Array(rest)
    next = 0
    bytes = events.reduce(0) { $0 + Self.size($1) }
  }

  private static func size(_ event: BusEvent) -> Int {
    if case .message(let delivery) = event { return delivery.payload.count + overhead }
    return overhead
  }
}
