/// Messages of streams that wait to be handed to libzmq together.
///
/// One that goes alone wakes libzmq's thread, that one the broker's, and that one the broker. A node
/// that publishes thousands a second while it works off what has come spends more on these wake-ups
/// than on its messages, so it gathers some; one that publishes few never lets one wait.
struct Gathering: ~Copyable {
  /// So many go together, or what has come within a millisecond.
  private static let most = 32
  private static let longestNS: Int64 = 1_000_000

  /// A message, and the line of the outbox that counted it.
  struct Entry {
    var line: Int
    var message: Message
  }

  /// Whether a turn of the node's loop is under way at whose end all go.
  private var isOn = false
  private var rate: MessageRate
  private var published = 0
  private(set) var entries: [Entry] = []
  /// How many of them have gone.
  private var gone = 0
  private var beganNS: Int64 = 0
  private var spare: [Message] = []

  init(_ limits: MessageRate.Limits = MessageRate.Limits()) { rate = MessageRate(limits) }

  /// Begins a turn; messages wait only where many have been published lately.
  mutating func begin() { isOn = rate.isDense }

  /// Ends a turn: what is there is to be sent.
  mutating func end(at now: MonotonicTime) {
    isOn = false
    rate.count(published, at: now)
    published = 0
  }

  /// Notes a publication of a stream; gives a message to put it into where it may wait.
  mutating func next() -> Message? {
    published += 1
    guard isOn else { return nil }
    return spare.popLast() ?? Message()
  }

  /// Takes a message in; true where it is time that all go.
  mutating func append(_ message: Message, line: Int, nowNS: Int64) -> Bool {
    if entries.isEmpty { beganNS = nowNS }
    entries.append(Entry(line: line, message: message))
    let waitedNS = nowNS - beganNS
    return entries.count >= Self.most || waitedNS >= Self.longestNS || waitedNS < 0
  }

  /// The one whose turn it is; nil where all have gone.
  var first: Entry? { gone < entries.count ? entries[gone] : nil }

  /// The first one has gone, or was refused.
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
