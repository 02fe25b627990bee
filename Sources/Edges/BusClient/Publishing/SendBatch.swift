import BusProtocol
import ZMQ

/// Messages of streams that wait to be handed to libzmq together.
///
/// A message that is sent alone wakes libzmq's thread here, then libzmq's thread at the broker, and
/// then the broker. For a node that publishes thousands per second while it works through its
/// input, these wake-ups cost more than its messages, so it gathers some. A node that publishes few
/// messages never delays one.
struct SendBatch: ~Copyable {
  /// Number of messages that are sent together, unless a millisecond has passed.
  private static let most = 32
  private static let longestNS: Int64 = 1_000_000

  /// A message, and the line of the outbox that counted it.
  struct Entry {
    var line: Int
    var message: Message
  }

  /// Whether a turn of the node's loop is in progress, at whose end all messages are sent.
  private var isOn = false
  private var rate: MessageRate
  private var published = 0
  private(set) var entries: [Entry] = []
  /// Number of entries that have been sent.
  private var gone = 0
  private var beganNS: Int64 = 0
  private var spare: [Message] = []

  init(_ limits: MessageRate.Limits = MessageRate.Limits()) { rate = MessageRate(limits) }

  /// Starts a turn; messages wait only if many have been published recently.
  mutating func beginTurn() { isOn = rate.isDense }

  /// Ends a turn: the waiting messages are to be sent.
  mutating func endTurn(at now: MonotonicTime) {
    isOn = false
    rate.count(published, at: now)
    published = 0
  }

  /// Counts a publication of a stream; returns a message to fill if it may wait.
  mutating func next() -> Message? {
    published += 1
    guard isOn else { return nil }
    return spare.popLast() ?? Message()
  }

  /// Appends a message; true if all messages should be sent now.
  mutating func append(_ message: Message, line: Int, nowNS: Int64) -> Bool {
    if entries.isEmpty { beganNS = nowNS }
    entries.append(Entry(line: line, message: message))
    let waitedNS = nowNS - beganNS
    return entries.count >= Self.most || waitedNS >= Self.longestNS || waitedNS < 0
  }

  /// The next message to send; nil if all have been sent.
  var first: Entry? { gone < entries.count ? entries[gone] : nil }

  /// Removes the first message after it was sent or refused.
  mutating func removeFirst() {
    gone += 1
    if gone == entries.count { clear() }
  }

  private mutating func clear() {
    gone = 0
    for entry in entries {
      entry.message.clear()
      spare.append(entry.message)
    }
    entries.removeAll(keepingCapacity: true)
  }
}
