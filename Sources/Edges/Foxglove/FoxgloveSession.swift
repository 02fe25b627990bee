import Documents
import HTTP
import Synchronization

/// One client of the bridge: its subscriptions and its queue of messages to send.
///
/// At most 16 MiB wait; beyond that the oldest messages are dropped, and the client is sent a
/// status with their number.
final class FoxgloveSession: LiveSession {
  private static let mostBytes = 16 << 20
  private static let mostSubscriptions = 4_096
  private static let messageData: UInt8 = 1

  private let bridge: FoxgloveBridge
  private let wake: @Sendable () -> Void
  private let state: Mutex<State>

  private struct State {
    var texts: [String]
    var messages: [[UInt8]] = []
    var first = 0
    var bytes = 0
    var dropped = 0
    /// The channel of each of the client's subscription numbers.
    var channels: [UInt32: UInt32] = [:]
    var isClosed = false
  }

  init(_ bridge: FoxgloveBridge, _ greeting: [String], _ wake: @escaping @Sendable () -> Void) {
    self.bridge = bridge
    self.wake = wake
    state = Mutex(State(texts: greeting))
  }

  var isBusy: Bool { false }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func next() -> LiveFrame? {
    state.withLock { state in
      if !state.texts.isEmpty { return .text(state.texts.removeFirst()) }
      if state.dropped > 0 {
        defer { state.dropped = 0 }
        return .text(
          FoxgloveBridge.status("\(state.dropped) messages were dropped: this client is too slow"))
      }
      guard state.first < state.messages.count else {
        state.messages.removeAll(keepingCapacity: true)
        state.first = 0
        return nil
      }
      let message = state.messages[state.first]
      state.messages[state.first] = []
      state.first += 1
      state.bytes -= message.count
      return .binary(message)
    }
  }

  /// Queues a message, preceded by its time, for each subscription to its channel.
  func put(_ stamped: [UInt8], of channel: UInt32) {
    let isQueued = state.withLock { state in
      guard !state.isClosed else { return false }
      let wanted = state.channels.filter { $0.value == channel }.keys
      for subscription in wanted { Self.queue(stamped, subscription, &state) }
      return !wanted.isEmpty
    }
    if isQueued { wake() }
  }

  private static func queue(_ stamped: [UInt8], _ subscription: UInt32, _ state: inout State) {
    let head = [messageData] + (0..<4).map { UInt8(truncatingIfNeeded: subscription >> (8 * $0)) }
    state.messages.append(head + stamped)
    state.bytes += head.count + stamped.count
    while state.bytes > mostBytes, state.first < state.messages.count - 1 {
      state.bytes -= state.messages[state.first].count
      state.messages[state.first] = []
      state.first += 1
      state.dropped += 1
    }
    if state.first > 1_024, state.first * 2 > state.messages.count {
      state.messages.removeFirst(state.first)
      state.first = 0
    }
  }

  /// Executes `subscribe` and `unsubscribe`; anything else is answered with a status.
  func handle(_ command: String) {
    guard let request = try? JSONReader.value(Array(command.utf8)),
      let operation = request["op"]?.string
    else { return say("a command must be a JSON object with op") }
    switch operation {
    case "subscribe":
      for entry in request["subscriptions"]?.array ?? [] {
        guard let id = Self.number(entry["id"]), let channel = Self.number(entry["channelId"])
        else {
          say("a subscription needs id and channelId")
          continue
        }
        subscribe(id, channel)
      }
    case "unsubscribe":
      for id in request["subscriptionIds"]?.array ?? [] {
        if let id = Self.number(id) { unsubscribe(id) }
      }
    default: say("\"\(operation.prefix(40))\" is not supported here; subscribe and unsubscribe are")
    }
  }

  private static func number(_ value: JSONValue?) -> UInt32? {
    value?.integer.flatMap { UInt32(exactly: $0) }
  }

  private func subscribe(_ id: UInt32, _ channel: UInt32) {
    let isNew = state.withLock { state in
      guard !state.isClosed, state.channels[id] == nil,
        state.channels.count < Self.mostSubscriptions
      else { return false }
      state.channels[id] = channel
      return true
    }
    guard isNew else { return say("subscription \(id) already exists, or there are too many") }
    guard let values = bridge.subscribe(channel) else {
      state.withLock { $0.channels[id] = nil }
      return say("there is no channel \(channel)")
    }
    state.withLock { state in
      for value in values { Self.queue(value, id, &state) }
    }
    wake()
  }

  private func unsubscribe(_ id: UInt32) {
    let channel = state.withLock { $0.channels.removeValue(forKey: id) }
    guard let channel else { return say("there is no subscription \(id)") }
    bridge.unsubscribe(channel)
  }

  private func say(_ sentence: String) {
    state.withLock { state in
      // A client that only sends requests without reading gets at most this many.
      if state.texts.count < 64 { state.texts.append(FoxgloveBridge.status(sentence)) }
    }
    wake()
  }

  func leave() {
    let channels = state.withLock { state in
      state.isClosed = true
      defer { state.channels = [:] }
      return Array(state.channels.values)
    }
    for channel in channels { bridge.unsubscribe(channel) }
    bridge.leave(self)
  }

  func close() {
    state.withLock { $0.isClosed = true }
    wake()
  }
}
